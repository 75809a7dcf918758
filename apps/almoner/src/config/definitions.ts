import { Colour, TimeZone } from '@almoner/domain'
import { databasePlace } from './database-url.ts'
import { mediaPlace, mediaServing } from './media.ts'
import { baseUrl, host, metricsPlace, network, origin } from './network.ts'
import { iconUrl } from './push.ts'
import { PUSH_SETTINGS } from './push-definitions.ts'
import { optional, type Setting, setting } from './setting.ts'
import { choice, either, listOf, ofDomain, orNone, rate, wholeNumber, years } from './values.ts'

const HOUR = 60 * 60
const YEAR = 365 * 24 * HOUR

/** The most days that something can be kept, other than for ever. */
const LONGEST_DAYS = 36_500

/** Every setting. Validation, `serve --help` and docs/operations.md are readers of this list. */
export const SETTINGS = {
  database: setting({
    name: 'ALMONER_DATABASE',
    default: 'sqlite:./data/almoner.db',
    doc: 'Database. `sqlite:` and the path of the file, which is created if missing; or `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, with several `HOST:PORT` separated by commas if one of them accepts writes, `?sslmode=` (`disable`, `require`, `verify-ca` or `verify-full`) and `&sslrootcert=` (a file).',
    parse: databasePlace,
  }),
  media: setting({
    name: 'ALMONER_MEDIA',
    default: 'file:./data/media',
    doc: 'Image storage. `file:` and the path of a folder, which is created if missing; or `s3://BUCKET/PREFIX`, with `?endpoint=` (the origin of a store other than AWS) and `&region=`. Credentials come from the usual AWS variables.',
    parse: mediaPlace,
  }),
  mediaServe: setting({
    name: 'ALMONER_MEDIA_SERVE',
    default: 'proxy',
    doc: 'How images in a bucket are served: `proxy`, by the service; `signed`, by redirects to URLs that are valid for five minutes; `public:` and a URL, by redirects below that URL. SVGs are always served by the service.',
    parse: mediaServing,
  }),
  host: setting({
    name: 'ALMONER_HOST',
    default: '127.0.0.1',
    doc: 'Address to listen on. `0.0.0.0` or `::` for all.',
    parse: host,
  }),
  port: setting({
    name: 'ALMONER_PORT',
    default: '3000',
    doc: 'Port to listen on. 0 selects a free port, which the log line `listening` contains.',
    parse: wholeNumber(0, 65_535),
  }),
  baseUrl: optional({
    name: 'ALMONER_BASE_URL',
    default: 'http://HOST:PORT',
    doc: 'Public URL of the service, without query. All absolute URLs in responses begin with it.',
    parse: baseUrl,
  }),
  workers: setting({
    name: 'ALMONER_WORKERS',
    default: '1',
    doc: 'Number of worker processes that share the port, up to 64; at most one per core is useful. Above 1, a primary process manages them.',
    parse: wholeNumber(1, 64),
  }),
  cache: setting({
    name: 'ALMONER_CACHE',
    default: '32',
    doc: 'Size of the response cache of each process in MiB, up to 1024. 0 switches it off.',
    parse: wholeNumber(0, 1024),
  }),
  drain: setting({
    name: 'ALMONER_DRAIN',
    default: '0',
    doc: 'Seconds after a stop signal during which the server still accepts requests and `/health/ready` is 503, so that load balancers can notice; up to 60.',
    parse: wholeNumber(0, 60),
  }),
  timeZone: setting({
    name: 'ALMONER_TIME_ZONE',
    default: 'UTC',
    doc: 'IANA time zone that defines "today".',
    parse: ofDomain(TimeZone),
  }),
  embargo: setting({
    name: 'ALMONER_EMBARGO',
    default: 'false',
    doc: '`true` hides Live library items from users and donors until their publication date.',
    parse: either('true', 'false'),
  }),
  tokenTtl: setting({
    name: 'ALMONER_TOKEN_TTL',
    default: '3600',
    doc: 'Lifetime of access tokens in seconds, up to a year.',
    parse: wholeNumber(1, YEAR),
  }),
  joinedYears: setting({
    name: 'ALMONER_JOINED_YEARS',
    default: '2015-2018',
    doc: 'Years that the parameter `joined` accepts: first and last, or one year.',
    parse: years,
  }),
  reviewEvery: setting({
    name: 'ALMONER_REVIEW_EVERY',
    default: '60',
    doc: 'Seconds between periodic reviews of notifications, up to an hour.',
    parse: wholeNumber(1, HOUR),
  }),
  review: setting({
    name: 'ALMONER_REVIEW',
    default: 'on',
    doc: '`off`: this process does not review notifications; another one must.',
    parse: either('on', 'off'),
  }),
  ...PUSH_SETTINGS,
  deliveryDays: setting({
    name: 'ALMONER_DELIVERY_DAYS',
    default: '90',
    doc: 'Days for which the outcome of each device is stored after the end of a notification, from 1 to 36500. The totals of the delivery report stay.',
    parse: wholeNumber(1, LONGEST_DAYS),
  }),
  notificationDays: setting({
    name: 'ALMONER_NOTIFICATION_DAYS',
    default: 'keep',
    doc: 'Days after which an ended notification is deleted, from 1 to 36500, or `keep`.',
    parse: orNone('keep', wholeNumber(1, LONGEST_DAYS)),
  }),
  iconUrl: optional({
    name: 'ALMONER_ICON_URL',
    doc: 'URL of the icon of all notifications; empty for none.',
    parse: iconUrl,
  }),
  color: setting({
    name: 'ALMONER_COLOR',
    default: '#1F4E79',
    doc: 'Colour of all notifications, as `#RRGGBB`.',
    parse: ofDomain(Colour),
  }),
  rateLimit: setting({
    name: 'ALMONER_RATE_LIMIT',
    default: 'off',
    doc: 'Maximum requests per client and minute in each process, such as `600/min`, or `off`.',
    parse: orNone('off', rate),
  }),
  maxDelay: setting({
    name: 'ALMONER_MAX_DELAY',
    default: '500',
    doc: 'Event-loop delay in milliseconds from which some requests get 503 with `Retry-After`, up to 60000. Health checks and `/metrics` are exempt. 0 switches it off.',
    parse: wholeNumber(0, 60_000),
  }),
  trustProxy: setting({
    name: 'ALMONER_TRUST_PROXY',
    default: 'off',
    doc: 'Proxies whose `X-Forwarded-*` headers are trusted: addresses and networks separated by commas, or `off`.',
    parse: listOf('off', network),
  }),
  corsOrigins: setting({
    name: 'ALMONER_CORS_ORIGINS',
    default: 'none',
    doc: 'Origins whose pages may call the API from a browser, separated by commas, or `none`.',
    parse: listOf('none', origin),
  }),
  metrics: setting({
    name: 'ALMONER_METRICS',
    default: 'on',
    doc: '`/metrics` for Prometheus, without a token: `on` (the main port), `HOST:PORT` (a separate port), or `off`.',
    parse: metricsPlace,
  }),
  logLevel: setting({
    name: 'ALMONER_LOG_LEVEL',
    default: 'info',
    doc: 'Minimum level of log lines: `trace`, `debug`, `info`, `warn`, `error` or `fatal`.',
    parse: choice('trace', 'debug', 'info', 'warn', 'error', 'fatal'),
  }),
}

/** All settings, read. */
export type Settings = {
  readonly [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K] extends Setting<infer A> ? A : never
}

/** Every setting, in the order of the docs. */
export const ALL_SETTINGS: ReadonlyArray<Setting<unknown>> = Object.values(SETTINGS)
