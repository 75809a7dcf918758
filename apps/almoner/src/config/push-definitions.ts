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
    doc: 'How pushes go out: any of `fcm`, `apns`, `webpush`, with commas between them; or `log`, one line each in the log, at any log level; or `file:` and the path of a file that gets a line for each. The last two send nothing.',
    parse: pushWay,
  }),
  fcmCredentials: optional({
    name: 'ALMONER_FCM_CREDENTIALS',
    doc: 'Path of a service-account file of the Firebase project, as the Google Cloud console gives it out; for `fcm`.',
    parse: text,
  }),
  fcmUrl: setting({
    name: 'ALMONER_FCM_URL',
    default: 'https://fcm.googleapis.com',
    doc: 'Where FCM is, an https origin.',
    parse: secureOrigin,
  }),
  fcmQuota: setting({
    name: 'ALMONER_FCM_QUOTA',
    default: '600000',
    doc: `Most pushes of this process to FCM in a minute, sent evenly, ${LEAST_QUOTA} at least: the project's quota, divided by the processes.`,
    parse: wholeNumber(LEAST_QUOTA, 100_000_000),
  }),
  apnsKey: optional({
    name: 'ALMONER_APNS_KEY',
    doc: 'Path of the `.p8` file of a key for APNs; for `apns`, as the next three.',
    parse: text,
  }),
  apnsKeyId: optional({
    name: 'ALMONER_APNS_KEY_ID',
    doc: 'The ten characters that Apple names the key by.',
    parse: appleName,
  }),
  apnsTeamId: optional({
    name: 'ALMONER_APNS_TEAM_ID',
    doc: 'The ten characters that Apple names the team by.',
    parse: appleName,
  }),
  apnsTopic: optional({
    name: 'ALMONER_APNS_TOPIC',
    doc: 'The bundle id of the app.',
    parse: topic,
  }),
  apnsUrl: setting({
    name: 'ALMONER_APNS_URL',
    default: 'https://api.push.apple.com',
    doc: 'Where APNs is, an https origin.',
    parse: secureOrigin,
  }),
  apnsSandboxUrl: setting({
    name: 'ALMONER_APNS_SANDBOX_URL',
    default: 'https://api.sandbox.push.apple.com',
    doc: 'Where the sandbox of APNs is, an https origin; for device tokens with the prefix `apns-sandbox:`.',
    parse: secureOrigin,
  }),
  vapidPublicKey: optional({
    name: 'ALMONER_VAPID_PUBLIC_KEY',
    doc: 'The public key that browsers subscribe with, raw in base64url; for `webpush`, as the next two.',
    parse: vapidPublicKey,
  }),
  vapidPrivateKey: optional({
    name: 'ALMONER_VAPID_PRIVATE_KEY',
    doc: 'The private key that goes with it, raw in base64url.',
    parse: vapidPrivateKey,
  }),
  vapidSubject: optional({
    name: 'ALMONER_VAPID_SUBJECT',
    doc: 'Where a push service may ask who sends: a `mailto:` or `https:` address.',
    parse: vapidSubject,
  }),
  webPushHosts: setting({
    name: 'ALMONER_WEBPUSH_HOSTS',
    default: BROWSER_PUSH_HOSTS.join(','),
    doc: 'Where endpoints of Web Push may be: `host` or `*.host`, each with an optional `:port`, with commas between them, or `none`.',
    parse: listOf('none', pushHost),
  }),
  pushCa: optional({
    name: 'ALMONER_PUSH_CA',
    doc: 'Path of certificates (PEM) that are trusted at the addresses of the providers beside the usual ones, for proxies and rehearsals.',
    parse: text,
  }),
  pushDefault: setting({
    name: 'ALMONER_PUSH_DEFAULT',
    default: 'none',
    doc: 'Provider of device tokens that tell none: `fcm` or `apns`; with `none` such a device gets no pushes.',
    parse: orNone('none', choice('fcm', 'apns')),
  }),
  pushWindow: setting({
    name: 'ALMONER_PUSH_WINDOW',
    default: '100',
    doc: 'Most pushes of this process at a time, up to 1000, and the most that a crash can send twice.',
    parse: wholeNumber(1, MOST_WINDOW),
  }),
  notificationLife: setting({
    name: 'ALMONER_NOTIFICATION_LIFE',
    default: '86400',
    doc: 'Seconds during which a notification is tried again, from a minute to four weeks.',
    parse: wholeNumber(60, 4 * WEEK),
  }),
}
