import type { ScriptedResponse } from '../server/answer.ts'
import { isRecord, parseJson } from '../server/json.ts'
import type { Raw } from '../server/listen.ts'
import { type ApnsReason, apnsError } from './reasons.ts'

type Reason = Exclude<ApnsReason, 'Unregistered' | 'ExpiredToken'>

/** "The value of this header must accurately reflect the contents of your notification's payload"; these are those there are. */
const PUSH_TYPES = [
  'alert',
  'background',
  'controls',
  'location',
  'voip',
  'complication',
  'fileprovider',
  'mdm',
  'liveactivity',
  'pushtotalk',
  'widgets',
]
/** "32 lowercase hexadecimal digits, displayed in five groups separated by hyphens in the form 8-4-4-4-12". */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Bytes of JSON: "4 KB (4096 bytes)", for VoIP "5 KB (5120 bytes)" (generating-a-remote-notification). */
const MOST = { voip: 5120, other: 4096 }
/** "The value of this key must not exceed 64 bytes"; Node reads each byte of a header as a character. */
const COLLAPSE_ID = 64
/** The hexadecimal bytes of a device token. */
const DEVICE_TOKEN = /^(?:[0-9a-f]{2}){32,100}$/i

interface Asked {
  readonly raw: Raw
  readonly deviceToken: string
  readonly topic: string
  header(name: string): string
}

/** 10: at once, which is the default; 5 and 1: as the device's power allows. At once is an error for what only wakes an app. */
const isBadPriority = ({ header }: Asked): boolean => {
  const priority = header('apns-priority')
  if (!['', '1', '5', '10'].includes(priority)) return true
  return header('apns-push-type') === 'background' && (priority === '10' || priority === '')
}

const isTooLarge = ({ raw, header }: Asked): boolean =>
  raw.body.length > (header('apns-push-type') === 'voip' ? MOST.voip : MOST.other)

/** What can be wrong with a request, in the order it is looked for. */
const RULES: ReadonlyArray<readonly [Reason, (asked: Asked) => boolean]> = [
  ['MissingDeviceToken', ({ deviceToken }) => deviceToken === ''],
  ['BadDeviceToken', ({ deviceToken }) => !DEVICE_TOKEN.test(deviceToken)],
  ['MissingTopic', ({ header }) => header('apns-topic') === ''],
  ['TopicDisallowed', ({ header, topic }) => header('apns-topic') !== topic],
  ['InvalidPushType', ({ header }) => !PUSH_TYPES.includes(header('apns-push-type'))],
  ['BadMessageId', ({ header }) => header('apns-id') !== '' && !UUID.test(header('apns-id'))],
  ['BadExpirationDate', ({ header }) => !/^\d*$/.test(header('apns-expiration'))],
  ['BadPriority', isBadPriority],
  ['BadCollapseId', ({ header }) => header('apns-collapse-id').length > COLLAPSE_ID],
  ['PayloadTooLarge', isTooLarge],
  ['PayloadEmpty', ({ raw }) => !isRecord(parseJson(raw.body.toString()))],
]

/**
 * Returns the error of APNs about a request: first about its headers
 * (https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns), then about its payload. Requires
 * `apns-push-type`, as Apple does for current systems. Apple has no separate reason for a payload that is not JSON.
 */
export const refuseNotification = (
  raw: Raw,
  deviceToken: string,
  topic: string,
): ScriptedResponse | undefined => {
  const header = (name: string): string => String(raw.headers[name] ?? '')
  const asked = { raw, deviceToken, topic, header }
  const broken = RULES.find(([, isBroken]) => isBroken(asked))
  return broken === undefined ? undefined : apnsError(broken[0])
}
