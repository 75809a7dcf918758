import type { Policy } from '@almoner/domain'
import { readDonorClaim } from '@almoner/domain/access'
import { Issuer, PreviewUrl } from '@almoner/domain/managers'
import { BROWSER_PUSH_HOSTS } from '@almoner/domain/people'
import { Colour, TimeZone } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import type { HttpsProxy } from '../composition/node.ts'
import {
  choice,
  duration,
  either,
  integer,
  listOf,
  matching,
  ofDomain,
  orNone,
  text,
} from '../composition/node.ts'
import { databaseLocation, mediaLocation, mediaServing, serverPlace, standbyPlaces } from './media.ts'
import { baseUrl, emailDomain, host, metricsLocation, network, origin, secureOrigin } from './network.ts'
import { iconUrl, pushHost, pushWay } from './push.ts'
import { optional, poolSize, rate, type Setting, setting, waits, years } from './setting.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const WEEK = 7 * DAY
const YEAR = 365 * DAY

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
  database: setting('ALMONER_DATABASE', 'sqlite:./data/almoner.db', databaseLocation,
    'Database. `sqlite:` and the path of the file, which is created if missing; or `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, with several `HOST:PORT` separated by commas if one of them accepts writes, `?sslmode=` (`disable`, `require`, `verify-ca` or `verify-full`) and `&sslrootcert=` (a file).'),
  databasePool: setting('ALMONER_DATABASE_POOL', '8,8', poolSize,
    'PostgreSQL: connections of each process for requests, and as many more for streamed collections, from 1 to 500. One more listens.'),
  databaseListen: optional('ALMONER_DATABASE_LISTEN', '""', serverPlace,
    'PostgreSQL: where the connection that listens leads, past a pooler in transaction mode that `ALMONER_DATABASE` names.'),
  databaseReads: setting('ALMONER_DATABASE_READS', 'none', standbyPlaces,
    'PostgreSQL: standbys that answer reads: addresses, separated by commas, or `none`.'),
  readsLag: setting('ALMONER_READS_LAG', '5s', duration(1, HOUR),
    'How far behind a standby may be, from `1s` to `1h`.'),
  media: setting('ALMONER_MEDIA', 'file:./data/media', mediaLocation,
    'Image storage. `file:` and the path of a folder, which is created if missing and may be a mount (SMB, FUSE: one warning where it cannot flush folders; `doctor` tries it out); or `s3://BUCKET/PREFIX`, with `?endpoint=` (the URL of a store other than AWS) and `&region=`. Credentials come from the usual AWS variables.'),
  mediaServe: setting('ALMONER_MEDIA_SERVE', 'proxy', mediaServing,
    'How images in a bucket are served: `proxy`, by the service; `signed`, by redirects to URLs that are valid for five minutes; `public:` and a URL, by redirects below that URL. SVGs are always served by the service.'),
  host: setting('ALMONER_HOST', '127.0.0.1', host,
    'Address to listen on. `0.0.0.0` or `::` for all.'),
  port: setting('ALMONER_PORT', '3000', integer(0, 65_535),
    'Port to listen on. 0 selects a free port, which the log line `listening` contains.'),
  baseUrl: optional('ALMONER_BASE_URL', 'http://HOST:PORT', baseUrl,
    'Public URL of the service, without query. All absolute URLs in responses begin with it. It may have a path, which the proxy hands on or takes off.'),
  workers: setting('ALMONER_WORKERS', '1', integer(1, 64),
    'Number of worker processes that share the port, up to 64; at most one per core is useful. Above 1, a primary process manages them.'),
  cache: setting('ALMONER_CACHE', '32', integer(0, 1024),
    'Size of the response cache of each process in MiB, up to 1024. 0 switches it off.'),
  accelerators: setting('ALMONER_ACCELERATORS', 'on', either('on', 'off'),
    '`off` serves without response cache, item cache and offset index, to find out whether one of them is at fault.'),
  console: setting('ALMONER_CONSOLE', 'on', either('on', 'off'),
    '`off` serves without the console under `/console`.'),
  consoleSignIn: setting('ALMONER_CONSOLE_SIGN_IN', 'passkey', listOf('none', choice('passkey', 'oidc', 'password')),
    'Ways to sign in to the console besides one-time links: any of `passkey`, `oidc`, `password` (always with the code of an app), separated by commas, or `none`.'),
  oidcIssuer: optional('ALMONER_OIDC_ISSUER', '""', ofDomain(Issuer),
    'URL of the OpenID provider, https. Required for `oidc`, as are the next two.'),
  oidcClientId: optional('ALMONER_OIDC_CLIENT_ID', '""', text,
    'Client id of this service at the OpenID provider.'),
  oidcClientSecret: optional('ALMONER_OIDC_CLIENT_SECRET', '""', text,
    'Client secret of this service at the OpenID provider.'),
  oidcDomains: setting('ALMONER_OIDC_DOMAINS', 'none', listOf('none', emailDomain),
    'Domains of the addresses with which managers may sign in at the OpenID provider for the first time, separated by commas, or `none` for all.'),
  oidcTrustEmail: setting('ALMONER_OIDC_TRUST_EMAIL', 'false', either('true', 'false'),
    '`true` links accounts whose address the OpenID provider does not state to be verified. The claim `xms_edov` of Entra ID counts then too. Set it only if people cannot choose their address there. A provider that states `email_verified: false` is refused in any case.'),
  userIssuer: optional('ALMONER_USER_ISSUER', '""', ofDomain(Issuer),
    'Issuer of ID tokens (A10), exactly as they name it; https. Needs the next one.'),
  userAudience: setting('ALMONER_USER_AUDIENCE', 'none', listOf('none', text),
    'Their audiences, separated by commas, or `none`.'),
  userDonorClaim: optional('ALMONER_USER_DONOR_CLAIM', '""', readDonorClaim,
    'Claim for the scope `user-donor`: `name` or `name=value`.'),
  drain: setting('ALMONER_DRAIN', '0', integer(0, 60),
    'Seconds after a stop signal during which the server still accepts requests and `/health/ready` is 503, so that load balancers can notice; up to 60.'),
  timeZone: setting('ALMONER_TIME_ZONE', 'UTC', ofDomain(TimeZone),
    'IANA time zone that defines "today".'),
  embargo: setting('ALMONER_EMBARGO', 'false', either('true', 'false'),
    '`true` hides Live library items from users and donors until their publication date.'),
  tokenTtl: setting('ALMONER_TOKEN_TTL', '3600', integer(1, YEAR),
    'Lifetime of access tokens in seconds, up to a year.'),
  previewUrl: optional('ALMONER_PREVIEW_URL', '""', ofDomain(PreviewUrl),
    'Page of the app that shows an item before readers see it (A11): an https URL with `{kind}`, `{id}` and, behind `#`, `{token}`; or a URL of the app’s own scheme.'),
  sessionIdle: setting('ALMONER_SESSION_IDLE', '8h', duration(5 * MINUTE, 30 * DAY),
    'Time after which an unused session of the console ends, such as `30m` or `8h`; from 5 minutes to 30 days.'),
  sessionLife: setting('ALMONER_SESSION_LIFE', '14d', duration(5 * MINUTE, YEAR),
    'Time after which every session of the console ends, such as `14d`; from 5 minutes to a year.'),
  joinedYears: setting('ALMONER_JOINED_YEARS', '2015-2018', years,
    'Years that the parameter `joined` accepts: first and last, or one year.'),
  reviewEvery: setting('ALMONER_REVIEW_EVERY', '60', integer(1, HOUR),
    'Seconds between periodic reviews of notifications, up to an hour.'),
  review: setting('ALMONER_REVIEW', 'on', either('on', 'off'),
    '`off`: this process does not review notifications; another one must.'),
  push: setting('ALMONER_PUSH', 'log', pushWay,
    'Push providers: any of `fcm`, `apns`, `webpush`, separated by commas. Or `log`, which only writes a log line for each push, at every log level; or `file:` and a path, which only appends a line for each push to that file.'),
  fcmCredentials: optional('ALMONER_FCM_CREDENTIALS', '""', text,
    'Path of a service-account file of the Firebase project, from the Google Cloud console. Required for `fcm`.'),
  fcmUrl: setting('ALMONER_FCM_URL', 'https://fcm.googleapis.com', secureOrigin,
    'Origin of FCM, https.'),
  fcmQuota: setting('ALMONER_FCM_QUOTA', '600000', integer(LEAST_QUOTA, 100_000_000),
    `Maximum pushes of this process to FCM per minute, sent evenly, at least ${LEAST_QUOTA}. Divide the project's quota by the number of processes.`),
  apnsKey: optional('ALMONER_APNS_KEY', '""', text,
    'Path of the `.p8` key file for APNs. Required for `apns`, as are the next three.'),
  apnsKeyId: optional('ALMONER_APNS_KEY_ID', '""', appleName,
    'Key id at Apple, ten characters.'),
  apnsTeamId: optional('ALMONER_APNS_TEAM_ID', '""', appleName,
    'Team id at Apple, ten characters.'),
  apnsTopic: optional('ALMONER_APNS_TOPIC', '""', topic,
    'Bundle id of the app.'),
  apnsUrl: setting('ALMONER_APNS_URL', 'https://api.push.apple.com', secureOrigin,
    'Origin of APNs, https.'),
  apnsSandboxUrl: setting('ALMONER_APNS_SANDBOX_URL', 'https://api.sandbox.push.apple.com', secureOrigin,
    'Origin of the APNs sandbox, https; for device tokens with the prefix `apns-sandbox:`.'),
  vapidPublicKey: optional('ALMONER_VAPID_PUBLIC_KEY', '""', vapidPublicKey,
    'Public VAPID key with which browsers subscribe, raw in base64url. Required for `webpush`, as are the next two.'),
  vapidPrivateKey: optional('ALMONER_VAPID_PRIVATE_KEY', '""', vapidPrivateKey,
    'Private VAPID key, raw in base64url.'),
  vapidSubject: optional('ALMONER_VAPID_SUBJECT', '""', vapidSubject,
    'Contact for push services: a `mailto:` or `https:` URL of yours. Apple refuses hosts such as `.local` and `.invalid`.'),
  webPushHosts: setting('ALMONER_WEBPUSH_HOSTS', BROWSER_PUSH_HOSTS.join(','), listOf('none', pushHost),
    'Allowed hosts of Web Push endpoints: `host` or `*.host`, each with an optional `:port`, separated by commas, or `none`.'),
  pushCa: optional('ALMONER_PUSH_CA', '""', text,
    'Path of PEM certificates that are trusted for providers in addition to the usual ones, for proxies and test servers.'),
  pushDefault: setting('ALMONER_PUSH_DEFAULT', 'none', orNone('none', choice('fcm', 'apns')),
    'Provider of device tokens of unknown form: `fcm` or `apns`. With `none` such a device gets no pushes.'),
  pushWindow: setting('ALMONER_PUSH_WINDOW', '100', integer(1, MOST_WINDOW),
    'Maximum pushes of this process in flight, up to 1000. A crash can send at most this number twice.'),
  notificationLife: setting('ALMONER_NOTIFICATION_LIFE', '86400', integer(60, 4 * WEEK),
    'Seconds during which sending a notification is retried, from a minute to four weeks.'),
  deliveryDays: setting('ALMONER_DELIVERY_DAYS', '90', integer(1, LONGEST_DAYS),
    'Days for which the outcome of each device is stored after the end of a notification, from 1 to 36500. The totals of the delivery report stay. Inboxes go as far back.'),
  notificationDays: setting('ALMONER_NOTIFICATION_DAYS', 'keep', orNone('keep', integer(1, LONGEST_DAYS)),
    'Days after which an ended notification is deleted, from 1 to 36500, or `keep`.'),
  historyDays: setting('ALMONER_HISTORY_DAYS', '730', integer(1, LONGEST_DAYS),
    'Days for which changes are recorded, from 1 to 36500. The latest revision of each item stays.'),
  linkCheck: optional('ALMONER_LINK_CHECK', 'on with the console', choice('on', 'proxy', 'off'),
    'Daily check of the links of Live items: `on`; `proxy`, through `HTTPS_PROXY`, which must refuse private networks; `off`. Without a value it is off in the demonstration.'),
  iconUrl: optional('ALMONER_ICON_URL', '""', iconUrl,
    'URL of the icon of all notifications; empty for none.'),
  color: setting('ALMONER_COLOR', '#1F4E79', ofDomain(Colour),
    'Colour of all notifications, as `#RRGGBB`.'),
  rateLimit: setting('ALMONER_RATE_LIMIT', 'off', orNone('off', rate),
    'Maximum requests per client, or manager of the console, and minute, such as `600/min`, or `off`. All processes count together, up to 2 s late.'),
  changesWaits: setting('ALMONER_CHANGES_WAITS', '1000,10000', waits,
    'Requests to `/changes` that may wait in each process, of an address and in all (`Prefer: wait`). Others are answered at once.'),
  maxDelay: setting('ALMONER_MAX_DELAY', '500', integer(0, 60_000),
    'Event-loop delay in milliseconds from which some requests get 503 with `Retry-After`, up to 60000. Health checks and `/metrics` are exempt. 0 switches it off.'),
  keepAlive: setting('ALMONER_KEEP_ALIVE', '73s', duration(5, HOUR),
    'Time after which an idle connection is closed, such as `73s`; from 5 seconds to an hour. Give it more than the load balancer or proxy in front waits before it closes one.'),
  trustProxy: setting('ALMONER_TRUST_PROXY', 'off', listOf('off', network),
    'Proxies whose `X-Forwarded-*` headers are trusted: addresses and networks separated by commas, or `off`.'),
  corsOrigins: setting('ALMONER_CORS_ORIGINS', 'none', listOf('none', origin),
    'Origins whose pages may call the API from a browser or an app, such as `https://app.example.org` or `capacitor://localhost`, separated by commas, or `none`. Neither patterns nor `null`.'),
  metrics: setting('ALMONER_METRICS', 'on', metricsLocation,
    '`/metrics` for Prometheus, without a token: `on` (the main port), `HOST:PORT` (a separate port), or `off`.'),
  logLevel: setting('ALMONER_LOG_LEVEL', 'info', choice('trace', 'debug', 'info', 'warn', 'error', 'fatal'),
    'Minimum level of log lines: `trace`, `debug`, `info`, `warn`, `error` or `fatal`.'),
}

/** All settings, parsed. */
export type Settings = {
  readonly [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K] extends Setting<infer A> ? A : never
} & {
  /** That of the usual variables. */
  readonly proxy: HttpsProxy | undefined
}

export const ALL_SETTINGS: ReadonlyArray<Setting<unknown>> = Object.values(SETTINGS)

/** Returns how links are checked (C17). */
export const linkCheckOf = ({ linkCheck, console }: Pick<Settings, 'linkCheck' | 'console'>) =>
  O.getOrElse((): 'on' | 'off' | 'proxy' => (console ? 'on' : 'off'))(linkCheck)

/** Returns which ID tokens clients may exchange (A10). */
const idTokenPolicyOf = ({ userIssuer, userAudience, userDonorClaim }: Settings): Policy['idTokens'] =>
  O.map((issuer: string) => ({ issuer, audiences: userAudience, donorClaim: userDonorClaim }))(userIssuer)

/** Returns the settings that the rules of the domain depend on. */
export const policyOf = (settings: Settings): Policy => ({
  timeZone: settings.timeZone,
  embargo: settings.embargo,
  tokenTtl: settings.tokenTtl,
  idTokens: idTokenPolicyOf(settings),
  sessionIdle: settings.sessionIdle,
  sessionLife: settings.sessionLife,
  previewUrl: settings.previewUrl,
  pushDefault: settings.pushDefault,
  webPushHosts: settings.webPushHosts,
  look: { iconUrl: settings.iconUrl, color: settings.color },
  notificationLife: settings.notificationLife,
  deliveryDays: settings.deliveryDays,
  notificationDays: settings.notificationDays,
  historyDays: settings.historyDays,
  joinedYears: settings.joinedYears,
})

type Texts = Readonly<Record<string, string>>

/** Settings that must agree on all nodes of a service, or they answer and send differently. None is a secret. */
const SHARED = [
  'baseUrl',
  'mediaServe',
  'timeZone',
  'embargo',
  'tokenTtl',
  'oidcIssuer',
  'oidcClientId',
  'oidcDomains',
  'oidcTrustEmail',
  'userIssuer',
  'userAudience',
  'userDonorClaim',
  'sessionIdle',
  'sessionLife',
  'previewUrl',
  'joinedYears',
  'fcmUrl',
  'apnsTeamId',
  'apnsTopic',
  'apnsUrl',
  'apnsSandboxUrl',
  'vapidPublicKey',
  'webPushHosts',
  'pushDefault',
  'notificationLife',
  'iconUrl',
  'color',
  'rateLimit',
  'corsOrigins',
] as const satisfies ReadonlyArray<keyof Settings>

const textOf = (value: Settings[(typeof SHARED)[number]]): string => {
  if (typeof value !== 'object') return String(value)
  if (!('_tag' in value)) return JSON.stringify(value)
  return O.isNone(value) ? 'none' : String(value.value)
}

/** Returns the settings that must agree on all nodes, as texts by the names of their variables. */
export const sharedSettings = ({ media, push, ...settings }: Settings): Texts => ({
  // A folder may have another path on each machine.
  [SETTINGS.media.name]: media.kind === 'folder' ? 'a folder' : `s3://${media.bucket}/${media.prefix}`,
  [SETTINGS.push.name]: push.kind === 'providers' ? push.providers.join(',') : push.kind,
  ...Object.fromEntries(SHARED.map((key) => [SETTINGS[key].name, textOf(settings[key])])),
})
