import type { PushMessage } from '@almoner/domain/notifications'
import { dataOf } from '../data.ts'

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

const kept = new WeakMap<PushMessage, string>()

/** The payload, which Apple limits to 4,096 bytes. Rendered once for all devices. */
export const bodyOf = (message: PushMessage): string => {
  const body = kept.get(message) ?? JSON.stringify(payloadOf(message))
  kept.set(message, body)
  return body
}
