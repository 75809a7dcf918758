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
    doc: 'The database: `sqlite:` and the path of its file, which is made when missing; or `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, with commas between several `HOST:PORT` of which one takes writes, and `?sslmode=` `disable`, `require`, `verify-ca` or `verify-full`, `&sslrootcert=` a file.',
    parse: databasePlace,
  }),
  media: setting({
    name: 'ALMONER_MEDIA',
    default: 'file:./data/media',
    doc: 'Where images are stored: `file:` and the path of a folder, which is made when missing; or `s3://BUCKET/PREFIX`, with `?endpoint=` the origin of a store that is not AWS and `&region=`; credentials by the usual AWS variables.',
    parse: mediaPlace,
  }),
  mediaServe: setting({
    name: 'ALMONER_MEDIA_SERVE',
    default: 'proxy',
    doc: 'How images in a bucket reach their readers: `proxy`, through the service; `signed`, redirected to addresses that last five minutes; `public:` and a URL, redirected to below it. SVGs always go through the service.',
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
    doc: 'Port to listen on. 0: any free one; the line `listening` in the log names it.',
    parse: wholeNumber(0, 65_535),
  }),
  baseUrl: optional({
    name: 'ALMONER_BASE_URL',
    default: 'http://HOST:PORT',
    doc: 'Address under which clients reach the service, without query; every absolute URL given out begins with it.',
    parse: baseUrl,
  }),
  workers: setting({
    name: 'ALMONER_WORKERS',
    default: '1',
    doc: 'Processes that share the port, up to 64, one a core at best; with more than one, another process looks after them.',
    parse: wholeNumber(1, 64),
  }),
  cache: setting({
    name: 'ALMONER_CACHE',
    default: '32',
    doc: 'MiB of answers that each process keeps ready until something is written, up to 1024. 0: none.',
    parse: wholeNumber(0, 1024),
  }),
  drain: setting({
    name: 'ALMONER_DRAIN',
    default: '0',
    doc: 'Seconds from being told to stop during which requests are still taken and `/health/ready` is 503, so that a balancer sends no more; up to 60.',
    parse: wholeNumber(0, 60),
  }),
  timeZone: setting({
    name: 'ALMONER_TIME_ZONE',
    default: 'UTC',
    doc: 'IANA time zone in which "today" is counted.',
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
    doc: 'Seconds that an access token lives, up to a year.',
    parse: wholeNumber(1, YEAR),
  }),
  joinedYears: setting({
    name: 'ALMONER_JOINED_YEARS',
    default: '2015-2018',
    doc: 'Years that `joined` may ask for, first and last, or one year.',
    parse: years,
  }),
  reviewEvery: setting({
    name: 'ALMONER_REVIEW_EVERY',
    default: '60',
    doc: 'Seconds from one review of the notifications to the next, up to an hour.',
    parse: wholeNumber(1, HOUR),
  }),
  review: setting({
    name: 'ALMONER_REVIEW',
    default: 'on',
    doc: '`off`: this process reviews no notifications; another one has to.',
    parse: either('on', 'off'),
  }),
  ...PUSH_SETTINGS,
  deliveryDays: setting({
    name: 'ALMONER_DELIVERY_DAYS',
    default: '90',
    doc: 'Days after the end of a notification for which it is stored which device got it, from 1 to 36500; the totals of the delivery report stay.',
    parse: wholeNumber(1, LONGEST_DAYS),
  }),
  notificationDays: setting({
    name: 'ALMONER_NOTIFICATION_DAYS',
    default: 'keep',
    doc: 'Days after which a notification that has ended is deleted, from 1 to 36500, or `keep`.',
    parse: orNone('keep', wholeNumber(1, LONGEST_DAYS)),
  }),
  iconUrl: optional({
    name: 'ALMONER_ICON_URL',
    doc: 'Address of the picture that goes with every notification; none when empty.',
    parse: iconUrl,
  }),
  color: setting({
    name: 'ALMONER_COLOR',
    default: '#1F4E79',
    doc: 'Colour of every notification, as `#RRGGBB`.',
    parse: ofDomain(Colour),
  }),
  rateLimit: setting({
    name: 'ALMONER_RATE_LIMIT',
    default: 'off',
    doc: 'Most requests of one client in a minute that each process answers, as `600/min`, or `off`.',
    parse: orNone('off', rate),
  }),
  maxDelay: setting({
    name: 'ALMONER_MAX_DELAY',
    default: '500',
    doc: 'Milliseconds that requests may have to wait for others before some get 503 with `Retry-After`, up to 60000; health and `/metrics` answer all the same. 0: however long.',
    parse: wholeNumber(0, 60_000),
  }),
  trustProxy: setting({
    name: 'ALMONER_TRUST_PROXY',
    default: 'off',
    doc: 'Proxies whose `X-Forwarded-*` headers are believed: addresses and networks with commas between them, or `off`.',
    parse: listOf('off', network),
  }),
  corsOrigins: setting({
    name: 'ALMONER_CORS_ORIGINS',
    default: 'none',
    doc: 'Web origins whose pages may call the service from a browser, with commas between them, or `none`.',
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
    doc: 'Least severe log lines that are written: `trace`, `debug`, `info`, `warn`, `error` or `fatal`.',
    parse: choice('trace', 'debug', 'info', 'warn', 'error', 'fatal'),
  }),
}

/** All settings, read. */
export type Settings = {
  readonly [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K] extends Setting<infer A> ? A : never
}

/** Every setting, in the order of the docs. */
export const ALL_SETTINGS: ReadonlyArray<Setting<unknown>> = Object.values(SETTINGS)
