import type { Instant } from '@almoner/domain'
import type { Push, PushMessage } from '@almoner/domain/notifications'
import { SECOND } from '@almoner/domain/values'

/** For how long a message may be kept, and what makes a second push of it replace the first. */
type FcmLife = Pick<Push, 'notificationId' | 'endsAt'>

/** Members are left out rather than empty: FCM takes an empty image for an address that is wrong. */
const given = <K extends string>(name: K, value: string): Partial<Record<K, string>> =>
  value === '' ? {} : ({ [name]: value } as Record<K, string>)

/** Where a platform has no place for a subtitle, it comes before the body. */
const withSubtitle = ({ subtitle, body }: PushMessage): string =>
  [subtitle, body].filter((text) => text !== '').join('\n')

/** At most 32 characters of the URL-safe alphabet (https://www.rfc-editor.org/rfc/rfc8030#section-5.4): a UUID without its hyphens. */
const topicOf = (id: string): string => id.replaceAll('-', '')

/** `notification`: what every platform starts from. */
const notificationOf = ({ title, body, data }: PushMessage) => ({
  title,
  ...given('body', body),
  ...given('image', data.visualUrl),
})

/** What Android shows otherwise than the rest. An icon is a resource of the app there, so ours travels in the data. */
const androidNotification = (message: PushMessage) => ({
  ...(message.subtitle !== '' && { body: withSubtitle(message) }),
  color: message.data.color,
  tag: message.data.notificationId,
})

/** What goes to APNs. An image wants the app's extension, which `mutable-content` wakes. */
const apnsPayload = ({ title, subtitle, body, data }: PushMessage) => ({
  aps: {
    alert: { title, ...given('subtitle', subtitle), ...given('body', body) },
    sound: 'default',
    ...(data.visualUrl !== '' && { 'mutable-content': 1 }),
  },
})

/** What a browser's service worker is given to show; a click finds the data there too. */
const webpushNotification = (message: PushMessage) => ({
  ...(message.subtitle !== '' && { body: withSubtitle(message) }),
  ...given('icon', message.data.iconUrl),
  ...given('image', message.data.visualUrl),
  tag: message.data.notificationId,
  data: message.data,
})

/** "For all URL values, HTTPS is required" (WebpushFcmOptions of the reference). */
const linkOf = (actionUrl: string): string => (/^https:/i.test(actionUrl) ? actionUrl : '')

/** `fcm_options` of the web, empty without a link that it may hold. */
const webpushOptions = ({ data }: PushMessage) => given('link', linkOf(data.actionUrl))

/** `fcm_options` of APNs, empty without an image. */
const apnsOptions = ({ data }: PushMessage) => given('image', data.visualUrl)

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

/** Whom a message is for; `fid` is the Firebase installation id. */
export type FcmTarget = { readonly token: string } | { readonly fid: string } | { readonly topic: string }

/** What FCM keeps no longer than: "between 0 and 2,419,200 (4 weeks)" (https://firebase.google.com/docs/reference/fcm/rest/v1/ErrorCode). */
const LONGEST = 2_419_200

/** Whole seconds that are left. */
const secondsLeft = (endsAt: Instant, now: Instant): number =>
  Math.min(LONGEST, Math.max(0, Math.floor((endsAt - now) / SECOND)))

/** The parts of a message that are the same for all devices within a second. */
interface Rendered extends FcmLife {
  readonly left: number
  readonly json: string
}

/**
 * Gives the JSON of requests, `{"message":{…}}`. All but the target is put into JSON once for all devices that get the same within a second:
 * doing so for each would take as long as sending it.
 */
export const makeRenderer = () => {
  const kept = new WeakMap<PushMessage, Rendered>()

  const render = (message: PushMessage, { notificationId, endsAt }: FcmLife, left: number): Rendered => {
    const found = kept.get(message)
    if (found?.left === left && found.notificationId === notificationId && found.endsAt === endsAt)
      return found
    const json = JSON.stringify(fcmContent(message, { notificationId, endsAt }, left))
    const rendered = { notificationId, endsAt, left, json }
    kept.set(message, rendered)
    return rendered
  }

  return (target: FcmTarget, message: PushMessage, life: FcmLife, now: Instant): string => {
    const { json } = render(message, life, secondsLeft(life.endsAt, now))
    // Both are objects that are not empty.
    return `{"message":${JSON.stringify(target).slice(0, -1)},${json.slice(1)}}`
  }
}

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
