import { Colour, TimeZone, type WebUrl } from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import { mediaPlace, mediaServing } from './media.ts'
import { baseUrl, host, metricsPlace, network, origin, port } from './network.ts'
import { databasePlace } from './places.ts'
import { iconUrl } from './push.ts'
import { PUSH_SETTINGS } from './push-definitions.ts'
import { type Setting, setting } from './setting.ts'
import { choice, daysOrKeep, listOf, ofDomain, onOrOff, rate, wholeNumber, years, yesOrNo } from './values.ts'

const HOUR = 60 * 60
const YEAR = 365 * 24 * HOUR

/** The most days that something can be kept, other than for ever. */
const LONGEST_DAYS = 36_500

/** Every setting. Validation, `serve --help` and docs/operations.md are readers of this list. */
export const SETTINGS = {
  database: setting({
    name: 'ALMONER_DATABASE',
    fallback: 'sqlite:./data/almoner.db',
    doc: 'The database: `sqlite:` and the path of its file, which is made when missing; or `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, with commas between several `HOST:PORT` of which one takes writes, and `?sslmode=` `disable`, `require`, `verify-ca` or `verify-full`, `&sslrootcert=` a file.',
    parse: databasePlace,
  }),
  media: setting({
    name: 'ALMONER_MEDIA',
    fallback: 'file:./data/media',
    doc: 'Where images are stored: `file:` and the path of a folder, which is made when missing; or `s3://BUCKET/PREFIX`, with `?endpoint=` the origin of a store that is not AWS and `&region=`; credentials by the usual AWS variables.',
    parse: mediaPlace,
  }),
  mediaServe: setting({
    name: 'ALMONER_MEDIA_SERVE',
    fallback: 'proxy',
    doc: 'How images in a bucket reach their readers: `proxy`, through the service; `signed`, redirected to addresses that last five minutes; `public:` and a URL, redirected to below it. SVGs always go through the service.',
    parse: mediaServing,
  }),
  host: setting({
    name: 'ALMONER_HOST',
    fallback: '127.0.0.1',
    doc: 'Address to listen on. `0.0.0.0` or `::` for all.',
    parse: host,
  }),
  port: setting({
    name: 'ALMONER_PORT',
    fallback: '3000',
    doc: 'Port to listen on. 0: any free one; the `listening` line tells which.',
    parse: port,
  }),
  baseUrl: {
    name: 'ALMONER_BASE_URL',
    fallback: 'http://HOST:PORT',
    doc: 'Address under which clients reach the service, without query; every absolute URL given out begins with it.',
    parse: baseUrl,
    unset: O.none,
  } satisfies Setting<O.Option<string>>,
  workers: setting({
    name: 'ALMONER_WORKERS',
    fallback: '1',
    doc: 'Processes that share the port, up to 64, one a core at best; with more than one, another process looks after them.',
    parse: wholeNumber(1, 64),
  }),
  cache: setting({
    name: 'ALMONER_CACHE',
    fallback: '32',
    doc: 'MiB of answers that each process keeps ready until something is written, up to 1024. 0: none.',
    parse: wholeNumber(0, 1024),
  }),
  drain: setting({
    name: 'ALMONER_DRAIN',
    fallback: '0',
    doc: 'Seconds from being told to stop during which requests are still taken and `/health/ready` is 503, so that a balancer sends no more; up to 60.',
    parse: wholeNumber(0, 60),
  }),
  timeZone: setting({
    name: 'ALMONER_TIME_ZONE',
    fallback: 'UTC',
    doc: 'IANA time zone in which "today" is counted.',
    parse: ofDomain(TimeZone),
  }),
  embargo: setting({
    name: 'ALMONER_EMBARGO',
    fallback: 'false',
    doc: '`true` hides Live library items from users and donors until their publication date.',
    parse: yesOrNo,
  }),
  tokenTtl: setting({
    name: 'ALMONER_TOKEN_TTL',
    fallback: '3600',
    doc: 'Seconds that an access token lives, up to a year.',
    parse: wholeNumber(1, YEAR),
  }),
  joinedYears: setting({
    name: 'ALMONER_JOINED_YEARS',
    fallback: '2015-2018',
    doc: 'Years that `joined` may ask for, first and last, or one year.',
    parse: years,
  }),
  reviewEvery: setting({
    name: 'ALMONER_REVIEW_EVERY',
    fallback: '60',
    doc: 'Seconds from one review of the notifications to the next, up to an hour.',
    parse: wholeNumber(1, HOUR),
  }),
  review: setting({
    name: 'ALMONER_REVIEW',
    fallback: 'on',
    doc: '`off`: this process reviews no notifications; another one has to.',
    parse: onOrOff,
  }),
  ...PUSH_SETTINGS,
  deliveryDays: setting({
    name: 'ALMONER_DELIVERY_DAYS',
    fallback: '90',
    doc: 'Days after the end of a notification for which it is stored which device got it, from 1 to 36500; the totals of the delivery report stay.',
    parse: wholeNumber(1, LONGEST_DAYS),
  }),
  notificationDays: setting({
    name: 'ALMONER_NOTIFICATION_DAYS',
    fallback: 'keep',
    doc: 'Days after which a notification that has ended is deleted, from 1 to 36500, or `keep`.',
    parse: daysOrKeep(LONGEST_DAYS),
  }),
  iconUrl: {
    name: 'ALMONER_ICON_URL',
    fallback: '""',
    doc: 'Address of the picture that goes with every notification; none when empty.',
    parse: iconUrl,
    unset: O.none,
  } satisfies Setting<O.Option<WebUrl>>,
  color: setting({
    name: 'ALMONER_COLOR',
    fallback: '#1F4E79',
    doc: 'Colour of every notification, as `#RRGGBB`.',
    parse: ofDomain(Colour),
  }),
  rateLimit: setting({
    name: 'ALMONER_RATE_LIMIT',
    fallback: 'off',
    doc: 'Most requests of one client in a minute that each process answers, as `600/min`, or `off`.',
    parse: rate,
  }),
  maxDelay: setting({
    name: 'ALMONER_MAX_DELAY',
    fallback: '500',
    doc: 'Milliseconds that requests may have to wait for others before some get 503 with `Retry-After`, up to 60000; health and `/metrics` answer all the same. 0: however long.',
    parse: wholeNumber(0, 60_000),
  }),
  trustProxy: setting({
    name: 'ALMONER_TRUST_PROXY',
    fallback: 'off',
    doc: 'Proxies whose `X-Forwarded-*` headers are believed: addresses and networks with commas between them, or `off`.',
    parse: listOf('off', network),
  }),
  corsOrigins: setting({
    name: 'ALMONER_CORS_ORIGINS',
    fallback: 'none',
    doc: 'Web origins whose pages may call the service from a browser, with commas between them, or `none`.',
    parse: listOf('none', origin),
  }),
  metrics: setting({
    name: 'ALMONER_METRICS',
    fallback: 'on',
    doc: '`/metrics` for Prometheus, without a token: `on` (the main port), `HOST:PORT` (a port of its own), or `off`.',
    parse: metricsPlace,
  }),
  logLevel: setting({
    name: 'ALMONER_LOG_LEVEL',
    fallback: 'info',
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
