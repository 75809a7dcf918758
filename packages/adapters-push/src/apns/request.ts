import { hash } from 'node:crypto'
import type { Push, PushMessage } from '@almoner/domain/notifications'
import { SECOND } from '@almoner/domain/values'
import { dataOf } from '../data.ts'

/** The namespace of pushes (RFC 9562, 5.5), a character for each byte. It may never change, or a push would change its id. */
const NAMESPACE = Buffer.from('7c9d1d0b5f2e4c7f9a3e2b1d6f4a8c05', 'hex').toString('latin1')

/** By the last two bits of a digit: the two bits that say which variant of UUID it is before them. */
const VARIANT = '89ab'

/**
 * A UUID (version 5) of one notification for one device: the same whenever and by whomever it is sent, so that Apple's logs show a push
 * that went out twice as one (G5).
 */
export const pushIdOf = ({ notificationId, deviceId }: Pick<Push, 'notificationId' | 'deviceId'>): string => {
  // Both ids are ASCII.
  const hex = hash('sha1', Buffer.from(`${NAMESPACE}${notificationId}/${deviceId}`, 'latin1'))
  const fourth = VARIANT.charAt(Number.parseInt(hex.charAt(16), 16) % 4) + hex.slice(17, 20)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${fourth}-${hex.slice(20, 32)}`
}

/**
 * What goes with a push (https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns). The
 * collapse id is the notification's id, a UUID of 36 bytes where Apple takes 64: a device that gets two shows one (G5). Apple keeps it
 * until the notification's end, in seconds, and shows it at once.
 */
export const headersOf = (push: Push, topic: string): Readonly<Record<string, string>> => ({
  'apns-id': pushIdOf(push),
  'apns-collapse-id': push.notificationId,
  'apns-expiration': String(Math.floor(push.endsAt / SECOND)),
  'apns-priority': '10',
  'apns-push-type': 'alert',
  'apns-topic': topic,
})

/** Texts that are there: an empty one would take a line of the banner. */
const present = (texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''))

/**
 * A message in Apple's fields, the data beside `aps` (G6,
 * https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification). With an image to show, the app's extension
 * is given the push first, so that it can fetch the image.
 */
export const payloadOf = ({ title, subtitle, body, data }: PushMessage) => ({
  aps: {
    alert: present({ title, subtitle, body }),
    sound: 'default',
    ...(data.visualUrl !== '' && { 'mutable-content': 1 }),
  },
  ...dataOf({ data }),
})

const kept = new WeakMap<PushMessage, Buffer>()

/** The payload, which Apple limits to 4,096 bytes. Rendered once for all devices. */
export const bodyOf = (message: PushMessage): Buffer => {
  const body = kept.get(message) ?? Buffer.from(JSON.stringify(payloadOf(message)))
  kept.set(message, body)
  return body
}
