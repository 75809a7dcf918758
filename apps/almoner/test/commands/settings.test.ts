import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { BROWSER_PUSH_HOSTS } from '@almoner/domain/people'
import fc from 'fast-check'
import { distance } from 'fastest-levenshtein'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { ALL_SETTINGS, type Settings } from '../../src/config/definitions.ts'
import { type Environment, readSettings } from '../../src/config/read.ts'
import { serve } from '../../src/serve/serve.ts'
import { settingsTable } from '../support/settings-table.ts'

const read = (environment: Environment): Settings => {
  const settings = readSettings(environment)
  if (E.isLeft(settings)) throw new Error(settings.left.join('\n'))
  return settings.right
}

const faults = (environment: Environment): ReadonlyArray<string> =>
  E.getOrElse((): ReadonlyArray<string> => [])(E.swap(readSettings(environment)))

t.test('Settings: without any variable, the defaults of the operating contract hold', async (t) => {
  t.strictSame(read({}), {
    database: { kind: 'sqlite', path: './data/almoner.db' },
    ...{ databasePool: { requests: 8, streams: 8 }, databaseListen: O.none, databaseReads: [], readsLag: 5 },
    media: { kind: 'folder', path: './data/media' },
    mediaServe: { kind: 'proxy' },
    ...{ host: '127.0.0.1', port: 3000 },
    baseUrl: O.none,
    workers: 1,
    cache: 32,
    ...{ accelerators: true, console: true, consoleSignIn: ['passkey'] },
    ...{ oidcIssuer: O.none, oidcClientId: O.none, oidcClientSecret: O.none, oidcDomains: [] },
    oidcTrustEmail: false,
    ...{ userIssuer: O.none, userAudience: [], userDonorClaim: O.none },
    ...{ drain: 0, timeZone: 'UTC' },
    ...{ embargo: false, tokenTtl: 3600 },
    previewUrl: O.none,
    ...{ sessionIdle: 28_800, sessionLife: 1_209_600 },
    joinedYears: { first: 2015, last: 2018 },
    reviewEvery: 60,
    review: true,
    push: { kind: 'log' },
    fcmCredentials: O.none,
    fcmUrl: 'https://fcm.googleapis.com',
    fcmQuota: 600_000,
    apnsKey: O.none,
    apnsKeyId: O.none,
    apnsTeamId: O.none,
    apnsTopic: O.none,
    apnsUrl: 'https://api.push.apple.com',
    apnsSandboxUrl: 'https://api.sandbox.push.apple.com',
    vapidPublicKey: O.none,
    vapidPrivateKey: O.none,
    vapidSubject: O.none,
    webPushHosts: BROWSER_PUSH_HOSTS,
    pushCa: O.none,
    pushDefault: O.none,
    pushWindow: 100,
    notificationLife: 86_400,
    deliveryDays: 90,
    notificationDays: O.none,
    historyDays: 730,
    linkCheck: O.none,
    iconUrl: O.none,
    color: '#1F4E79',
    rateLimit: O.none,
    changesWaits: { ofAddress: 1000, total: 10_000 },
    maxDelay: 500,
    keepAlive: 73,
    trustProxy: [],
    corsOrigins: [],
    metrics: { kind: 'on' },
    logLevel: 'info',
    proxy: undefined,
  })
  t.strictSame(read({ ALMONER_PORT: '', ALMONER_HOST: ' ' }), read({}), 'an empty value is unset')
})

const TAKEN: Readonly<Record<string, ReadonlyArray<readonly [string, keyof Settings, unknown]>>> = {
  ALMONER_DATABASE: [
    ['sqlite:/var/lib/a.db', 'database', { kind: 'sqlite', path: '/var/lib/a.db' }],
    ['sqlite:///var/lib/a.db', 'database', { kind: 'sqlite', path: '///var/lib/a.db' }],
    ['sqlite:a.db', 'database', { kind: 'sqlite', path: 'a.db' }],
  ],
  ALMONER_DATABASE_POOL: [['20,500', 'databasePool', { requests: 20, streams: 500 }]],
  ALMONER_DATABASE_READS: [['none', 'databaseReads', []]],
  ALMONER_READS_LAG: [['1h', 'readsLag', 3600]],
  ALMONER_MEDIA: [
    ['file:/srv/media', 'media', { kind: 'folder', path: '/srv/media' }],
    ...[
      ['s3://my-bucket', {}],
      ['s3://my-bucket/', {}],
      ['s3://my-bucket/a/b.c/', { prefix: 'a/b.c' }],
      ['s3://my-bucket?region=eu-west-3', { region: 'eu-west-3' }],
      [
        's3://my-bucket/a?endpoint=http://127.0.0.1:9000/',
        { prefix: 'a', endpoint: 'http://127.0.0.1:9000' },
      ],
      [
        's3://my-bucket/a?region=auto&endpoint=https%3A%2F%2Fs3.example.org',
        { prefix: 'a', endpoint: 'https://s3.example.org', region: 'auto' },
      ],
    ].map(([text, over]) => {
      const place = { kind: 's3', bucket: 'my-bucket', prefix: '', endpoint: undefined, region: undefined }
      return [String(text), 'media', { ...place, ...(over as object) }] as const
    }),
  ],
  ALMONER_MEDIA_SERVE: [
    ['signed', 'mediaServe', { kind: 'signed' }],
    ['public:https://cdn.example.org/', 'mediaServe', { kind: 'public', url: 'https://cdn.example.org' }],
    ['public:http://cdn.example.org/a', 'mediaServe', { kind: 'public', url: 'http://cdn.example.org/a' }],
  ],
  ALMONER_HOST: [
    ['::1', 'host', '::1'],
    ['0.0.0.0', 'host', '0.0.0.0'],
    ['almoner.example.org', 'host', 'almoner.example.org'],
  ],
  ALMONER_PORT: [
    ['0', 'port', 0],
    ['65535', 'port', 65535],
  ],
  ALMONER_BASE_URL: [
    ['https://example.org/', 'baseUrl', O.some('https://example.org')],
    ['https://example.org/content//', 'baseUrl', O.some('https://example.org/content')],
    ['http://[::1]:8080', 'baseUrl', O.some('http://[::1]:8080')],
    ['HTTPS://Example.org:443', 'baseUrl', O.some('https://example.org')],
  ],
  ALMONER_WORKERS: [
    ['2', 'workers', 2],
    ['64', 'workers', 64],
  ],
  ALMONER_CACHE: [
    ['0', 'cache', 0],
    ['1024', 'cache', 1024],
  ],
  ALMONER_ACCELERATORS: [['off', 'accelerators', false]],
  ALMONER_CONSOLE: [['off', 'console', false]],
  ALMONER_CONSOLE_SIGN_IN: [
    ['none', 'consoleSignIn', []],
    ['passkey,password', 'consoleSignIn', ['passkey', 'password']],
  ],
  ALMONER_OIDC_ISSUER: [
    ['https://id.example.org/realms/a', 'oidcIssuer', O.some('https://id.example.org/realms/a')],
    ['http://localhost:8080', 'oidcIssuer', O.some('http://localhost:8080')],
  ],
  ALMONER_OIDC_CLIENT_ID: [['almoner', 'oidcClientId', O.some('almoner')]],
  ALMONER_OIDC_CLIENT_SECRET: [['a secret', 'oidcClientSecret', O.some('a secret')]],
  ALMONER_OIDC_DOMAINS: [['Example.org, example.com', 'oidcDomains', ['example.org', 'example.com']]],
  ALMONER_DRAIN: [['60', 'drain', 60]],
  ALMONER_TIME_ZONE: [['Europe/Paris', 'timeZone', 'Europe/Paris']],
  ALMONER_OIDC_TRUST_EMAIL: [['true', 'oidcTrustEmail', true]],
  ALMONER_EMBARGO: [['true', 'embargo', true]],
  ALMONER_TOKEN_TTL: [['60', 'tokenTtl', 60]],
  ALMONER_PREVIEW_URL: [['app:/{kind}/{id}/{token}', 'previewUrl', O.some('app:/{kind}/{id}/{token}')]],
  ALMONER_SESSION_IDLE: [['30m', 'sessionIdle', 1800]],
  ALMONER_SESSION_LIFE: [['7d', 'sessionLife', 604_800]],
  ALMONER_JOINED_YEARS: [
    ['2019-2030', 'joinedYears', { first: 2019, last: 2030 }],
    ['2020-2020', 'joinedYears', { first: 2020, last: 2020 }],
    ['2015', 'joinedYears', { first: 2015, last: 2015 }],
  ],
  ALMONER_REVIEW_EVERY: [
    ['1', 'reviewEvery', 1],
    ['3600', 'reviewEvery', 3600],
  ],
  ALMONER_REVIEW: [['off', 'review', false]],
  ALMONER_LINK_CHECK: [
    ['on', 'linkCheck', O.some('on')],
    ['off', 'linkCheck', O.some('off')],
  ],
  ALMONER_PUSH: [
    ['log', 'push', { kind: 'log' }],
    ['file:./pushes.ndjson', 'push', { kind: 'file', path: './pushes.ndjson' }],
    ['apns', 'push', { kind: 'providers', providers: ['apns'] }],
    ['webpush, fcm,apns', 'push', { kind: 'providers', providers: ['fcm', 'apns', 'webpush'] }],
  ],
  ALMONER_FCM_CREDENTIALS: [['/etc/almoner/fcm.json', 'fcmCredentials', O.some('/etc/almoner/fcm.json')]],
  ALMONER_FCM_URL: [
    ['https://fcm.example.org', 'fcmUrl', 'https://fcm.example.org'],
    ['https://127.0.0.1:8443/', 'fcmUrl', 'https://127.0.0.1:8443'],
  ],
  ALMONER_FCM_QUOTA: [['30000', 'fcmQuota', 30_000]],
  ALMONER_APNS_KEY: [['key.p8', 'apnsKey', O.some('key.p8')]],
  ALMONER_APNS_KEY_ID: [['ABC123DEFG', 'apnsKeyId', O.some('ABC123DEFG')]],
  ALMONER_APNS_TEAM_ID: [['0123456789', 'apnsTeamId', O.some('0123456789')]],
  ALMONER_APNS_TOPIC: [['org.example.the-app', 'apnsTopic', O.some('org.example.the-app')]],
  ALMONER_APNS_URL: [['https://[::1]:8443', 'apnsUrl', 'https://[::1]:8443']],
  ALMONER_APNS_SANDBOX_URL: [
    ['https://sandbox.example.org', 'apnsSandboxUrl', 'https://sandbox.example.org'],
  ],
  ALMONER_VAPID_PUBLIC_KEY: [[`B${'a'.repeat(86)}`, 'vapidPublicKey', O.some(`B${'a'.repeat(86)}`)]],
  ALMONER_VAPID_PRIVATE_KEY: [['-'.repeat(43), 'vapidPrivateKey', O.some('-'.repeat(43))]],
  ALMONER_VAPID_SUBJECT: [
    ['mailto:push@example.org', 'vapidSubject', O.some('mailto:push@example.org')],
    ['https://example.org/contact', 'vapidSubject', O.some('https://example.org/contact')],
  ],
  ALMONER_PUSH_CA: [['ca.pem', 'pushCa', O.some('ca.pem')]],
  ALMONER_WEBPUSH_HOSTS: [
    ['none', 'webPushHosts', []],
    [
      'Push.Example.org, *.example.com:8443,localhost:8443',
      'webPushHosts',
      ['push.example.org', '*.example.com:8443', 'localhost:8443'],
    ],
  ],
  ALMONER_PUSH_DEFAULT: [
    ['none', 'pushDefault', O.none],
    ['fcm', 'pushDefault', O.some('fcm')],
    ['apns', 'pushDefault', O.some('apns')],
  ],
  ALMONER_PUSH_WINDOW: [
    ['1', 'pushWindow', 1],
    ['1000', 'pushWindow', 1000],
  ],
  ALMONER_DELIVERY_DAYS: [
    ['1', 'deliveryDays', 1],
    ['36500', 'deliveryDays', 36_500],
  ],
  ALMONER_NOTIFICATION_DAYS: [
    ['keep', 'notificationDays', O.none],
    ['365', 'notificationDays', O.some(365)],
  ],
  ALMONER_HISTORY_DAYS: [['36500', 'historyDays', 36_500]],
  ALMONER_NOTIFICATION_LIFE: [
    ['60', 'notificationLife', 60],
    ['2419200', 'notificationLife', 2_419_200],
  ],
  ALMONER_ICON_URL: [['https://example.org/icon.png', 'iconUrl', O.some('https://example.org/icon.png')]],
  ALMONER_COLOR: [['#aaBB00', 'color', '#aaBB00']],
  ALMONER_CHANGES_WAITS: [['2,3', 'changesWaits', { ofAddress: 2, total: 3 }]],
  ALMONER_RATE_LIMIT: [
    ['off', 'rateLimit', O.none],
    ['600/min', 'rateLimit', O.some(600)],
  ],
  ALMONER_MAX_DELAY: [
    ['0', 'maxDelay', 0],
    ['60000', 'maxDelay', 60_000],
  ],
  ALMONER_KEEP_ALIVE: [['620s', 'keepAlive', 620]],
  ALMONER_TRUST_PROXY: [
    ['off', 'trustProxy', []],
    ['127.0.0.1, 10.0.0.0/8,::1,fd00::/8', 'trustProxy', ['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8']],
  ],
  ALMONER_CORS_ORIGINS: [
    ['none', 'corsOrigins', []],
    [
      'https://a.example.org,http://localhost:8080',
      'corsOrigins',
      ['https://a.example.org', 'http://localhost:8080'],
    ],
  ],
  ALMONER_METRICS: [
    ['off', 'metrics', { kind: 'off' }],
    ['127.0.0.1:9464', 'metrics', { kind: 'apart', host: '127.0.0.1', port: 9464 }],
    ['[::1]:9464', 'metrics', { kind: 'apart', host: '::1', port: 9464 }],
  ],
  ALMONER_LOG_LEVEL: [['debug', 'logLevel', 'debug']],
}

/** Paths, which only the file system can judge. */
const PATHS = ['ALMONER_FCM_CREDENTIALS', 'ALMONER_APNS_KEY', 'ALMONER_PUSH_CA']

/** What an OpenID provider has given out, in no form of ours. */
const GIVEN_OUT = ['ALMONER_OIDC_CLIENT_ID', 'ALMONER_OIDC_CLIENT_SECRET', 'ALMONER_USER_AUDIENCE']

const REFUSED: Readonly<Record<string, ReadonlyArray<string>>> = {
  ALMONER_DATABASE: [
    './a.db',
    'sqlite:',
    'sqlite:~/a.db',
    'sqlite:~almoner/a.db',
    'sqlite:$HOME/a.db',
    'sqlite:/data/$NAME/a.db',
    'sqlite::memory:',
    'sqlite://host/a.db',
    'mysql://h/d',
    'postgres:./a.db',
    'postgres://u:p@h',
    'postgres://u:p@h:0/d',
    'postgres://u:p@h:1,/d',
    'postgres://u:100%@h/d',
    'postgres://u:p@h/d?sslmode=prefer',
    'postgres://u:p@h/d?application_name=x',
    'postgres://u:p@h/d?target_session_attrs=any',
  ],
  ALMONER_DATABASE_LISTEN: ['sqlite:a.db', 'postgres://u:p@h/d?prepared=maybe'],
  ALMONER_DATABASE_POOL: ['8', '8,', ',8', '0,8', '8,0', '8,501', '8, 8', '8,8,8', '-1,8'],
  ALMONER_MEDIA: [
    './media',
    'file:',
    'file:~/media',
    'file:$HOME/media',
    'file://host/media',
    's3:bucket',
    's3://',
    's3://user:secret@bucket',
    's3://bucket//a',
    's3://bucket/../a',
    's3://bucket/a/./b',
    's3://bucket/a b',
    's3://bucket/%2e%2e/a',
    's3://bucket#a',
    's3://bucket?region=',
    's3://bucket?region=EU west',
    's3://bucket?region=a1&region=b1',
    's3://bucket?profile=x',
    's3://bucket?endpoint=s3.example.org',
    's3://bucket?endpoint=ftp://s3.example.org',
    's3://bucket?endpoint=https://u:p@s3.example.org',
    's3://bucket?endpoint=https://s3.example.org/path?x=1',
  ],
  ALMONER_MEDIA_SERVE: [
    'folder',
    'public',
    'public:',
    'public:cdn.example.org',
    'public:https://u:p@cdn.example.org',
    'public:https://cdn.example.org?a=b',
  ],
  ALMONER_HOST: ['[::1]', 'a b', '999.1.1.1', 'http://h', 'fe80::1%eth0', '-h'],
  ALMONER_PORT: ['65536', '-1', '1e3', '80.0', 'http'],
  ALMONER_BASE_URL: [
    'example.org',
    '/path',
    'ftp://example.org',
    'https://u:p@example.org',
    'https://example.org?',
    'https://example.org/?a=b',
    'https://example.org/#top',
    'https://exa mple.org',
  ],
  ALMONER_TIME_ZONE: ['Mars/Olympus', 'nowhere'],
  ALMONER_OIDC_TRUST_EMAIL: ['yes', '1', 'TRUE'],
  ALMONER_EMBARGO: ['yes', '1', 'TRUE'],
  ALMONER_TOKEN_TTL: ['0', '-5', '1h', '31536001'],
  ALMONER_PREVIEW_URL: ['https://app.example.org', 'https://app.example.org/{kind}/{id}?t={token}'],
  ALMONER_SESSION_IDLE: ['0s', '299s', '31d', '8', 'eight'],
  ALMONER_SESSION_LIFE: ['4m', '366d', '14', '2w'],
  ALMONER_JOINED_YEARS: ['2015-', '2018-2015', '2015-18', '2015 - 2018', '2015-2018-2020'],
  ALMONER_WORKERS: ['0', '65', 'auto', '-1'],
  ALMONER_CACHE: ['-1', '1025', '32MB'],
  ALMONER_ACCELERATORS: ['false', 'none'],
  ALMONER_CONSOLE: ['false', 'none'],
  ALMONER_CONSOLE_SIGN_IN: ['link', 'passkey,none'],
  ALMONER_OIDC_ISSUER: [
    'id.example.org',
    'http://id.example.org',
    'https://u:p@id.example.org',
    'https://id.example.org?a=b',
  ],
  ALMONER_OIDC_DOMAINS: ['@example.org', 'example org', 'example.org,'],
  ALMONER_USER_ISSUER: ['id.example.org', 'http://id.example.org', 'https://id.example.org/?a'],
  ALMONER_USER_DONOR_CLAIM: ['=donor', 'groups='],
  ALMONER_DRAIN: ['61', '1s'],
  ALMONER_REVIEW_EVERY: ['0', '3601', '1.5', '60s'],
  ALMONER_REVIEW: ['true', 'ON', '1'],
  ALMONER_LINK_CHECK: ['true', 'ON', '1', 'direct'],
  ALMONER_PUSH: [
    'off',
    'fcm,fcm',
    'log,fcm',
    'fcm,',
    'FCM',
    'file:',
    'file://host/pushes.ndjson',
    'toString',
  ],
  ALMONER_FCM_URL: [
    'http://fcm.example.org',
    'https://fcm.example.org/v1',
    'fcm.example.org',
    'https://u:p@h.org',
  ],
  ALMONER_FCM_QUOTA: ['0', '29999', '600k', '-1'],
  ALMONER_APNS_KEY_ID: ['ABC123', 'abc123defg', 'ABC123DEFGH'],
  ALMONER_APNS_TEAM_ID: ['ABC 23DEFG', 'ÀBC123DEFG'],
  ALMONER_APNS_TOPIC: ['app', 'org.example.', 'org example.app'],
  ALMONER_APNS_URL: ['api.push.apple.com', 'https://api.push.apple.com?a=b'],
  ALMONER_APNS_SANDBOX_URL: ['ftp://h.org', 'https://h.org/#top'],
  ALMONER_VAPID_PUBLIC_KEY: ['a'.repeat(87), `B${'a'.repeat(85)}`, `B${'+'.repeat(86)}`],
  ALMONER_VAPID_PRIVATE_KEY: ['a'.repeat(42), `${'a'.repeat(43)}=`],
  ALMONER_VAPID_SUBJECT: ['someone@example.org', 'http://example.org', 'mailto:', 'mailto:a@b@c'],
  ALMONER_WEBPUSH_HOSTS: [
    '*',
    'https://push.example.org',
    'push.example.org,',
    'a b',
    '*.*.example.org',
    'h:x',
  ],
  ALMONER_PUSH_DEFAULT: ['webpush', 'FCM', 'fcm,apns'],
  ALMONER_PUSH_WINDOW: ['0', '1001', '-1'],
  ALMONER_DELIVERY_DAYS: ['0', '36501', 'keep', '90d'],
  ALMONER_NOTIFICATION_DAYS: ['0', '36501', 'never', '-1'],
  ALMONER_HISTORY_DAYS: ['0', '36501', 'keep'],
  ALMONER_NOTIFICATION_LIFE: ['59', '2419201', '24h'],
  ALMONER_ICON_URL: ['icon.png', 'javascript:alert(1)', 'https://u:p@example.org/icon.png', '""'],
  ALMONER_COLOR: ['1F4E79', '#1F4E7', '#1F4E790', 'navy'],
  ALMONER_MAX_DELAY: ['-1', '60001', 'off', '1.5'],
  ALMONER_CHANGES_WAITS: ['10', '3,2', '1000, 10000', 'off', '-1,5'],
  ALMONER_RATE_LIMIT: ['600', '0/min', '10/s', 'on', '-1/min'],
  ALMONER_DATABASE_READS: ['sqlite:a.db', 'replica', 'postgres://h/d,mysql://h/d'],
  ALMONER_READS_LAG: ['0s', '61m', '5', 'none'],
  ALMONER_KEEP_ALIVE: ['4s', '61m', '73', '0', 'off', '-1s'],
  ALMONER_TRUST_PROXY: ['on', 'proxy.local', '10.0.0.0/33', '10.0.0.0/0', '::/129', '10.0.0.1,,10.0.0.2'],
  ALMONER_CORS_ORIGINS: ['*', 'example.org', 'https://example.org/', 'https://a.example.org,b'],
  ALMONER_METRICS: ['yes', '9464', ':9464', 'h:', 'h:99999', '::1:9464', '[h]:9464'],
  ALMONER_LOG_LEVEL: ['verbose', 'INFO', 'silent'],
}

for (const { name } of ALL_SETTINGS)
  t.test(`Settings: ${name} is accepted or rejected, with its name and never its value`, async (t) => {
    for (const [text, key, value] of TAKEN[name] ?? []) t.strictSame(read({ [name]: text })[key], value, text)
    t.ok((REFUSED[name] ?? []).length > 1 || [...PATHS, ...GIVEN_OUT].includes(name))
    for (const text of REFUSED[name] ?? []) {
      const [line = '', ...others] = faults({ [name]: text })
      t.match(line, new RegExp(`^${name} must be `), text)
      t.notOk(line.includes(text) && text.includes('@'), 'no secret is repeated')
      t.strictSame(others, [])
    }
  })

t.test(
  'Settings: a PostgreSQL URL may have several servers; printing it never shows its password',
  async (t) => {
    const { database } = read({
      ALMONER_DATABASE: 'postgresql://u:p%40ss@one,[::1]:5433/d?sslmode=verify-full&sslrootcert=/ca.pem',
    })
    const encryption = { verify: 'name', rootCertificate: '/ca.pem', certificate: undefined, key: undefined }
    const hosts = [
      { host: 'one', port: 5432 },
      { host: '::1', port: 5433 },
    ]
    t.match(database, { kind: 'postgres', place: { hosts, database: 'd', user: 'u', encryption } })
    t.equal(database.kind === 'postgres' && database.place.password?.(), 'p@ss')
    t.notMatch(`${JSON.stringify(database)} ${inspect(database, { depth: 9 })}`, /p@ss|p%40ss/)
  },
)

t.test(
  'Settings: all errors are reported together, unknown names with the most similar known one',
  async (t) => {
    const lines = faults({
      ALMONER_EMBARGO: 'maybe',
      ALMONER_PORT: 'x',
      ALMONER_PROT: '1',
      ALMONER_LOG_LEVLE: 'info',
      ALMONER_DB: 'x',
      ALMONER: 'not ours',
      PORT: 'x',
    })
    t.strictSame(lines, [
      'ALMONER_PORT must be a whole number from 0 to 65535',
      'ALMONER_EMBARGO must be one of true, false',
      'ALMONER_DB is no setting; the nearest one is ALMONER_DATABASE',
      'ALMONER_LOG_LEVLE is no setting; the nearest one is ALMONER_LOG_LEVEL',
      'ALMONER_PROT is no setting; the nearest one is ALMONER_PORT',
    ])
  },
)

t.test('Settings: reading ends for any values, and no line repeats a secret', async () => {
  const secret = fc.string({ minLength: 12, maxLength: 40 }).filter((text) => text.trim().length >= 12)
  fc.assert(
    fc.property(fc.constantFrom(...ALL_SETTINGS), secret, ({ name }, text) =>
      faults({ [name]: text }).every(
        (line) =>
          /^(\w+) must be (?:set: (\w+) is$)?/.exec(line)?.slice(1).includes(name) && !line.includes(text),
      ),
    ),
  )
})

t.test('Settings: a name with one wrong letter gets the right suggestion', async () => {
  const letters = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ')
  fc.assert(
    fc.property(fc.constantFrom(...ALL_SETTINGS), fc.nat(), letters, ({ name }, place, letter) => {
      const at = 'ALMONER_'.length + (place % (name.length - 'ALMONER_'.length))
      const wrong = `${name.slice(0, at)}${letter}${name.slice(at + 1)}`
      fc.pre(!ALL_SETTINGS.some((known) => known.name === wrong))
      // Two names may be as near as each other, as HOST and PORT are to POST.
      fc.pre(ALL_SETTINGS.filter((known) => distance(known.name, wrong) <= 1).length === 1)
      return faults({ [wrong]: '1' })[0] === `${wrong} is no setting; the nearest one is ${name}`
    }),
  )
})

t.test('Settings: help and docs/operations.md list all settings, from the same definition', async (t) => {
  const docs = readFileSync(join(import.meta.dirname, '../../../../docs/operations.md'), 'utf8')
  t.ok(docs.includes(settingsTable()), 'node apps/almoner/test/support/settings-table.ts prints the table')
  for (const setting of ALL_SETTINGS)
    t.ok(serve.help?.().includes(`${setting.name}=${setting.default}\n`), setting.name)
})
