import { memoryFailedAttempts } from '@almoner/domain/access'
import { sampleManager, sampleSession } from '@almoner/testkit/contracts'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'

import * as domain from './fixtures/domain.ts'
import { callerWith } from './fixtures/fixture.ts'

const { ALLOWED_FAILURES, effectiveScopes, grantedScopes, instant, MINUTE, ROLES, SCOPES } = domain

const subsets = <A>(all: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: 2 ** all.length }, (_, n) => all.filter((_, bit) => (n >> bit) % 2 === 1))

/** Every way to hold scopes and roles. */
const HOLDINGS = subsets(SCOPES).flatMap((scopes) => subsets(ROLES).map((roles) => ({ scopes, roles })))

const isWithin = <A>(some: Iterable<A>, all: ReadonlySet<A>) => [...some].every((a) => all.has(a))

t.test('A2: content-manager includes user-donor includes user', async (t) => {
  const amountsTo = (scope: domain.Scope) => [...effectiveScopes([scope], [])].sort()
  t.same(amountsTo('user'), ['user'])
  t.same(amountsTo('user-donor'), ['user', 'user-donor'])
  t.same(amountsTo('content-manager'), ['content-manager', 'user', 'user-donor'])
  t.same(
    amountsTo('content-manager'),
    [...effectiveScopes([], ['super-admin'])].sort(),
    'super-admin counts as one',
  )
})

t.test('A2: more scopes never grant less, and the granted scopes include all implied ones', async (t) => {
  for (const { scopes, roles } of HOLDINGS) {
    const granted = effectiveScopes(scopes, roles)
    const stays = isWithin(scopes, granted)
    const closed = isWithin(effectiveScopes(granted, roles), granted)
    const monotone = HOLDINGS.filter(
      (other) => isWithin(scopes, new Set(other.scopes)) && isWithin(roles, new Set(other.roles)),
    ).every((more) => isWithin(granted, effectiveScopes(more.scopes, more.roles)))
    if (!stays || !closed || !monotone) t.fail(`${scopes} with ${roles}`)
  }
  t.equal(HOLDINGS.length, 32)
})

t.test('A2: role user-manager implies no scope', async (t) => {
  for (const scopes of subsets(SCOPES))
    t.same(effectiveScopes(scopes, ['user-manager']), effectiveScopes(scopes, []))
})

t.test('A5: a caller passes if it has the scope, and otherwise gets the missing scope', async (t) => {
  const permitted = (scopes: ReadonlyArray<domain.Scope>) =>
    SCOPES.map((scope) => domain.requireScope(scope)(callerWith(scopes))).map(E.isRight)
  t.same(permitted([]), [false, false, false])
  t.same(permitted(['user']), [true, false, false])
  t.same(permitted(['user-donor']), [true, true, false])
  t.same(permitted(['content-manager']), [true, true, true])
  t.same(
    domain.requireScope('content-manager')(callerWith(['user-donor'], ['user-manager'])),
    E.left({ _tag: 'InsufficientScope', scope: 'content-manager' }),
  )
})

t.test('A2: names of scopes and roles are matched exactly', async (t) => {
  const names = [...SCOPES, ...ROLES, 'User', 'user ', '', 'admin']
  t.same(names.filter(domain.isScope), ['user', 'user-donor', 'content-manager'])
  t.same(names.filter(domain.isRole), ['user-manager', 'super-admin'])
})

const REFUSED = E.left({ _tag: 'InvalidScope' })

t.test(
  'A1: a host names its user by an address, in the form of all addresses, and by no other text',
  async (t) => {
    const { email, scopes } = domain.callerWith('user-donor', 'Ada@EXAMPLE.org')
    t.strictSame([O.toNullable(email), [...scopes]], ['ada@example.org', ['user-donor', 'user']])
    t.strictSame(domain.callerWith('user').email, O.none)
    for (const text of ['', 'ada', 'me', 'ada@', '@example.org'])
      t.throws(() => domain.callerWith('user', text), { name: 'TypeError' }, text)
  },
)

t.test('A4: without scope a token has all scopes of the client, as registered', async (t) => {
  for (const client of HOLDINGS) t.same(grantedScopes(client, O.none), E.right(client.scopes))
})

t.test('A4: scope is a space-separated subset; an implied scope may be requested', async (t) => {
  const client = { scopes: ['user-donor'], roles: [] } as const
  const asked = (scope: string) => grantedScopes(client, O.some(scope))
  t.same(asked('user'), E.right(['user']))
  t.same(asked('user user-donor'), E.right(['user', 'user-donor']))
  t.same(asked(' user  user '), E.right(['user']), 'once each')
  for (const scope of [
    'content-manager',
    'user content-manager',
    'admin',
    'User',
    'user,user-donor',
    'user\tuser',
  ])
    t.same(asked(scope), REFUSED, scope)
  for (const scope of ['', ' ']) t.same(asked(scope), REFUSED, 'an empty scope is rejected')
  t.same(grantedScopes({ scopes: [], roles: ['super-admin'] }, O.some('user')), E.right(['user']))
})

t.test('A4: the granted scopes never exceed those of the client', async () => {
  const words = fc.array(fc.constantFrom(...SCOPES, ...ROLES, 'admin', ''), { maxLength: 4 })
  fc.assert(
    fc.property(fc.constantFrom(...HOLDINGS), words, (client, asked) => {
      const granted = grantedScopes(client, O.some(asked.join(' ')))
      const held = effectiveScopes(client.scopes, client.roles)
      const names = asked.filter((name) => name !== '')
      const may = names.length > 0 && names.every((name) => SCOPES.some((s) => s === name && held.has(s)))
      return E.isRight(granted) ? may && isWithin(names, new Set<string>(granted.right)) : !may
    }),
    { numRuns: 200 },
  )
})

/** Times of failures: how many milliseconds pass before each. */
const gaps = (source: domain.Source) => {
  const limit = ALLOWED_FAILURES[source]
  const gap = fc.oneof(fc.nat(Math.ceil((2 * MINUTE) / limit)), fc.constantFrom(0, 1, MINUTE - 1, MINUTE))
  return fc.array(gap, { minLength: limit - 1, maxLength: 2 * limit, size: 'max' })
}

t.test('A8: a source is locked while enough failures lie within the last minute', async (t) => {
  t.same(ALLOWED_FAILURES, { pair: 10, address: 100 })
  for (const source of domain.SOURCES)
    fc.assert(
      fc.property(gaps(source), (waits) => {
        const attempts = memoryFailedAttempts()
        const past: Array<number> = []
        let now = 1_700_000_000_000
        const locked = (at: number) =>
          domain.lockedUntil(source, attempts.of(source, 'key', instant(at)), instant(at))
        const shouldLock = (at: number) =>
          past.filter((moment) => at - moment < MINUTE).length >= ALLOWED_FAILURES[source]
        return waits.every((wait) => {
          now += wait
          const before = O.isSome(locked(now)) === shouldLock(now)
          attempts.add(source, 'key', instant(now))
          past.push(now)
          const until = locked(now)
          const tells = O.isNone(until) || (shouldLock(until.value - 1) && !shouldLock(until.value))
          return before && tells && O.isSome(until) === shouldLock(now)
        })
      }),
      { numRuns: 30 },
    )
})

t.test('A8, I4, K1: sessions count by manager, under an id that no client can register', async (t) => {
  const ada = sampleManager('ada')
  const callers = [1, 1, 2].map((number) =>
    domain.callerOfSession({ session: sampleSession(number, ada), manager: ada, number }),
  )
  const [first, again, other] = callers.map(({ clientId }) => clientId)
  t.equal(first, again)
  t.not(first, other)
  t.ok(callers.every(({ clientId }) => E.isLeft(domain.decode(domain.ClientId)(clientId))))
  t.strictSame(callers[2]?.actor, { kind: 'person', id: '2' })
})

const id = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 40 })
  .filter((text) => !/[@\p{Cc}\p{Cs}]/u.test(text))

t.test(
  'A1, K1: a caller that a host names has what is listed and what that includes, and nothing else',
  async () => {
    const named = fc.record({
      id,
      scopes: fc.subarray([...SCOPES]),
      roles: fc.option(fc.subarray([...ROLES]), { nil: undefined }),
      email: fc.option(fc.constantFrom('Amina@Example.org', 'b@example.org'), { nil: undefined }),
    })
    fc.assert(
      fc.property(named, (given) => {
        const caller = domain.hostCaller(given)
        const granted = effectiveScopes(given.scopes, given.roles ?? [])
        return (
          isWithin(caller.scopes, granted) &&
          isWithin(granted, caller.scopes) &&
          isWithin(caller.roles, new Set(given.roles)) &&
          caller.roles.size === (given.roles ?? []).length &&
          O.toUndefined(caller.email) === given.email?.toLowerCase() &&
          caller.actor.kind === 'host' &&
          caller.actor.id === given.id &&
          // No registered client has such an id (I4), nor has a session of the console.
          E.isLeft(domain.ClientId.decode(caller.clientId)) &&
          !caller.clientId.startsWith('console:') &&
          caller.isBound === undefined
        )
      }),
    )
  },
)

t.test('A1: anything else that a host returns grants nothing, and its value is not repeated', async (t) => {
  const good = { id: 'u-1', scopes: ['user'], roles: [], email: 'a@example.org' }
  const wrong: ReadonlyArray<readonly [unknown, RegExp]> = [
    [null, /object/],
    ['user', /object/],
    [{ ...good, id: 'someone@example.org' }, /^id /],
    [{ ...good, id: '' }, /^id /],
    [{ ...good, id: 7 }, /^id /],
    [{ ...good, id: 'a\u0000' }, /^id /],
    [{ ...good, id: '\ud800' }, /^id /],
    [{ ...good, id: 'x'.repeat(201) }, /^id /],
    [{ ...good, scopes: ['user', 'admin-of-all'] }, /^scopes /],
    [{ ...good, scopes: 'user' }, /^scopes /],
    [{ ...good, scopes: new Set(['user']) }, /^scopes /],
    [{ id: 'u-1' }, /^scopes /],
    [{ ...good, scopes: Array(1) }, /^scopes /],
    [{ ...good, roles: ['super-user'] }, /^roles /],
    [{ ...good, roles: 'super-admin' }, /^roles /],
    [{ ...good, email: 'no address' }, /^email /],
    [{ ...good, email: '' }, /^email /],
    [{ ...good, email: null }, /^email /],
    [{ id: '', scopes: [1], roles: [2], email: 3 }, /^id .*; scopes .*; roles .*; email /],
  ]
  for (const [given, reason] of wrong) {
    const read = domain.readHostCaller(given)
    t.match(E.isLeft(read) && read.left, reason, JSON.stringify(given))
    t.notMatch(E.isLeft(read) && read.left, /someone|admin-of-all|no address/)
  }
  t.throws(() => domain.hostCaller({ id: '', scopes: [] }), { name: 'TypeError', message: /^hostCaller: id/ })
  fc.assert(fc.property(fc.anything(), (given) => E.isLeft(domain.readHostCaller(given))))
})
