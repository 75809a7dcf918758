import { generateKeyPairSync } from 'node:crypto'
import type { IdTokens } from '@almoner/domain/ports'
import {
  namedKey,
  type OidcProvider,
  openProvider,
  publishedKey,
  signatureOf,
  signToken,
  type TestKey,
  tokenWith,
} from '@almoner/oidc-provider'
import { type ContractRunner, done, idTokensContract } from '@almoner/testkit/contracts'
import { setClock } from '@almoner/testkit/memory'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import t, { type Test } from 'tap'
import { makeIdTokens } from '../src/index.ts'

const REDIRECT_URI = 'https://almoner.example.org/console/sign-in'

const open = () => openProvider({ redirectUri: REDIRECT_URI, accounts: new Map() })

const runner: ContractRunner = (name, body) => {
  t.test(name, async (t) =>
    body({ same: (a, b, m) => t.strictSame(a, b, m ?? ''), ok: (v, m) => t.ok(v, m ?? '') }),
  )
}

idTokensContract(runner, async () => {
  const server = await open()
  const clock = setClock()
  return {
    idTokens: makeIdTokens({ issuer: server.issuer }, clock),
    clock,
    provider: {
      sign: async (claims, key, kid) =>
        signToken({ alg: 'ES256', ...(kid !== undefined && { kid }) }, claims, namedKey(key)),
      publish: (...keys) => server.publish(keys.map((kid) => publishedKey(namedKey(kid), { kid }))),
      setDown: server.setDown,
      fetches: server.fetches,
    },
    close: server.stop,
  }
})

const CLAIMS = { sub: 'ada', email: 'ada@example.org' }

const opened = async (t: Test): Promise<{ server: OidcProvider; idTokens: IdTokens }> => {
  const server = await open()
  t.teardown(server.stop)
  return { server, idTokens: makeIdTokens({ issuer: server.issuer }, setClock()) }
}

const reasonOf = async (idTokens: IdTokens, token: string): Promise<string> => {
  const result = await idTokens.verify(token)()
  if (E.isRight(result)) return 'accepted'
  return result.left._tag === 'SubjectTokenRefused' ? result.left.reason : result.left._tag
}

const rsa = (modulusLength: number): TestKey => generateKeyPairSync('rsa', { modulusLength })

t.test('A10: RS256, PS256, ES256 and EdDSA count, and no other algorithm', async (t) => {
  const { server, idTokens } = await opened(t)
  const [one, curve, edwards] = [rsa(2048), namedKey('one'), generateKeyPairSync('ed25519')]
  server.publish([
    publishedKey(one, { kid: 'rsa' }),
    publishedKey(curve, { kid: 'ec' }),
    publishedKey(edwards, { kid: 'ed' }),
  ])
  for (const [alg, kid, key] of [
    ['RS256', 'rsa', one],
    ['PS256', 'rsa', one],
    ['ES256', 'ec', curve],
    ['EdDSA', 'ed', edwards],
  ] as const)
    t.strictSame(await done(idTokens.verify(signToken({ alg, kid, typ: 'JWT' }, CLAIMS, key))), CLAIMS, alg)
  for (const alg of ['none', 'HS256'])
    for (const kid of ['rsa', 'ec', undefined])
      t.equal(await reasonOf(idTokens, signToken({ alg, ...(kid && { kid }) }, CLAIMS, one)), 'algorithm')
  for (const alg of ['RS384', 'ES384', 'None', 'rs256', '', 7])
    t.equal(
      await reasonOf(
        idTokens,
        tokenWith({ alg, kid: 'rsa' }, CLAIMS, () => 'AAAA'),
      ),
      'algorithm',
    )
  t.equal(await reasonOf(idTokens, signToken({ alg: 'RS256', kid: 'ec' }, CLAIMS, one)), 'no-single-key')
})

t.test('A10: a token with crit, or with another typ than JWT, is refused', async (t) => {
  const { server, idTokens } = await opened(t)
  const key = namedKey('one')
  server.publish([publishedKey(key, { kid: 'one' })])
  const header = { alg: 'ES256', kid: 'one' }
  t.equal(
    await reasonOf(idTokens, signToken({ ...header, crit: ['b64'], b64: true }, CLAIMS, key)),
    'critical-header',
  )
  t.equal(await reasonOf(idTokens, signToken({ ...header, crit: [] }, CLAIMS, key)), 'critical-header')
  for (const typ of ['at+jwt', 'logout+jwt', 'secevent+jwt', '', 7])
    t.equal(await reasonOf(idTokens, signToken({ ...header, typ }, CLAIMS, key)), 'other-type')
  t.equal(await reasonOf(idTokens, signToken({ ...header, kid: 7 as never }, CLAIMS, key)), 'malformed')
})

t.test('A10: of all headers, those of a known algorithm that the key fits count', async (t) => {
  const { server, idTokens } = await opened(t)
  const keys = { RSA: rsa(2048), EC: namedKey('one'), OKP: generateKeyPairSync('ed25519') }
  server.publish(Object.entries(keys).map(([kid, key]) => publishedKey(key, { kid })))
  const known = { RS256: 'RSA', PS256: 'RSA', ES256: 'EC', EdDSA: 'OKP' } as const
  const header = fc.record(
    {
      alg: fc.constantFrom<unknown>(...Object.keys(known), 'none', 'HS256', 'RS512', 'toString', null, 7),
      kid: fc.constantFrom<unknown>('RSA', 'EC', 'OKP', 'RSA', 'EC', 'OKP', 7, null),
      typ: fc.constantFrom<unknown>('JWT', 'JWT', 'jwt', 'at+jwt', null),
      crit: fc.constantFrom<unknown>(['b64'], [], null),
      jwk: fc.constant(namedKey('two').publicKey.export({ format: 'jwk' })),
      extra: fc.json(),
    },
    { requiredKeys: ['alg', 'kid'] },
  )
  const signer = fc.constantFrom(...Object.keys(known))
  const property = fc.asyncProperty(header, signer, async (header, algorithm) => {
    const type = known[algorithm as keyof typeof known]
    const isRight =
      header.alg === algorithm &&
      header.kid === type &&
      header.crit === undefined &&
      [undefined, 'JWT'].includes(header.typ as string)
    // The signature is good: the header alone decides.
    const signature = (data: string) => signatureOf(algorithm, data, keys[type].privateKey)
    const reason = await reasonOf(idTokens, tokenWith(header, CLAIMS, signature))
    return isRight ? reason === 'accepted' : reason !== 'accepted' && reason !== 'KeysUnavailable'
  })
  await t.resolves(fc.assert(property))
})

t.test('A10: keys for other uses and weak RSA keys fit no token', async (t) => {
  const { server, idTokens } = await opened(t)
  const [weak, key] = [rsa(1024), namedKey('one')]
  server.publish([
    publishedKey(weak, { kid: 'weak' }),
    publishedKey(key, { kid: 'encryption', use: 'enc' }),
    publishedKey(key, { kid: 'other', alg: 'ES384' }),
    publishedKey(key, { kid: 'operations', key_ops: ['deriveKey'] }),
    { kty: 'oct', kid: 'secret', k: 'c2VjcmV0' },
    { kid: 7 },
    'no key',
    publishedKey(key, { kid: 'twice' }),
    publishedKey(namedKey('two'), { kid: 'twice' }),
  ] as ReadonlyArray<object>)
  t.equal(await reasonOf(idTokens, signToken({ alg: 'RS256', kid: 'weak' }, CLAIMS, weak)), 'no-single-key')
  for (const kid of ['encryption', 'other', 'operations', 'secret', 'twice'])
    t.equal(await reasonOf(idTokens, signToken({ alg: 'ES256', kid }, CLAIMS, key)), 'no-single-key', kid)
})

t.test(
  'A10: a payload that is no JSON object is refused, and a key with its private part counts',
  async (t) => {
    const { server, idTokens } = await opened(t)
    const key = namedKey('one')
    server.publish([{ ...key.privateKey.export({ format: 'jwk' }), kid: 'one' }])
    const header = { alg: 'ES256', kid: 'one' }
    for (const payload of ['', 'x', '[]', 'null', '"text"'])
      t.equal(await reasonOf(idTokens, signToken(header, payload, key)), 'malformed', payload)
    t.strictSame(await done(idTokens.verify(signToken(header, CLAIMS, key))), CLAIMS)
    t.equal(await reasonOf(idTokens, signToken(header, { pad: 'x'.repeat(20_000) }, key)), 'malformed')
  },
)

t.test('A10: a provider that answers in another way gives no keys', async (t) => {
  const { server } = await opened(t)
  const token = signToken({ alg: 'ES256' }, CLAIMS, namedKey('one'))
  server.publish([publishedKey(namedKey('one'))])
  const reason = (issuer: string) => reasonOf(makeIdTokens({ issuer }, setClock()), token)
  t.equal(await reason(server.issuer), 'accepted')
  t.equal(await reason(`${server.issuer}/`), 'KeysUnavailable', 'the configuration names another issuer')
  t.equal(await reason(`${server.issuer}/other`), 'KeysUnavailable', 'there is no configuration')
  server.publish('no list' as never)
  t.equal(await reason(server.issuer), 'KeysUnavailable')
})
