import { BROWSER_PUSH_HOSTS } from '@almoner/domain'
import {
  appleName,
  secureOrigin,
  topic,
  vapidPrivateKey,
  vapidPublicKey,
  vapidSubject,
} from './credentials.ts'
import { pushHost, pushWay } from './push.ts'
import { optional, setting } from './setting.ts'
import { choice, listOf, orNone, text, wholeNumber } from './values.ts'

const WEEK = 7 * 24 * 60 * 60

/** The most pushes at a time that a process can be told. */
const MOST_WINDOW = 1000

/**
 * The least pace of FCM: the last of as many pushes as can be under way then waits two seconds for its moment, which leaves FCM more than
 * five of the eight within which a push is answered.
 */
const LEAST_QUOTA = 30 * MOST_WINDOW

/** The settings of pushes and of who carries them. */
export const PUSH_SETTINGS = {
  push: setting({
    name: 'ALMONER_PUSH',
    default: 'log',
    doc: 'Push providers: any of `fcm`, `apns`, `webpush`, separated by commas. Or `log`, which only writes a log line for each push, at every log level; or `file:` and a path, which only appends a line for each push to that file.',
    parse: pushWay,
  }),
  fcmCredentials: optional({
    name: 'ALMONER_FCM_CREDENTIALS',
    doc: 'Path of a service-account file of the Firebase project, from the Google Cloud console. Required for `fcm`.',
    parse: text,
  }),
  fcmUrl: setting({
    name: 'ALMONER_FCM_URL',
    default: 'https://fcm.googleapis.com',
    doc: 'Origin of FCM, https.',
    parse: secureOrigin,
  }),
  fcmQuota: setting({
    name: 'ALMONER_FCM_QUOTA',
    default: '600000',
    doc: `Maximum pushes of this process to FCM per minute, sent evenly, at least ${LEAST_QUOTA}. Divide the project's quota by the number of processes.`,
    parse: wholeNumber(LEAST_QUOTA, 100_000_000),
  }),
  apnsKey: optional({
    name: 'ALMONER_APNS_KEY',
    doc: 'Path of the `.p8` key file for APNs. Required for `apns`, as are the next three.',
    parse: text,
  }),
  apnsKeyId: optional({
    name: 'ALMONER_APNS_KEY_ID',
    doc: 'Key id at Apple, ten characters.',
    parse: appleName,
  }),
  apnsTeamId: optional({
    name: 'ALMONER_APNS_TEAM_ID',
    doc: 'Team id at Apple, ten characters.',
    parse: appleName,
  }),
  apnsTopic: optional({
    name: 'ALMONER_APNS_TOPIC',
    doc: 'Bundle id of the app.',
    parse: topic,
  }),
  apnsUrl: setting({
    name: 'ALMONER_APNS_URL',
    default: 'https://api.push.apple.com',
    doc: 'Origin of APNs, https.',
    parse: secureOrigin,
  }),
  apnsSandboxUrl: setting({
    name: 'ALMONER_APNS_SANDBOX_URL',
    default: 'https://api.sandbox.push.apple.com',
    doc: 'Origin of the APNs sandbox, https; for device tokens with the prefix `apns-sandbox:`.',
    parse: secureOrigin,
  }),
  vapidPublicKey: optional({
    name: 'ALMONER_VAPID_PUBLIC_KEY',
    doc: 'Public VAPID key with which browsers subscribe, raw in base64url. Required for `webpush`, as are the next two.',
    parse: vapidPublicKey,
  }),
  vapidPrivateKey: optional({
    name: 'ALMONER_VAPID_PRIVATE_KEY',
    doc: 'Private VAPID key, raw in base64url.',
    parse: vapidPrivateKey,
  }),
  vapidSubject: optional({
    name: 'ALMONER_VAPID_SUBJECT',
    doc: 'Contact for push services: a `mailto:` or `https:` URL.',
    parse: vapidSubject,
  }),
  webPushHosts: setting({
    name: 'ALMONER_WEBPUSH_HOSTS',
    default: BROWSER_PUSH_HOSTS.join(','),
    doc: 'Allowed hosts of Web Push endpoints: `host` or `*.host`, each with an optional `:port`, separated by commas, or `none`.',
    parse: listOf('none', pushHost),
  }),
  pushCa: optional({
    name: 'ALMONER_PUSH_CA',
    doc: 'Path of PEM certificates that are trusted for providers in addition to the usual ones, for proxies and test servers.',
    parse: text,
  }),
  pushDefault: setting({
    name: 'ALMONER_PUSH_DEFAULT',
    default: 'none',
    doc: 'Provider of device tokens of unknown form: `fcm` or `apns`. With `none` such a device gets no pushes.',
    parse: orNone('none', choice('fcm', 'apns')),
  }),
  pushWindow: setting({
    name: 'ALMONER_PUSH_WINDOW',
    default: '100',
    doc: 'Maximum pushes of this process in flight, up to 1000. A crash can send at most this number twice.',
    parse: wholeNumber(1, MOST_WINDOW),
  }),
  notificationLife: setting({
    name: 'ALMONER_NOTIFICATION_LIFE',
    default: '86400',
    doc: 'Seconds during which sending a notification is retried, from a minute to four weeks.',
    parse: wholeNumber(60, 4 * WEEK),
  }),
}
