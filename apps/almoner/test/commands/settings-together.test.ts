import { longestWait } from '@almoner/adapters-push'
import { DEFAULT_POLICY } from '@almoner/domain'
import { ANSWER_WITHIN } from '@almoner/domain/delivery'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { policyOf, type Settings } from '../../src/config/definitions.ts'
import { type Environment, readSettings } from '../../src/config/read.ts'

const read = (environment: Environment): Settings => {
  const settings = readSettings(environment)
  if (E.isLeft(settings)) throw new Error(settings.left.join('\n'))
  return settings.right
}

const faults = (environment: Environment): ReadonlyArray<string> =>
  E.getOrElse((): ReadonlyArray<string> => [])(E.swap(readSettings(environment)))

t.test('I8, Settings: standbys have addresses as the database has, of PostgreSQL alone', async (t) => {
  const [database, reads] = ['ALMONER_DATABASE', 'ALMONER_DATABASE_READS']
  const list = 'postgres://u:p@a,b:5433/d?sslmode=verify-full, postgresql://u@[::1]/d'
  const { databaseReads } = read({ [database]: 'postgres://u@h/d', [reads]: list })
  t.strictSame(
    databaseReads.map(({ hosts }) => hosts.map(({ host, port }) => `${host} ${port}`)),
    [['a 5432', 'b 5433'], ['::1 5432']],
  )
  t.strictSame(faults({ [reads]: list }), [`${reads} must not be set: ${database} is a file`])
})

t.test('A10, Settings: an issuer of people needs an audience, and the others need an issuer', async (t) => {
  const [issuer, audience, claim] = [
    'ALMONER_USER_ISSUER',
    'ALMONER_USER_AUDIENCE',
    'ALMONER_USER_DONOR_CLAIM',
  ]
  const at = { [issuer]: 'https://id.example.org/' }
  t.strictSame(faults(at), [`${audience} must be set: ${issuer} is`])
  t.strictSame(faults({ [audience]: 'app', [claim]: 'donor' }), [
    `${issuer} must be set: ${audience} is`,
    `${issuer} must be set: ${claim} is`,
  ])
  const { userIssuer, userAudience, userDonorClaim } = read({
    ...at,
    [audience]: 'app, page',
    [claim]: 'a=b=c',
  })
  t.strictSame(userIssuer, O.some('https://id.example.org/'))
  t.strictSame(userAudience, ['app', 'page'])
  t.strictSame(userDonorClaim, O.some({ name: 'a', value: O.some('b=c') }))
})

t.test(
  'Settings: sign-in by OpenID Connect needs its settings, with a line for each that lacks',
  async (t) => {
    const sign = { ALMONER_CONSOLE_SIGN_IN: 'passkey,oidc' }
    const names = ['ALMONER_OIDC_ISSUER', 'ALMONER_OIDC_CLIENT_ID', 'ALMONER_OIDC_CLIENT_SECRET']
    const lines = names.map((name) => `${name} must be set: ALMONER_CONSOLE_SIGN_IN names oidc`)
    t.strictSame(faults(sign), lines)
    const issuer = { ...sign, ALMONER_OIDC_ISSUER: 'https://id.example.org' }
    t.strictSame(faults({ ...issuer, ALMONER_OIDC_CLIENT_ID: '' }), lines.slice(1))
    const all = { ...issuer, ALMONER_OIDC_CLIENT_ID: 'a', ALMONER_OIDC_CLIENT_SECRET: 'b' }
    t.strictSame(read(all).consoleSignIn, ['passkey', 'oidc'])
    t.strictSame(faults({ ...all, ALMONER_CONSOLE_SIGN_IN: 'none', ALMONER_OIDC_ISSUER: '' }), [])
  },
)

t.test('Settings: a connection listens to a server, not to a file', async (t) => {
  const listen = { ALMONER_DATABASE_LISTEN: 'postgres://almoner@one/almoner' }
  t.strictSame(faults(listen), ['ALMONER_DATABASE_LISTEN must not be set: ALMONER_DATABASE is a file'])
  const through = { ...listen, ALMONER_DATABASE: 'postgres://almoner@pooler:6432/almoner?prepared=true' }
  const { database, databaseListen } = read(through)
  t.match(database, { place: { hosts: [{ host: 'pooler', port: 6432 }], prepared: true } })
  t.match(databaseListen, O.some({ hosts: [{ host: 'one', port: 5432 }] }))
})

t.test('Settings: with the slowest FCM quota, waiting pushes still get a result in time', async (t) => {
  const { fcmQuota, pushWindow } = read({ ALMONER_FCM_QUOTA: '30000', ALMONER_PUSH_WINDOW: '1000' })
  t.ok(longestWait(fcmQuota, pushWindow) < ANSWER_WITHIN / 3)
})

t.test('Settings: values for rules reach the policy; their defaults are the domain’s', async (t) => {
  t.strictSame(policyOf(read({})), DEFAULT_POLICY)
  const decided = {
    ALMONER_TIME_ZONE: 'Europe/Paris',
    ALMONER_EMBARGO: 'true',
    ALMONER_TOKEN_TTL: '60',
    ALMONER_SESSION_IDLE: '30m',
    ALMONER_SESSION_LIFE: '7d',
    ALMONER_PUSH_DEFAULT: 'apns',
    ALMONER_WEBPUSH_HOSTS: 'localhost:8443',
    ALMONER_NOTIFICATION_LIFE: '60',
    ALMONER_ICON_URL: 'https://example.org/icon.png',
    ALMONER_COLOR: '#000000',
  }
  t.match(policyOf(read(decided)), {
    timeZone: 'Europe/Paris',
    embargo: true,
    tokenTtl: 60,
    sessionIdle: 1800,
    sessionLife: 604_800,
    pushDefault: O.some('apns'),
    webPushHosts: ['localhost:8443'],
    look: { iconUrl: O.some('https://example.org/icon.png'), color: '#000000' },
    notificationLife: 60,
  })
})

t.test('F1: domains of OpenID accounts are read in the form of addresses', async (t) => {
  const { oidcDomains } = read({ ALMONER_OIDC_DOMAINS: 'Example.ORG,xn--bcher-kva.example,BÜCHER.example' })
  t.same(oidcDomains, ['example.org', 'bücher.example', 'bücher.example'])
})

t.test('D3: a base URL is stored without its trailing slash, and accepted again', async () => {
  const urls = fc.webUrl({ withQueryParameters: false, withFragments: false })
  fc.assert(
    fc.property(urls, fc.nat(3), (url, slashes) => {
      const { baseUrl } = read({ ALMONER_BASE_URL: `${url}${'/'.repeat(slashes)}` })
      if (O.isNone(baseUrl) || baseUrl.value.endsWith('/')) return false
      return O.getOrElse(() => '')(read({ ALMONER_BASE_URL: baseUrl.value }).baseUrl) === baseUrl.value
    }),
  )
})
