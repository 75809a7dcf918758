import { createHmac } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { DEFAULT_POLICY } from '@almoner/domain'
import {
  acceptedStep,
  type HmacSha1,
  isPersonal,
  makeChangePassword,
  makeRemovePassword,
  makeRenewRecoveryCodes,
  makeSetPassword,
  makeSignInByPassword,
  makeStartPassword,
  newRecoveryCodes,
  newSession,
  Password,
  type PasswordChecker,
  type PasswordHash,
  plainCode,
  TotpSecret,
  TypedPassword,
  totpCode,
  totpSecretOf,
  totpStep,
  totpUri,
} from '@almoner/domain/managers'
import type { Ports } from '@almoner/domain/ports'
import { type Email, instant } from '@almoner/domain/values'
import { done, failure, openByLink, sampleManager } from '@almoner/testkit/contracts'
import { memoryPorts, plainSecrets, setClock } from '@almoner/testkit/memory'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { fromBase32, toBase32 } from '../src/managers/codes.ts'

const hmac: HmacSha1 = (key, message) => createHmac('sha1', key).update(message).digest()

/** The secret of RFC 6238's test vectors: twenty ASCII digits. */
const SECRET = totpSecretOf(new TextEncoder().encode('12345678901234567890'))

const ADA = sampleManager('ada')
const PASSWORD = 'correct horse battery' as Password
const STEP = 30_000

t.test('M3: codes are those of RFC 6238', async (t) => {
  const vectors: ReadonlyArray<readonly [number, string]> = [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ]
  for (const [seconds, code] of vectors)
    t.equal(totpCode(hmac, SECRET, totpStep(instant(seconds * 1000))), code, String(seconds))
})

t.test('base32 is that of RFC 4648', async (t) => {
  t.equal(toBase32(new TextEncoder().encode('fooba')), 'MZXW6YTB')
  const tens = fc.integer({ min: 0, max: 8 }).chain((n) => {
    return fc.uint8Array({ minLength: 5 * n, maxLength: 5 * n })
  })
  const property = fc.property(tens, (bytes) => isDeepStrictEqual(fromBase32(toBase32(bytes)), bytes))
  t.doesNotThrow(() => fc.assert(property))
})

t.test('M3: a code counts in its step, the one before and the one after', async (t) => {
  const unused = { totpSecret: SECRET, usedStep: -1 }
  const moments = fc.integer({ min: 10 * STEP, max: 2 ** 42 })
  const property = fc.property(moments, fc.integer({ min: -4, max: 4 }), (now, away) => {
    const step = totpStep(instant(now)) + away
    const accepted = acceptedStep(hmac, unused, totpCode(hmac, SECRET, step), instant(now))
    // Codes of different steps are equal once in a million.
    const isOther = O.isSome(accepted) && accepted.value !== step
    return isOther || O.isSome(accepted) === Math.abs(away) <= 1
  })
  t.doesNotThrow(() => fc.assert(property))
})

t.test('M3: each step counts once', async (t) => {
  const clicks = fc.array(fc.tuple(fc.nat(2), fc.nat(40_000)), { maxLength: 20 })
  const property = fc.property(clicks, (attempts) => {
    let [now, usedStep] = [1_700_000_000_000, -1]
    const used: Array<number> = []
    for (const [ahead, wait] of attempts) {
      now += wait
      const code = totpCode(hmac, SECRET, totpStep(instant(now)) + ahead - 1)
      const step = acceptedStep(hmac, { totpSecret: SECRET, usedStep }, code, instant(now))
      if (O.isSome(step)) used.push(step.value)
      if (O.isSome(step)) usedStep = step.value
    }
    return used.every((step, n) => n === 0 || step > (used[n - 1] ?? step))
  })
  t.doesNotThrow(() => fc.assert(property))
})

t.test(
  'I9: a code that was used by a clock ahead does not lock its owner out, and each step counts once after it',
  async (t) => {
    const property = fc.property(
      fc.integer({ min: 10 * STEP, max: 2 ** 42 }),
      fc.integer({ min: 2 * STEP + 60_000, max: 2 ** 40 }),
      (now, ahead) => {
        const use = (usedStep: number) =>
          acceptedStep(
            hmac,
            { totpSecret: SECRET, usedStep },
            totpCode(hmac, SECRET, totpStep(instant(now))),
            instant(now),
          )
        const first = use(totpStep(instant(now + ahead)) + 1)
        return O.isSome(first) && O.isNone(use(first.value))
      },
    )
    t.doesNotThrow(() => fc.assert(property))
    const withoutFactor = { totpSecret: SECRET, usedStep: Number.POSITIVE_INFINITY }
    const code = totpCode(hmac, SECRET, totpStep(instant(2 ** 41)))
    t.same(acceptedStep(hmac, withoutFactor, code, instant(2 ** 41)), O.none, 'who has no second factor')
  },
)

t.test('M3: the URI for the app has the address, the secret and the issuer', async (t) => {
  const uri = new URL(totpUri('ada+x@example.org' as Email, SECRET))
  t.equal(decodeURIComponent(uri.pathname), '/Almoner:ada+x@example.org')
  t.same(
    [...uri.searchParams],
    [
      ['secret', SECRET],
      ['issuer', 'Almoner'],
    ],
  )
  t.ok(TotpSecret.is(SECRET))
})

t.test('M3: a password has 12 to 256 characters of any kind, in NFKC', async (t) => {
  const read = (text: string) => O.toUndefined(O.fromEither(Password.decode(text)))
  t.equal(read('a'.repeat(11)), undefined)
  t.equal(read('a'.repeat(12)), 'a'.repeat(12))
  t.equal(read('😀'.repeat(11)), undefined, 'code points count')
  t.ok(read('😀'.repeat(256)))
  t.equal(read('a'.repeat(257)), undefined)
  t.equal(read('ﬁve ofﬁces in Zürich'), 'five offices in Zu\u0308rich'.normalize('NFC'))
  t.equal(read('a password\u0000 with nothing'), undefined)
  const typed = TypedPassword.decode('ﬁve ofﬁces in Zürich')
  t.same(typed, E.right('five offices in Zürich'), 'a typed one is compared in the same form')
})

t.test('M3: neither the address nor the name is a password', async (t) => {
  const person = { email: 'amelie.durand@example.org' as Email, name: 'Amélie Durand' as never }
  for (const [text, isRefused] of [
    ['Amelie.Durand@Example.org', true],
    ['AMELIE DURAND', true],
    ['Amélie Durand', true],
    ['Amélie Durand 1', false],
  ] as const)
    t.equal(isPersonal(text as Password, person), isRefused, text)
})

t.test('M3: recovery codes differ, and are read with capitals, spaces and without hyphens', async (t) => {
  let last = 0
  const codes = newRecoveryCodes((count) => {
    last += 1
    return new Uint8Array(count).fill(last)
  })
  t.equal(new Set(codes).size, 10)
  t.ok(codes.every((code) => /^(?:[a-z2-7]{4}-){5}[a-z2-7]{4}$/.test(code)))
  const [first = ''] = codes
  t.equal(plainCode(first.toUpperCase().replaceAll('-', ' ')), plainCode(first))
  t.equal(plainCode(' 123 456 '), '123456')
})

/** A checker whose hashes can be read, and which counts its work. */
const plainChecker = () => {
  const checked: Array<O.Option<PasswordHash>> = []
  let made = 0
  const checker: PasswordChecker = {
    hash: (password) => async () => E.right(`hash of ${password}` as PasswordHash),
    verify: (password, hash) => async () => {
      checked.push(hash)
      return E.right(O.toUndefined(hash) === `hash of ${password}`)
    },
    hmac,
    random: (count) => {
      made += 1
      return new Uint8Array(count).fill(made)
    },
  }
  return { checker, checked }
}

/** Returns the actions of the records, the first one first. */
const actions = async ({ history }: Pick<Ports, 'history'>): Promise<ReadonlyArray<string>> => {
  const query = { since: O.none, until: O.none, actor: O.none, action: O.none, subject: O.none }
  const all: Array<string> = []
  for await (const batch of history.records(query)) all.push(...batch.map(({ action }) => action))
  return all.toReversed()
}

/** A service in which Ada has set a password. */
const withPassword = async () => {
  const clock = setClock(1_700_000_000_000)
  const ports = memoryPorts({ clock, secrets: plainSecrets() })
  const { checker, checked } = plainChecker()
  await done(ports.managers.add(ADA))
  const digest = ports.secrets.digest('own session')
  const session = newSession({ digest, email: ADA.email, browser: '' }, clock.now(), DEFAULT_POLICY)
  const active = { session, manager: ADA, number: await openByLink(ports, session) }
  const { secret } = await done(makeStartPassword(ports)(checker, active))
  const codeNow = () => totpCode(hmac, secret, totpStep(clock.now()))
  const set = makeSetPassword(ports)
  const codes = await done(set(checker, active, { password: PASSWORD, secret, code: codeNow() }))
  clock.advance(STEP)
  const signIn = (given: object = {}) =>
    makeSignInByPassword(ports, DEFAULT_POLICY)(checker, {
      ...{ email: ADA.email, password: PASSWORD, code: codeNow(), address: '192.0.2.1', browser: '' },
      ...given,
    })
  return { clock, ports, checker, checked, active, secret, codes, codeNow, signIn, set }
}

t.test('M3: password and code open a session; each code does once', async (t) => {
  const { clock, signIn, codes, codeNow, ports } = await withPassword()
  const used = codeNow()
  t.equal((await done(signIn())).manager.email, ADA.email)
  t.equal(await failure(signIn({ code: used })), 'SignInRefused')
  const [recovery = ''] = codes
  await done(signIn({ code: ` ${recovery.toUpperCase()} ` }))
  t.equal(await failure(signIn({ code: recovery })), 'SignInRefused')
  clock.advance(STEP)
  await done(signIn({ code: `${codeNow().slice(0, 3)} ${codeNow().slice(3)}` }))
  const stored = await done(ports.passwords.find(ADA.email))
  t.match(stored, { value: { lastUsedAt: O.some(clock.now()) } })
  t.equal(O.isSome(stored) && stored.value.recoveryCodes.length, 9)
})

t.test('M3: every wrong attempt is refused alike, after one check of a hash', async (t) => {
  const { signIn, checked, codeNow, ports } = await withPassword()
  const eve = sampleManager('eve')
  await done(ports.managers.add(eve))
  const attempts = {
    'a wrong password': { password: 'correct horse batterie' },
    'a wrong code': { code: codeNow() === '000000' ? '000001' : '000000' },
    'no code at all': { code: 'x' },
    'an unknown person': { email: 'unknown@example.org' },
    'a manager without a password': { email: eve.email },
  }
  for (const [name, given] of Object.entries(attempts)) {
    checked.length = 0
    t.equal(await failure(signIn(given)), 'SignInRefused', name)
    t.equal(checked.length, 1, name)
  }
  await done(ports.managers.change(ADA.email, { disabled: true }))
  t.equal(await failure(signIn()), 'SignInRefused', 'a disabled manager')
})

t.test('M3: a wrong password uses no code up', async (t) => {
  const { signIn, codes } = await withPassword()
  const [code] = codes
  t.equal(await failure(signIn({ password: 'correct horse batterie', code })), 'SignInRefused')
  t.equal(await failure(signIn({ password: 'correct horse batterie' })), 'SignInRefused')
  await done(signIn())
  await done(signIn({ code }))
})

t.test('A8: after ten failures a pair of person and address waits, others do not', async (t) => {
  const { signIn, clock } = await withPassword()
  const wrong = { password: 'correct horse batterie' }
  const guesses = Array.from({ length: 12 }, () => failure(signIn(wrong)))
  t.same(new Set(await Promise.all(guesses)), new Set(['SignInRefused']), 'sent at once')
  t.equal(await failure(signIn()), 'TooManyAttempts')
  await done(signIn({ address: '192.0.2.2' }))
  t.equal(await failure(signIn({ ...wrong, email: 'unknown@example.org' })), 'SignInRefused')
  clock.advance(60_000)
  await done(signIn())
})

t.test('A8: the right password among many guesses sent at once is refused, too', async (t) => {
  const { signIn } = await withPassword()
  const wrong = { password: 'correct horse batterie' }
  const guesses = Array.from({ length: 20 }, () => failure(signIn(wrong)))
  const right = failure(signIn())
  await Promise.all(guesses)
  t.equal(await right, 'TooManyAttempts')
})

t.test('M3: an app is confirmed by its code, with the secret made for the person, once', async (t) => {
  const { ports, checker, active, set, clock, secret: used, codeNow } = await withPassword()
  const again = () => set(checker, active, { password: PASSWORD, secret: used, code: codeNow() })
  t.match(await again()(), E.left({ errors: [{ field: 'secret' }] }), 'used')
  const { secret } = await done(makeStartPassword(ports)(checker, active))
  const code = () => totpCode(hmac, secret, totpStep(clock.now()))
  const given = (fields: object = {}) =>
    set(checker, active, { password: PASSWORD, secret, code: code(), ...fields })()
  t.match(await given({ code: 'x' }), E.left({ errors: [{ field: 'code' }] }))
  t.match(await given({ password: ADA.name }), E.left({ errors: [{ field: 'password' }] }))
  const eve = { ...active, manager: sampleManager('eve') }
  const stolen = await set(checker, eve, { password: PASSWORD, secret, code: code() })()
  t.match(stolen, E.left({ errors: [{ field: 'secret' }] }), 'of another person')
  const late = await done(makeStartPassword(ports)(checker, active))
  clock.advance(30 * 60_000)
  const lateCode = totpCode(hmac, late.secret, totpStep(clock.now()))
  const present = { ...active, session: { ...active.session, confirmedAt: clock.now() } }
  const expired = await set(checker, present, { password: PASSWORD, secret: late.secret, code: lateCode })()
  t.match(expired, E.left({ errors: [{ field: 'secret' }] }), 'too late')
})

t.test('M3, M4: a person changes the password, renews the codes and removes both', async (t) => {
  const { ports, checker, active, signIn, codes, clock } = await withPassword()
  const password = 'staple staple staple' as Password
  await done(signIn())
  const change = makeChangePassword(ports)
  t.match(await change(checker, active, { password: ADA.email as string as Password })(), E.left({}))
  await done(change(checker, active, { password }))
  const left = await done(ports.sessions.of(ADA.email, clock.now()))
  t.same(
    left.map(({ digest }) => digest),
    [active.session.digest],
  )
  clock.advance(STEP)
  t.equal(await failure(signIn()), 'SignInRefused')
  await done(signIn({ password }))
  const renewed = await done(makeRenewRecoveryCodes(ports)(checker, active))
  t.equal(await failure(signIn({ password, code: codes[0] })), 'SignInRefused')
  await done(signIn({ password, code: renewed[0] }))
  await done(makeRemovePassword(ports)(active))
  clock.advance(STEP)
  t.equal(await failure(signIn({ password })), 'SignInRefused')
  t.equal(await failure(makeRemovePassword(ports)(active)), 'PasswordNotFound')
  t.equal(await failure(change(checker, active, { password })), 'PasswordNotFound')
  t.equal(await failure(makeRenewRecoveryCodes(ports)(checker, active)), 'PasswordNotFound')
  t.same(await actions(ports), ['set-password', 'change-password', 'renew-recovery-codes', 'remove-password'])
})
