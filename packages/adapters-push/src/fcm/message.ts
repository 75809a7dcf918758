import type { Push, PushMessage } from '@almoner/domain/notifications'
import { SECOND } from '@almoner/domain/values'

/** For how long a message may be kept, and what makes a second push of it replace the first. */
export type FcmLife = Pick<Push, 'notificationId' | 'endsAt'>

/** Members are left out rather than empty: FCM takes an empty image for an address that is wrong. */
const given = <K extends string>(name: K, value: string): Partial<Record<K, string>> =>
  value === '' ? {} : ({ [name]: value } as Record<K, string>)

/** Where a platform has no place for a subtitle, it comes before the body. */
const withSubtitle = ({ subtitle, body }: PushMessage): string =>
  [subtitle, body].filter((text) => text !== '').join('\n')

/** At most 32 characters of the URL-safe alphabet (https://www.rfc-editor.org/rfc/rfc8030#section-5.4): a UUID without its hyphens. */
const topicOf = (id: string): string => id.replaceAll('-', '')

/** `notification`: what every platform starts from. */
export const notificationOf = ({ title, body, data }: PushMessage) => ({
  title,
  ...given('body', body),
  ...given('image', data.visualUrl),
})

/** What Android shows otherwise than the rest. An icon is a resource of the app there, so ours travels in the data. */
export const androidNotification = (message: PushMessage) => ({
  ...(message.subtitle !== '' && { body: withSubtitle(message) }),
  color: message.data.color,
  tag: message.data.notificationId,
})

/** What goes to APNs. An image wants the app's extension, which `mutable-content` wakes. */
export const apnsPayload = ({ title, subtitle, body, data }: PushMessage) => ({
  aps: {
    alert: { title, ...given('subtitle', subtitle), ...given('body', body) },
    sound: 'default',
    ...(data.visualUrl !== '' && { 'mutable-content': 1 }),
  },
})

/** What a browser's service worker is given to show; a click finds the data there too. */
export const webpushNotification = (message: PushMessage) => ({
  ...(message.subtitle !== '' && { body: withSubtitle(message) }),
  ...given('icon', message.data.iconUrl),
  ...given('image', message.data.visualUrl),
  tag: message.data.notificationId,
  data: message.data,
})

/** "For all URL values, HTTPS is required" (WebpushFcmOptions of the reference). */
const linkOf = (actionUrl: string): string => (/^https:/i.test(actionUrl) ? actionUrl : '')

/** `fcm_options` of the web, empty without a link that it may hold. */
export const webpushOptions = ({ data }: PushMessage) => given('link', linkOf(data.actionUrl))

/** `fcm_options` of APNs, empty without an image. */
export const apnsOptions = ({ data }: PushMessage) => given('image', data.visualUrl)

/**
 * Returns a message of FCM HTTP v1 without its recipient (G6, https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages). It
 * covers Android, iPhones and browsers, because only FCM knows the kind of a token.
 * @param left seconds for which it may be stored
 */
export const fcmContent = (message: PushMessage, { notificationId, endsAt }: FcmLife, left: number) => {
  const web = webpushOptions(message)
  const apple = apnsOptions(message)
  return {
    notification: notificationOf(message),
    data: message.data,
    android: {
      ttl: `${left}s`,
      collapse_key: notificationId,
      notification: androidNotification(message),
    },
    apns: {
      headers: {
        'apns-expiration': String(Math.max(0, Math.floor(endsAt / SECOND))),
        'apns-collapse-id': notificationId,
      },
      payload: apnsPayload(message),
      ...('image' in apple && { fcm_options: apple }),
    },
    webpush: {
      headers: { TTL: String(left), Topic: topicOf(notificationId) },
      notification: webpushNotification(message),
      ...('link' in web && { fcm_options: web }),
    },
  }
}
