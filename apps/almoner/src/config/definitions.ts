import { BROWSER_PUSH_HOSTS, Colour, TimeZone } from '@almoner/domain'
import { databasePlace } from './database-url.ts'
import { mediaPlace, mediaServing } from './media.ts'
import { baseUrl, host, metricsPlace, network, origin, secureOrigin } from './network.ts'
import { iconUrl, pushHost, pushWay } from './push.ts'
import { optional, type Setting, setting } from './setting.ts'
import {
  choice,
  either,
  listOf,
  matching,
  ofDomain,
  orNone,
  rate,
  text,
  wholeNumber,
  years,
} from './values.ts'

const HOUR = 60 * 60
const WEEK = 7 * 24 * HOUR
const YEAR = 365 * 24 * HOUR

/** The most days for which data can be stored, other than for ever. */
const LONGEST_DAYS = 36_500

/** The most pushes at a time of one process. */
const MOST_WINDOW = 1000

/** The lowest quota of FCM: the last push in flight then waits two seconds, which leaves FCM five of the eight of its time limit. */
const LEAST_QUOTA = 30 * MOST_WINDOW

/** The name of a key or a team of Apple. */
const appleName = matching(/^[A-Z0-9]{10}$/, 'must be ten capital letters and digits')
const topic = matching(/^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+$/, 'must be a bundle id such as org.example.app')
/** The uncompressed point. */
const vapidPublicKey = matching(/^B[\w-]{86}$/, 'must be 65 bytes in base64url, which begin with B')
const vapidPrivateKey = matching(/^[\w-]{43}$/, 'must be 32 bytes in base64url')
const vapidSubject = matching(
  /^(?:mailto:[^@\s]+@[^@\s]+|https:\/\/\S+)$/,
  'must be an address such as mailto:push@example.org or https://example.org',
)

/** Every setting, in the order of the docs. Validation, `serve --help` and docs/operations.md read this list. */
// biome-ignore format: a table, with two lines a setting
export const SETTINGS = {
  database: setting('ALMONER_DATABASE', 'sqlite:./data/almoner.db', databasePlace,
    'The database: `sqlite:` and the path of its file, which is made when missing; or `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, with commas between several `HOST:PORT` of which one takes writes, and `?sslmode=` `disable`, `require`, `verify-ca` or `verify-full`, `&sslrootcert=` a file.'),
  media: setting('ALMONER_MEDIA', 'file:./data/media', mediaPlace,
    'Where images are stored: `file:` and the path of a folder, which is made when missing; or `s3://BUCKET/PREFIX`, with `?endpoint=` the origin of a store that is not AWS and `&region=`; credentials by the usual AWS variables.'),
  mediaServe: setting('ALMONER_MEDIA_SERVE', 'proxy', mediaServing,
    'How images in a bucket reach their readers: `proxy`, through the service; `signed`, redirected to addresses that last five minutes; `public:` and a URL, redirected to below it. SVGs always go through the service.'),
  host: setting('ALMONER_HOST', '127.0.0.1', host,
    'Address to listen on. `0.0.0.0` or `::` for all.'),
  port: setting('ALMONER_PORT', '3000', wholeNumber(0, 65_535),
    'Port to listen on. 0: any free one; the `listening` line tells which.'),
  baseUrl: optional('ALMONER_BASE_URL', 'http://HOST:PORT', baseUrl,
    'Address under which clients reach the service, without query; every absolute URL given out begins with it.'),
  workers: setting('ALMONER_WORKERS', '1', wholeNumber(1, 64),
    'Processes that share the port, up to 64, one a core at best; with more than one, another process looks after them.'),
  cache: setting('ALMONER_CACHE', '32', wholeNumber(0, 1024),
    'MiB of answers that each process keeps ready until something is written, up to 1024. 0: none.'),
  drain: setting('ALMONER_DRAIN', '0', wholeNumber(0, 60),
    'Seconds from being told to stop during which requests are still taken and `/health/ready` is 503, so that a balancer sends no more; up to 60.'),
  timeZone: setting('ALMONER_TIME_ZONE', 'UTC', ofDomain(TimeZone),
    'IANA time zone in which "today" is counted.'),
  embargo: setting('ALMONER_EMBARGO', 'false', either('true', 'false'),
    '`true` hides Live library items from users and donors until their publication date.'),
  tokenTtl: setting('ALMONER_TOKEN_TTL', '3600', wholeNumber(1, YEAR),
    'Seconds that an access token lives, up to a year.'),
  joinedYears: setting('ALMONER_JOINED_YEARS', '2015-2018', years,
    'Years that `joined` may ask for, first and last, or one year.'),
  reviewEvery: setting('ALMONER_REVIEW_EVERY', '60', wholeNumber(1, HOUR),
    'Seconds from one review of the notifications to the next, up to an hour.'),
  review: setting('ALMONER_REVIEW', 'on', either('on', 'off'),
    '`off`: this process reviews no notifications; another one has to.'),
  push: setting('ALMONER_PUSH', 'log', pushWay,
    'How pushes go out: any of `fcm`, `apns`, `webpush`, with commas between them; or `log`, a line for each in the log, whatever its level; or `file:` and the path of a file that gets a line for each. The last two send nothing.'),
  fcmCredentials: optional('ALMONER_FCM_CREDENTIALS', '""', text,
    'Path of a service-account file of the Firebase project, as the Google Cloud console gives it out; for `fcm`.'),
  fcmUrl: setting('ALMONER_FCM_URL', 'https://fcm.googleapis.com', secureOrigin,
    'Where FCM is, an https origin.'),
  fcmQuota: setting('ALMONER_FCM_QUOTA', '600000', wholeNumber(LEAST_QUOTA, 100_000_000),
    `Most pushes of this process to FCM in a minute, sent evenly, ${LEAST_QUOTA} at least: the project's quota, divided by the processes.`),
  apnsKey: optional('ALMONER_APNS_KEY', '""', text,
    'Path of the `.p8` file of a key for APNs; for `apns`, as the next three.'),
  apnsKeyId: optional('ALMONER_APNS_KEY_ID', '""', appleName,
    'The ten characters that Apple names the key by.'),
  apnsTeamId: optional('ALMONER_APNS_TEAM_ID', '""', appleName,
    'The ten characters that Apple names the team by.'),
  apnsTopic: optional('ALMONER_APNS_TOPIC', '""', topic,
    'The bundle id of the app.'),
  apnsUrl: setting('ALMONER_APNS_URL', 'https://api.push.apple.com', secureOrigin,
    'Where APNs is, an https origin.'),
  apnsSandboxUrl: setting('ALMONER_APNS_SANDBOX_URL', 'https://api.sandbox.push.apple.com', secureOrigin,
    'Where the sandbox of APNs is, an https origin; for device tokens with the prefix `apns-sandbox:`.'),
  vapidPublicKey: optional('ALMONER_VAPID_PUBLIC_KEY', '""', vapidPublicKey,
    'The public key that browsers subscribe with, raw in base64url; for `webpush`, as the next two.'),
  vapidPrivateKey: optional('ALMONER_VAPID_PRIVATE_KEY', '""', vapidPrivateKey,
    'The private key that goes with it, raw in base64url.'),
  vapidSubject: optional('ALMONER_VAPID_SUBJECT', '""', vapidSubject,
    'Where a push service may ask who sends: a `mailto:` or `https:` address.'),
  webPushHosts: setting('ALMONER_WEBPUSH_HOSTS', BROWSER_PUSH_HOSTS.join(','), listOf('none', pushHost),
    'Where endpoints of Web Push may be: `host` or `*.host`, each with an optional `:port`, with commas between them, or `none`.'),
  pushCa: optional('ALMONER_PUSH_CA', '""', text,
    'Path of certificates (PEM) that are trusted at the addresses of the providers beside the usual ones, for proxies and rehearsals.'),
  pushDefault: setting('ALMONER_PUSH_DEFAULT', 'none', orNone('none', choice('fcm', 'apns')),
    'Provider of device tokens that tell none: `fcm` or `apns`; with `none` such a device gets no pushes.'),
  pushWindow: setting('ALMONER_PUSH_WINDOW', '100', wholeNumber(1, MOST_WINDOW),
    'Most pushes of this process at a time, up to 1000, and the most that a crash can send twice.'),
  notificationLife: setting('ALMONER_NOTIFICATION_LIFE', '86400', wholeNumber(60, 4 * WEEK),
    'Seconds during which a notification is tried again, from a minute to four weeks.'),
  deliveryDays: setting('ALMONER_DELIVERY_DAYS', '90', wholeNumber(1, LONGEST_DAYS),
    'Days after the end of a notification for which it is stored which device got it, from 1 to 36500; the totals of the delivery report stay.'),
  notificationDays: setting('ALMONER_NOTIFICATION_DAYS', 'keep', orNone('keep', wholeNumber(1, LONGEST_DAYS)),
    'Days after which a notification that has ended is deleted, from 1 to 36500, or `keep`.'),
  iconUrl: optional('ALMONER_ICON_URL', '""', iconUrl,
    'Address of the picture that goes with every notification; none when empty.'),
  color: setting('ALMONER_COLOR', '#1F4E79', ofDomain(Colour),
    'Colour of every notification, as `#RRGGBB`.'),
  rateLimit: setting('ALMONER_RATE_LIMIT', 'off', orNone('off', rate),
    'Most requests of one client in a minute that each process answers, as `600/min`, or `off`.'),
  maxDelay: setting('ALMONER_MAX_DELAY', '500', wholeNumber(0, 60_000),
    'Milliseconds that requests may have to wait for others before some get 503 with `Retry-After`, up to 60000; health and `/metrics` answer all the same. 0: however long.'),
  trustProxy: setting('ALMONER_TRUST_PROXY', 'off', listOf('off', network),
    'Proxies whose `X-Forwarded-*` headers are believed: addresses and networks with commas between them, or `off`.'),
  corsOrigins: setting('ALMONER_CORS_ORIGINS', 'none', listOf('none', origin),
    'Web origins whose pages may call the service from a browser, with commas between them, or `none`.'),
  metrics: setting('ALMONER_METRICS', 'on', metricsPlace,
    '`/metrics` for Prometheus, without a token: `on` (the main port), `HOST:PORT` (a port of its own), or `off`.'),
  logLevel: setting('ALMONER_LOG_LEVEL', 'info', choice('trace', 'debug', 'info', 'warn', 'error', 'fatal'),
    'Least severe log lines that are written: `trace`, `debug`, `info`, `warn`, `error` or `fatal`.'),
}

/** All settings, parsed. */
export type Settings = {
  readonly [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K] extends Setting<infer A> ? A : never
}

export const ALL_SETTINGS: ReadonlyArray<Setting<unknown>> = Object.values(SETTINGS)
