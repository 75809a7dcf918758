import type { PushMessage } from '@almoner/domain/notifications'
import {
  androidNotification,
  apnsOptions,
  apnsPayload,
  notificationOf,
  webpushNotification,
  webpushOptions,
} from './message.ts'

const utf8 = (text: string): number => Buffer.byteLength(text)

/** "This includes both the keys and the values" (https://firebase.google.com/docs/reference/fcm/rest/v1/ErrorCode). */
const keysAndValues = (...fields: ReadonlyArray<Readonly<Record<string, string>>>): number =>
  fields.flatMap((each) => Object.entries(each)).reduce((sum, entry) => sum + utf8(entry.join('')), 0)

const json = (value: unknown): number => utf8(JSON.stringify(value))

/**
 * What FCM counts of a message against its 4,096 bytes (G6): on Android keys and values, elsewhere the JSON that it makes for APNs or
 * for a browser. The greatest counts, because a token does not say which of them it is for.
 */
export const bytesOf = (message: PushMessage): number => {
  const { data } = message
  const notification = notificationOf(message)
  return Math.max(
    keysAndValues(data, notification, androidNotification(message)),
    json({ ...apnsPayload(message), ...data, fcm_options: apnsOptions(message) }),
    json({
      notification: { ...notification, ...webpushNotification(message) },
      data,
      fcmOptions: webpushOptions(message),
    }),
  )
}
