import type { ScriptedResponse } from '../server/answer.ts'
import { isRecord, type Json } from '../server/json.ts'
import { badField, failure, fcmError, messageTooBig } from './answers.ts'
import { FIELDS, TARGETS } from './fields.ts'

/** "4096 bytes for most messages, or 2048 bytes in the case of messages to topics", "keys and the values" (ErrorCode). */
const MOST = { device: 4096, topic: 2048 } as const
/** "a key (such as from, or gcm, or any value prefixed by google)" (ErrorCode). */
const RESERVED = /^(?:from$|gcm$|google)/
/** Seconds, up to nine digits after the point, and an `s`; "between 0 and 2,419,200 (4 weeks)" (ErrorCode). */
const DURATION = /^(\d+)(?:\.\d{1,9})?s$/
const FOUR_WEEKS = 2_419_200
/** "in #rrggbb format" (AndroidNotification). */
const COLOUR = /^#[0-9a-f]{6}$/i

type Level = keyof typeof FIELDS

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The first name that does not belong there. */
const unknownName = (value: unknown, level: Level, path: string): ScriptedResponse | undefined => {
  if (value === undefined) return undefined
  if (!isRecord(value)) return badField(path, `Invalid value at '${path}'`)
  const known: ReadonlyArray<string> = FIELDS[level]
  const strange = Object.keys(value).find((name) => !known.includes(snake(name)))
  return strange === undefined
    ? undefined
    : badField(
        path,
        `Invalid JSON payload received. Unknown name "${strange}" at '${path}': Cannot find field.`,
      )
}

const get = (value: unknown, name: string): unknown => {
  if (!isRecord(value)) return undefined
  return value[Object.keys(value).find((key) => snake(key) === name) ?? name]
}

const badData = (data: unknown, path: string): ScriptedResponse | undefined => {
  if (data === undefined) return undefined
  if (!isRecord(data)) return badField(path, `Invalid value at '${path}'`)
  const entries = Object.entries(data)
  const place = entries.findIndex(([, value]) => typeof value !== 'string')
  if (place >= 0) {
    const field = `${path}[${place}].value`
    return badField(
      field,
      `Invalid value at '${field}' (TYPE_STRING), ${JSON.stringify(entries[place]?.[1])}`,
    )
  }
  const reserved = entries.find(([key]) => RESERVED.test(key))?.[0]
  return reserved === undefined ? undefined : badField(path, `Invalid data payload key: ${reserved}`)
}

const badAndroid = (android: unknown): ScriptedResponse | undefined => {
  const ttl = get(android, 'ttl')
  const seconds = typeof ttl === 'string' ? DURATION.exec(ttl)?.[1] : undefined
  if (ttl !== undefined && (seconds === undefined || Number(seconds) > FOUR_WEEKS))
    return badField('message.android.ttl', 'Invalid value at message.android.ttl')
  const priority = get(android, 'priority')
  if (priority !== undefined && !/^(?:normal|high)$/i.test(String(priority)))
    return badField('message.android.priority', `Invalid value at 'message.android.priority', "${priority}"`)
  const colour = get(get(android, 'notification'), 'color')
  return colour === undefined || COLOUR.test(String(colour))
    ? undefined
    : badField(
        'message.android.notification.color',
        'Invalid color specified. Color must be in the form #RRGGBB.',
      )
}

/** Keys and values that are texts, as UTF-8. */
const bytesOf = (...values: ReadonlyArray<unknown>): number =>
  values
    .filter(isRecord)
    .flatMap(Object.entries<unknown>)
    .reduce(
      (sum, [key, value]) =>
        sum + Buffer.byteLength(key) + (typeof value === 'string' ? Buffer.byteLength(value) : 0),
      0,
    )

const targetsOf = (message: Json): ReadonlyArray<(typeof TARGETS)[number]> =>
  TARGETS.filter((name) => message[name] !== undefined)

const badTarget = (message: Json): ScriptedResponse | undefined => {
  const [target, second] = targetsOf(message)
  // "Recipient of the message is not set" (https://bloomberg.github.io/pushiko/fcm_responses).
  if (target === undefined) return badField('message', 'Recipient of the message is not set.')
  if (second !== undefined)
    return badField(
      'message',
      `Invalid value at 'message' (oneof), oneof field 'target' is already set. Cannot set '${second}'`,
    )
  return typeof message[target] === 'string' && message[target] !== ''
    ? undefined
    : fcmError('INVALID_ARGUMENT')
}

const tooBig = (message: Json): ScriptedResponse | undefined => {
  const android = get(message, 'android')
  const bytes = bytesOf(
    message['data'],
    message['notification'],
    get(android, 'data'),
    get(android, 'notification'),
  )
  const most = message['topic'] === undefined ? MOST.device : MOST.topic
  return bytes > most ? messageTooBig() : undefined
}

/** What a message is for; empty where it does not say. */
export const targetOf = (body: unknown): string => {
  const message = get(body, 'message')
  if (!isRecord(message)) return ''
  const target = message[targetsOf(message)[0] ?? '']
  return typeof target === 'string' ? target : ''
}

/** What FCM has against the body of a request (https://firebase.google.com/docs/reference/fcm/rest/v1/ErrorCode, INVALID_ARGUMENT). */
export const refuseMessage = (body: unknown): ScriptedResponse | undefined => {
  if (!isRecord(body)) return failure(400, 'INVALID_ARGUMENT', 'Invalid JSON payload received.')
  const message = body['message']
  if (!isRecord(message)) return badField('message', 'Message is missing.')
  const android = message['android']
  return (
    unknownName(body, 'request', '') ??
    unknownName(message, 'message', 'message') ??
    unknownName(message['notification'], 'notification', 'message.notification') ??
    unknownName(android, 'android', 'message.android') ??
    unknownName(get(android, 'notification'), 'androidNotification', 'message.android.notification') ??
    unknownName(message['apns'], 'apns', 'message.apns') ??
    unknownName(message['webpush'], 'webpush', 'message.webpush') ??
    badTarget(message) ??
    badData(message['data'], 'message.data') ??
    badData(get(android, 'data'), 'message.android.data') ??
    badAndroid(android) ??
    tooBig(message)
  )
}
