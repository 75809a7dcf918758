// A10: what holds of all ID tokens, clients and orders of requests. The cases of the ruling are in the contract and over HTTP.

import {
  type Client,
  grantedToPerson,
  isDonor,
  isForAudience,
  keepKeys,
  personOf,
  ROLES,
  readClientOptions,
  readDonorClaim,
  SCOPES,
} from '@almoner/domain/access'
import { elapsed } from '@almoner/domain/ports'
import { type Instant, instant, MINUTE, SECOND } from '@almoner/domain/values'
import { setClock } from '@almoner/testkit/memory'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'

const [ISSUER, NOW] = ['https://id.example.org', instant(1_700_000_000_500)]
const NAMES = ['app', 'page', 'elsewhere'] as const

const name = fc.constantFrom(...NAMES)
const optionOf = <A>(value: fc.Arbitrary<A>): fc.Arbitrary<O.Option<A>> =>
  fc.option(value, { nil: undefined }).map(O.fromNullable)

/** A time of a token in seconds around now, far from it, or something else. */
const time = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: -130, max: 130 }).map((off) => NOW / SECOND + off / 2) },
  fc.constantFrom<unknown>(-1e300, 0, 1e300, '1700000000', null, true, undefined, Number.NaN),
)
const audience = fc.oneof(
  name,
  fc.array(name, { maxLength: 3 }),
  fc.constantFrom<unknown>(7, null, undefined),
)
const verified = fc.constantFrom<unknown>(true, true, 'true', false, 'false', 1, '1', null, undefined)

const claims = fc.record({
  iss: fc.constantFrom<unknown>(ISSUER, ISSUER, ISSUER, `${ISSUER}/`, ISSUER.toUpperCase(), undefined),
  aud: audience,
  azp: fc.constantFrom<unknown>(...NAMES, undefined, ['app']),
  sub: fc.constantFrom<unknown>('ada', 'ada', 'ada', '', 7, undefined),
  exp: time,
  iat: time,
  nbf: fc.oneof(fc.constant(undefined), time),
  email: fc.constantFrom<unknown>(
    'Ada@Example.org',
    ' ada@example.org ',
    'no address',
    ['a@b.org'],
    undefined,
  ),
  email_verified: verified,
  xms_edov: verified,
})

type Claims = typeof claims extends fc.Arbitrary<infer A> ? A : never

const isTime = (value: unknown): value is number => typeof value === 'number' && !Number.isNaN(value)

/** The ruling, one condition after another. */
const isAccepted = (
  { iss, sub, exp, iat, nbf, email, email_verified, aud, azp }: Claims,
  own: O.Option<string>,
  now: Instant,
): boolean => {
  const seconds = now / SECOND
  const audiences = new Set([aud].flat())
  const isForUs = audiences.has('app') || audiences.has('page')
  const isForClient =
    O.isNone(own) || (audiences.has(own.value) && (audiences.size === 1 || azp === own.value))
  const areTimes = isTime(exp) && isTime(iat) && (nbf === undefined || isTime(nbf))
  return (
    iss === ISSUER &&
    isForUs &&
    isForClient &&
    sub === 'ada' &&
    areTimes &&
    exp + 60 > seconds &&
    iat - 60 <= seconds &&
    (nbf === undefined || (nbf as number) - 60 <= seconds) &&
    typeof email === 'string' &&
    email.includes('@') &&
    (email_verified === true || email_verified === 'true')
  )
}

const POLICY = { issuer: ISSUER, audiences: ['app', 'page'] }

t.test(
  'A10: a token is accepted if issuer, audience, subject, times and address are right, only then',
  async (t) => {
    let accepted = 0
    const property = fc.property(claims, optionOf(name), (sent, own) => {
      const person = personOf(sent, POLICY, { audience: own }, NOW)
      if (E.isRight(person)) accepted += 1
      return E.isRight(person)
        ? isAccepted(sent, own, NOW) && person.right === 'ada@example.org'
        : !isAccepted(sent, own, NOW)
    })
    // Most of these tokens have one bad claim, else nearly all of them would be refused at the first check.
    const good = {
      ...{ iss: ISSUER, aud: 'app', sub: 'ada', email: 'ada@example.org', email_verified: true },
      ...{ exp: NOW / SECOND + 300, iat: NOW / SECOND - 10 },
    }
    const nearly = fc.property(
      claims,
      fc.subarray(Object.keys(good), { minLength: 6 }),
      optionOf(name),
      (sent, kept, own) => {
        const changed = Object.fromEntries(Object.entries(good).filter(([key]) => kept.includes(key)))
        const both = { ...sent, ...changed } as Claims
        const person = personOf(both, POLICY, { audience: own }, NOW)
        if (E.isRight(person)) accepted += 1
        return E.isRight(person) === isAccepted(both, own, NOW)
      },
    )
    t.doesNotThrow(() => fc.assert(property))
    t.doesNotThrow(() => fc.assert(nearly))
    t.ok(accepted > 0)
  },
)

t.test('A10: a token that has ended stays refused, at any later time', async (t) => {
  const property = fc.property(claims, fc.nat(100 * MINUTE), fc.nat(100 * MINUTE), (sent, first, more) => {
    const at = (now: number) => personOf(sent, POLICY, { audience: O.none }, instant(now))
    const early = at(NOW + first)
    const isOver = E.isLeft(early) && early.left.reason === 'expired'
    return !isOver || E.isLeft(at(NOW + first + more))
  })
  t.doesNotThrow(() => fc.assert(property))
})

t.test('A10: one app never uses what the users of another have left with it', async (t) => {
  const property = fc.property(claims, name, (sent, own) => {
    const names = [sent.aud].flat()
    const fits = isForAudience(sent, NAMES, { audience: O.some(own) })
    return !fits || (names.includes(own) && (names.every((one) => one === own) || sent.azp === own))
  })
  t.doesNotThrow(() => fc.assert(property))
})

const donorValue = fc.constantFrom<unknown>(
  'donors',
  'true',
  true,
  false,
  1,
  null,
  'staff',
  {},
  ['true'],
  ['donors'],
  ['staff', 'donors'],
  [true],
  [['donors']],
)

/** Whether a claim says that a person is a donor, by the ruling. */
const saysDonor = (sent: unknown, value: O.Option<string>): boolean =>
  O.isNone(value)
    ? sent === true || sent === 'true'
    : sent === value.value || (Array.isArray(sent) && sent.includes(value.value))

t.test('A10: a donor has the claim: true without a value, else the value or an array with it', async (t) => {
  const claim = fc.constantFrom('groups', 'toString', '__proto__', 'a b')
  const value = optionOf(fc.constantFrom('donors', 'true', 'a=b'))
  const property = fc.property(claim, value, donorValue, fc.boolean(), (claim, value, sent, isSent) => {
    const read = readDonorClaim([claim, ...(O.isSome(value) ? [value.value] : [])].join('='))
    const claims = JSON.parse(JSON.stringify(isSent ? Object.fromEntries([[claim, sent]]) : {}))
    const found = isDonor(claims, O.fromEither(read))
    return E.isRight(read) && found === (isSent && saysDonor(sent, value)) && isDonor(claims, O.none)
  })
  t.doesNotThrow(() => fc.assert(property))
})

const client = fc.record({ scopes: fc.subarray([...SCOPES]), roles: fc.subarray([...ROLES]) })

type Held = typeof client extends fc.Arbitrary<infer A> ? A : never

/** The scopes that a person may have with a client, by the ruling. */
const possibleWith = ({ scopes, roles }: Held, isDonor: boolean): ReadonlyArray<string> => {
  const forDonors =
    scopes.includes('content-manager') || scopes.includes('user-donor') || roles.includes('super-admin')
  if (forDonors) return isDonor ? ['user', 'user-donor'] : ['user']
  return scopes.includes('user') ? ['user'] : []
}

t.test('A10: the token of a person has scopes of the client, those of donors only for donors', async (t) => {
  const word = fc.constantFrom(...SCOPES, 'user-manager', 'super-admin', 'other', '')
  const words = fc.array(word, { maxLength: 3 })
  const all = fc.property(client, fc.boolean(), (held, isDonor) => {
    const granted = grantedToPerson(held, O.none, isDonor)
    return E.isRight(granted) && `${granted.right}` === `${possibleWith(held, isDonor)}`
  })
  const asked = fc.property(client, words, fc.boolean(), (held, words, isDonor) => {
    const possible = possibleWith(held, isDonor)
    const wanted = new Set(words.filter((one) => one !== ''))
    const isPossible = wanted.size > 0 && [...wanted].every((one) => possible.includes(one))
    const granted = grantedToPerson(held, O.some(words.join(' ')), isDonor)
    return E.isRight(granted) ? isPossible && `${granted.right}` === `${[...wanted]}` : !isPossible
  })
  t.doesNotThrow(() => fc.assert(all))
  t.doesNotThrow(() => fc.assert(asked))
})

t.test('A10: a client without a secret has no role and no content-manager', async (t) => {
  const options = fc.record({
    id: fc.constantFrom('app', 'a b'),
    scope: fc.subarray(['user', 'user-donor', 'content-manager']),
    role: fc.subarray([...ROLES]),
    forPeople: fc.boolean(),
    public: fc.boolean(),
    audience: fc.option(fc.constantFrom('app', '', 'x'.repeat(256)), { nil: undefined }),
  })
  const property = fc.property(options, ({ audience, ...given }) => {
    const read = readClientOptions({ ...given, ...(audience !== undefined && { audience }) })
    if (E.isLeft(read)) return true
    const { forPeople, roles, scopes }: Client = read.right
    const isRight = (forPeople !== undefined) === (given.forPeople || given.public)
    const isHarmless = !forPeople?.isPublic || (roles.length === 0 && !scopes.includes('content-manager'))
    return isRight && isHarmless && forPeople?.isPublic === (isRight && forPeople ? given.public : undefined)
  })
  t.doesNotThrow(() => fc.assert(property))
})

/** A step of a provider, of time, or a token that comes. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ verify: fc.constantFrom('one', 'two', 'three', undefined) }) },
  fc.record({ publish: fc.subarray(['one', 'two', 'three']) }),
  fc.record({ isDown: fc.boolean() }),
  fc.record({ wait: fc.constantFrom(1, 999, 1000, MINUTE - 1, MINUTE, 60 * MINUTE, 24 * 60 * MINUTE) }),
)

type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

/** Opens a keeper of keys, with a provider that records when each fetch began and its keys, none if it failed. */
const openKeeper = () => {
  const clock = setClock()
  const now = () => elapsed(clock)
  const fetches: Array<{ readonly at: number; readonly keys: ReadonlyArray<string> | undefined }> = []
  let [keys, isDown]: [ReadonlyArray<string>, boolean] = [[], false]
  const find = keepKeys(async () => {
    fetches.push({ at: now(), keys: isDown ? undefined : keys })
    if (isDown) throw new Error('down')
    return keys.map((kid) => ({ kid }))
  }, clock)
  /** The names that a token may have, by the last fetch that succeeded. */
  const usable = (): ReadonlyArray<string> => {
    const last = fetches.findLast(({ keys }) => keys !== undefined)
    return last?.keys === undefined || now() - last.at >= 24 * 60 * MINUTE ? [] : last.keys
  }
  const take = (one: Exclude<Step, { verify: unknown }>): void => {
    if ('publish' in one) keys = one.publish
    else if ('isDown' in one) isDown = one.isDown
    else clock.advance(one.wait)
  }
  return { find, usable, take, fetches, now }
}

t.test(
  'A10: keys serve while they are published, a day at most; no fetch follows a failed one',
  async (t) => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      const { find, usable, take, fetches } = openKeeper()
      const verify = async (kid: string | undefined): Promise<boolean> => {
        const before = usable()
        const found = await find(kid)()
        if (E.isLeft(found)) return kid === undefined || !usable().includes(kid)
        // A fetch in the background may have ended meanwhile: the keys from before it count too.
        const known = [...before, ...usable()]
        const isNamed = kid === undefined || found.right.some((key) => key.kid === kid)
        return isNamed && found.right.every((key) => known.includes(key.kid ?? ''))
      }
      for (const one of steps)
        if (!('verify' in one)) take(one)
        else if (!(await verify(one.verify))) return false
      return fetches.every(({ at }, n) => {
        const earlier = fetches[n - 1]
        return earlier === undefined || earlier.keys !== undefined || at - earlier.at >= SECOND
      })
    })
    await t.resolves(fc.assert(property))
  },
)

t.test('A10: unknown names have the keys fetched once a minute, the first fetch not counted', async (t) => {
  const waits = fc.array(fc.nat(90 * SECOND), { minLength: 1, maxLength: 60 })
  const property = fc.asyncProperty(waits, async (waits) => {
    const { find, take, fetches, now } = openKeeper()
    take({ publish: ['one'] })
    await find('one')()
    for (const [n, wait] of waits.entries()) {
      take({ wait })
      await find(`unknown ${n}`)()
    }
    const [, ...counted] = fetches.map(({ at }) => at)
    // One more an hour is the renewal.
    const hours = Math.floor(now() / (60 * MINUTE))
    return counted.filter((at, n) => at - (counted[n - 1] ?? -MINUTE) < MINUTE).length <= hours
  })
  await t.resolves(fc.assert(property))
})
