import { type Password, type PasswordHash, totpCode, totpSecretOf, totpStep } from '@almoner/domain/managers'
import { instant } from '@almoner/domain/values'
import { done } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { makePasskeyChecker, makePasswordChecker, passkeyHost } from '../src/index.ts'

t.test('M3: passkeys need a host name, and https except on localhost', async (t) => {
  for (const [url, host] of [
    ['https://almoner.example.org', 'almoner.example.org'],
    ['https://almoner.example.org:8443/path', 'almoner.example.org'],
    ['http://localhost:3000', 'localhost'],
    ['http://almoner.localhost', 'almoner.localhost'],
    ['http://127.0.0.1:3000', undefined],
    ['https://192.0.2.1', undefined],
    ['https://[::1]', undefined],
    ['http://almoner.example.org', undefined],
  ] as const) {
    t.equal(passkeyHost(url), host, url)
    t.equal(makePasskeyChecker({ baseUrl: () => url }).isPossible(), host !== undefined, url)
  }
})

t.test('M3: options ask for verification, and name the person to the browser only', async (t) => {
  const checker = makePasskeyChecker({ baseUrl: () => 'https://almoner.example.org' })
  const ada = { email: 'ada@example.org', name: 'Ada' } as never
  const options = checker.registrationOptions(ada, ['known' as never], 'challenge')
  t.match(options, {
    rp: { id: 'almoner.example.org' },
    user: { name: 'ada@example.org', displayName: 'Ada' },
    challenge: Buffer.from('challenge').toString('base64url'),
    excludeCredentials: [{ type: 'public-key', id: 'known' }],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
  })
  t.notMatch((options['user'] as { id: string }).id, /ada/)
  t.match(checker.signInOptions('challenge'), { rpId: 'almoner.example.org', userVerification: 'required' })
})

t.test('M3: a response that cannot be read is refused', async (t) => {
  const checker = makePasskeyChecker({ baseUrl: () => 'https://almoner.example.org' })
  const clientDataJSON = Buffer.from('{"challenge":"YQ"}').toString('base64url')
  const readable = JSON.stringify({ id: 'a', response: { clientDataJSON } })
  t.same(checker.read(readable), O.some({ id: 'a', challenge: 'a' }))
  for (const text of ['', '{', 'null', '{}', '{"id":"a"}', '{"id":"a","response":{"clientDataJSON":"e30"}}'])
    t.same(checker.read(text), O.none, text)
  const passkey = { id: 'a', publicKey: 'YQ', signCount: 0 } as never
  for (const text of ['{', readable]) {
    t.same(await checker.checkRegistration(text, 'a')(), E.left({ _tag: 'PasskeyRefused' }))
    t.same(await checker.checkSignIn(text, 'a', passkey)(), E.left({ _tag: 'PasskeyRefused' }))
  }
})

t.test('A6, M3: a password is hashed by scrypt with a salt, and compared with its hash only', async (t) => {
  const checker = makePasswordChecker()
  const [password, other] = ['correct horse battery' as Password, 'correct horse batterie' as Password]
  const stored = await done(checker.hash(password))
  t.match(stored, /^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  t.not(await done(checker.hash(password)), stored)
  t.equal(await done(checker.verify(password, O.some(stored))), true)
  t.equal(await done(checker.verify(other, O.some(stored))), false)
  t.equal(await done(checker.verify(password, O.none)), false)
  t.equal(await done(checker.verify(password, O.some('unreadable' as PasswordHash))), false)
})

t.test('A6: few hashes are computed at once, and too many are unavailable', async (t) => {
  const checker = makePasswordChecker()
  const checks = Array.from({ length: 20 }, () => checker.verify('a' as Password, O.none)())
  const refused = (await Promise.all(checks)).filter(E.isLeft)
  t.ok(refused.length > 0 && refused.length <= 4, String(refused.length))
  t.match(refused[0], E.left({ _tag: 'Unavailable' }))
})

t.test('M3: HMAC-SHA-1 gives the codes of RFC 6238', async (t) => {
  const { hmac, random } = makePasswordChecker()
  const secret = totpSecretOf(Buffer.from('12345678901234567890'))
  const codes = [59, 1_111_111_109, 20_000_000_000].map((seconds) =>
    totpCode(hmac, secret, totpStep(instant(1000 * seconds))),
  )
  t.strictSame(codes, ['287082', '081804', '353130'])
  t.equal(new Set([random(20), random(20)].map(String)).size, 2)
})
