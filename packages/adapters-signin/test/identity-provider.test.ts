import { Issuer, linkableEmail } from '@almoner/domain/managers'
import {
  type Account,
  KNOWN_PROVIDERS,
  type OidcProvider,
  openProvider,
  type ProviderOptions,
  signInAt,
} from '@almoner/oidc-provider'
import { done, failure } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t, { type Test } from 'tap'
import { makeIdentityProvider } from '../src/index.ts'

const REDIRECT_URI = 'https://almoner.example.org/console/sign-in'

const open = async (t: Test, options: Partial<ProviderOptions> = {}) => {
  const accounts = new Map<string, Account>([['ada-1', { email: 'ada@example.org' }]])
  const server = await openProvider({ redirectUri: REDIRECT_URI, accounts, ...options })
  t.teardown(server.stop)
  return { server, provider: providerAt(server) }
}

const providerAt = ({ issuer, clientId, clientSecret }: OidcProvider, over: { clientSecret?: string } = {}) =>
  makeIdentityProvider({
    ...{ issuer, clientId, clientSecret, ...over },
    ...{ domains: [], trustsEmail: false },
    redirectUri: () => REDIRECT_URI,
  })

const secret = 'a-secret-of-a-browser'

t.test(
  'M3: a sign-in asks for a code with state, nonce and PKCE, which do not contain the secret',
  async (t) => {
    const { provider } = await open(t)
    const url = new URL(await done(provider.start(secret, false)))
    const asked = Object.fromEntries(url.searchParams)
    t.match(asked, {
      response_type: 'code',
      scope: 'openid email',
      redirect_uri: REDIRECT_URI,
      code_challenge_method: 'S256',
      max_age: '86400',
    })
    for (const name of ['state', 'nonce', 'code_challenge']) t.match(asked[name], /^[\w-]{43}$/, name)
    t.equal(new Set([secret, asked['state'], asked['nonce'], asked['code_challenge']]).size, 4)
    t.notMatch(url.href, secret)
    const again = new URL(await done(provider.start(secret, true)))
    t.equal(again.searchParams.get('state'), asked['state'])
    t.match(Object.fromEntries(again.searchParams), { prompt: 'login', max_age: '0' })
    const other = new URL(await done(provider.start('another', false)))
    t.not(other.searchParams.get('state'), asked['state'])
  },
)

for (const hasEmailInToken of [true, false])
  t.test(
    `M3: a person is proved with the address ${hasEmailInToken ? 'in the token' : 'on request'}`,
    async (t) => {
      const { server, provider } = await open(t, { hasEmailInToken })
      const response = await signInAt(await done(provider.start(secret, false)), 'ada-1')
      const identity = await done(provider.finish(secret, response))
      const { issuer, subject, authenticatedAt } = identity
      t.same({ issuer, subject }, { issuer: server.issuer, subject: 'ada-1' })
      t.equal(await done(linkableEmail(identity, provider)), 'ada@example.org')
      t.ok(O.isSome(authenticatedAt), 'and when')
      t.equal(await failure(provider.finish(secret, response)), 'IdentityRefused', 'a code works once')
    },
  )

t.test('M3: responses that are not of this browser’s sign-in are refused', async (t) => {
  const { provider } = await open(t)
  const url = await done(provider.start(secret, false))
  const response = await signInAt(url, 'ada-1')
  t.equal(await failure(provider.finish('another', response)), 'IdentityRefused', 'another state')
  const wrongState = new URLSearchParams(response)
  wrongState.set('state', 'another')
  t.equal(await failure(provider.finish(secret, `${wrongState}`)), 'IdentityRefused', 'a changed state')
  const wrongIssuer = new URLSearchParams(response)
  wrongIssuer.set('iss', 'https://evil.example')
  t.equal(await failure(provider.finish(secret, `${wrongIssuer}`)), 'IdentityRefused', 'another issuer')
  const otherNonce = new URL(url)
  otherNonce.searchParams.set('nonce', 'another')
  const crossed = await signInAt(otherNonce.href, 'ada-1')
  t.equal(await failure(provider.finish(secret, crossed)), 'IdentityRefused', 'another nonce')
  const otherChallenge = new URL(url)
  otherChallenge.searchParams.set('code_challenge', 'E'.repeat(43))
  const unproved = await signInAt(otherChallenge.href, 'ada-1')
  t.equal(await failure(provider.finish(secret, unproved)), 'IdentityRefused', 'another verifier')
  const cancelled = await signInAt(url, undefined)
  t.match(cancelled, /error=access_denied/)
  t.equal(await failure(provider.finish(secret, cancelled)), 'IdentityRefused', 'cancelled')
  for (const text of ['', 'state=x', '#', '%', 'code=a&code=b'])
    t.equal(await failure(provider.finish(secret, text)), 'IdentityRefused', text)
})

t.test(
  'M3: a token with a wrong signature is refused, although it came from the provider itself',
  async (t) => {
    const { provider } = await open(t, { publishesOtherKeys: true, hasEmailInToken: true })
    const response = await signInAt(await done(provider.start(secret, false)), 'ada-1')
    t.equal(await failure(provider.finish(secret, response)), 'IdentityRefused')
  },
)

t.test('M3: a provider that is down is a failure of its own, and is asked again', async (t) => {
  const { server, provider } = await open(t)
  await server.stop()
  t.equal(await failure(provider.start(secret, false)), 'ProviderUnavailable')
  await server.start()
  const response = await signInAt(await done(provider.start(secret, false)), 'ada-1')
  await server.stop()
  t.equal(await failure(provider.finish(secret, response)), 'ProviderUnavailable')
})

t.test('M3: a wrong client secret is for the operator, not a refusal of the person', async (t) => {
  const { server, provider } = await open(t)
  const response = await signInAt(await done(provider.start(secret, false)), 'ada-1')
  const wrong = providerAt(server, { clientSecret: 'wrong' })
  t.equal(await failure(wrong.finish(secret, response)), 'ProviderUnavailable')
})

t.test('M11: the claims of known providers verify an address, as their documentation has them', async (t) => {
  const accounts = new Map<string, Account>(
    KNOWN_PROVIDERS.map(({ claims }, n) => [
      `known-${n}`,
      { email: 'unused@example.org', sent: claims('ada@example.org') },
    ]),
  )
  const { provider } = await open(t, { accounts })
  for (const [n, { name, links }] of KNOWN_PROVIDERS.entries()) {
    const response = await signInAt(await done(provider.start(secret, false)), `known-${n}`)
    const identity = await done(provider.finish(secret, response))
    for (const [trustsEmail, isLinked] of [
      [false, links.plainly],
      [true, links.trusted],
    ] as const) {
      const found = await linkableEmail(identity, { domains: [], trustsEmail })()
      t.equal(E.isRight(found), isLinked, `${name}, ${trustsEmail ? 'trusted' : 'plainly'}`)
      t.ok(E.isRight(found) || /^(?:address-not-verified|verification-not-stated)$/.test(String(found.left)))
    }
  }
})

t.test('M11: the userinfo of another subject is refused, and one that does not answer is not', async (t) => {
  const sent = { idToken: {}, userinfo: { sub: 'eve-1', email: 'ada@example.org', email_verified: true } }
  const { server, provider } = await open(t, {
    accounts: new Map([
      ['ada-1', { email: 'ada@example.org' }],
      ['mixed-1', { email: 'ada@example.org', sent }],
    ]),
  })
  const proved = async (account: string) => {
    const response = await signInAt(await done(provider.start(secret, false)), account)
    return done(provider.finish(secret, response))
  }
  t.match(await linkableEmail(await proved('mixed-1'), provider)(), {
    left: { _tag: 'IdentityRefused', reason: 'other-subject' },
  })
  const identity = await proved('ada-1')
  await server.stop()
  t.match(await linkableEmail(identity, provider)(), { left: { _tag: 'ProviderUnavailable' } })
})

t.test('M3: an issuer has https, or http on loopback', async (t) => {
  for (const url of [
    'https://id.example.org',
    'https://id.example.org/realms/a',
    'http://localhost:8080',
    'http://127.0.0.1:1',
    'http://[::1]',
  ])
    t.ok(Issuer.is(url), url)
  for (const url of [
    'http://id.example.org',
    'http://localhost.evil.example',
    'http://localhost:1.evil.example',
    'http://127.0.0.1@evil.example',
    'ftp://localhost',
    'id.example.org',
    'https://u:p@id.example.org',
    'https://id.example.org?a',
    'https://id.example.org#a',
    '',
  ])
    t.notOk(Issuer.is(url), url)
  const plain = makeIdentityProvider({
    ...{ issuer: 'http://id.example.org', clientId: 'a', clientSecret: 'b', domains: [], trustsEmail: false },
    redirectUri: () => REDIRECT_URI,
  })
  t.match(await plain.start(secret, false)(), {
    left: { cause: { message: 'only requests to HTTPS are allowed' } },
  })
})
