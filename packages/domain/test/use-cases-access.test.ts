import { done, failure } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t from 'tap'
import { read } from './fixtures/decoding.ts'
import * as domain from './fixtures/domain.ts'
import {
  callerWith,
  donor,
  everythingIn,
  type Fixture,
  feedDraft,
  feedUpdate,
  IMAGE,
  LIBRARY,
  libraryDraft,
  libraryUpdate,
  manager,
  newFixture,
  POST,
  user,
  withoutScopes,
} from './fixtures/fixture.ts'

const { MINUTE, addMillis: later } = domain

const INVALID = E.left({ _tag: 'InvalidClient' })
const HOME = '192.0.2.1'

const client = (id: string, over: Partial<domain.Client> = {}): domain.Client => ({
  id: id as domain.ClientId,
  name: id,
  scopes: ['user-donor'],
  roles: [],
  email: O.none,
  disabled: false,
  ...over,
})

/** Wraps a function so that the arguments of each call are observed first. */
const seen =
  <Args extends ReadonlyArray<unknown>, R>(f: (...args: Args) => R, show: (...args: Args) => unknown) =>
  (...args: Args): R => {
    show(...args)
    return f(...args)
  }

/** A fixture with a client `app`; `ask` asks for a token. */
const fixtureWithApp = async (over: Partial<domain.Client> = {}, made: Fixture = newFixture()) => {
  const { client: app, secret } = await done(made.act.addClient(client('app', over)))
  const ask = (asked: Partial<domain.Credentials> = {}, scope: O.Option<string> = O.none) =>
    made.act.issueToken({ clientId: app.id, secret, address: HOME, ...asked }, scope)()
  const guess = (address = HOME, clientId: string = app.id) => ask({ clientId, address, secret: 'wrong' })
  return { ...made, app, secret, ask, guess }
}

/** Returns the distinct outcomes of an attempt that is repeated this number of times. */
const outcomes = async (
  times: number,
  attempt: (n: number) => Promise<E.Either<{ readonly _tag: string }, unknown>>,
): Promise<ReadonlyArray<string>> => {
  const tags = new Set<string>()
  for (let n = 0; n < times; n += 1) {
    const answer = await attempt(n)
    tags.add(E.isLeft(answer) ? answer.left._tag : 'issued')
  }
  return [...tags]
}

const token = (issued: E.Either<unknown, domain.IssuedToken>): string =>
  E.isRight(issued) ? issued.right.accessToken : ''

t.test(
  'A4: the response has the token’s lifetime and scopes, and the token is valid for that time',
  async (t) => {
    const { act, ask, clock } = await fixtureWithApp({}, newFixture({ tokenTtl: 120 }))
    const issued = await ask()
    t.match(issued, E.right({ expiresIn: 120, scopes: ['user-donor'] }))
    const caller = act.authenticate(token(issued))
    t.same([...(await done(caller)).scopes].sort(), ['user', 'user-donor'])
    clock.advance(119_999)
    t.ok(E.isRight(await act.authenticate(token(issued))()))
    clock.advance(1)
    t.equal(await failure(act.authenticate(token(issued))), 'InvalidToken')
  },
)

t.test(
  'A4: a token requested with fewer scopes has fewer; it has all roles whichever scopes are requested',
  async (t) => {
    const { act, ask } = await fixtureWithApp({ scopes: ['content-manager'], roles: ['user-manager'] })
    const narrow = await done(act.authenticate(token(await ask({}, O.some('user')))))
    t.same([[...narrow.scopes], [...narrow.roles]], [['user'], ['user-manager']])
    const admin = await fixtureWithApp({ roles: ['super-admin'] })
    const issued = await admin.ask({}, O.some('user'))
    t.match(issued, E.right({ scopes: ['user'] }))
    t.ok(domain.hasScope(await done(admin.act.authenticate(token(issued))), 'content-manager'))
    t.same(await ask({}, O.some('user nonsense')), E.left({ _tag: 'InvalidScope' }))
  },
)

t.test('A1: a token acts for the user to whom its client is bound', async (t) => {
  const email = O.some('amina@example.org' as domain.Email)
  const { act, ask } = await fixtureWithApp({ email })
  t.same((await done(act.authenticate(token(await ask())))).email, email)
})

t.test('A6: stored data contains neither the token nor the secret', async (t) => {
  const kept: Array<unknown> = []
  const fixture = newFixture({}, ({ accessTokens, clients }) => ({
    accessTokens: { ...accessTokens, add: seen(accessTokens.add, (stored) => kept.push(stored)) },
    clients: { ...clients, add: seen(clients.add, (_, hash) => kept.push(hash)) },
  }))
  const { ask, secret, ports } = await fixtureWithApp({}, fixture)
  const issued = token(await ask())
  t.same(kept.at(1), {
    digest: ports.secrets.digest(issued),
    clientId: 'app',
    scopes: ['user-donor'],
    expiresAt: Date.UTC(2026, 0, 1, 1),
    life: 3_600_000,
  })
  t.equal(kept.length, 2)
  t.not(kept[0], secret)
})

t.test('A4: an unknown client, a wrong secret and a disabled client get the same response', async (t) => {
  const { ask, guess, ports, app } = await fixtureWithApp()
  t.same(await guess(), INVALID)
  for (const clientId of ['other', '', 'not an id', 'app ', 'APP', 'x'.repeat(200), 'a\0', '\ud800'])
    t.same(await ask({ clientId }), INVALID)
  await done(ports.clients.setDisabled(app.id, true))
  t.same(await ask(), INVALID)
})

t.test('A4: an unknown client costs the same computation as a known one', async (t) => {
  const verified: Array<string> = []
  const fixture = newFixture({}, ({ secrets }) => ({
    secrets: { ...secrets, verify: seen(secrets.verify, (secret) => verified.push(secret)) },
  }))
  const { ask, guess, ports, app } = await fixtureWithApp({}, fixture)
  await guess()
  await ask({ clientId: 'unknown' })
  await ask({ clientId: 'not an id' })
  await done(ports.clients.setDisabled(app.id, true))
  await ask()
  t.equal(verified.length, 4)
})

t.test('A6: a secret hashed by an earlier version is stored as a digest at its first use', async (t) => {
  const fixture = newFixture({}, ({ secrets }) => ({
    secrets: {
      ...secrets,
      verify: (secret, stored) =>
        stored === `old hash of ${secret}` ? TE.right('legacy') : secrets.verify(secret, stored),
    },
  }))
  const { ask, guess, ports, app, secret } = await fixtureWithApp({}, fixture)
  const { digest } = ports.secrets
  const stored = async () => {
    const found = await done(ports.clients.find(app.id))
    return O.isSome(found) ? found.value.secrets.map(({ hash }) => hash) : []
  }
  await done(ports.clients.replaceSecretHash(app.id, digest(secret), `old hash of ${secret}`))
  t.same(await guess(), INVALID)
  t.same(await stored(), [`old hash of ${secret}`], 'a wrong secret changes nothing')
  t.ok(E.isRight(await ask()))
  t.same(await stored(), [digest(secret)])
  t.ok(E.isRight(await ask()))
})

t.test('A6: a client is accepted even if its digest cannot be stored at the moment', async (t) => {
  const fixture = newFixture({}, ({ secrets, clients }) => ({
    secrets: { ...secrets, verify: () => TE.right('legacy') },
    clients: { ...clients, replaceSecretHash: () => TE.left(domain.unavailable('busy')) },
  }))
  const { ask } = await fixtureWithApp({}, fixture)
  t.ok(E.isRight(await ask()))
})

t.test('A6: a disabled client’s tokens are rejected until the client is enabled', async (t) => {
  const { act, ask, ports, app } = await fixtureWithApp()
  const issued = token(await ask())
  await done(ports.clients.setDisabled(app.id, true))
  t.equal(await failure(act.authenticate(issued)), 'InvalidToken')
  await done(ports.clients.setDisabled(app.id, false))
  t.ok(E.isRight(await act.authenticate(issued)()))
  t.ok(E.isRight(await ask()))
})

t.test('A6: a rotation invalidates the old secret at once; tokens stay valid', async (t) => {
  const { act, ask, app } = await fixtureWithApp()
  const issued = token(await ask())
  const rotated = await done(act.rotateSecret(app.id, O.none))
  t.same(rotated.client, app)
  t.same(await ask(), INVALID)
  t.ok(E.isRight(await ask({ secret: rotated.secret })))
  t.ok(E.isRight(await act.authenticate(issued)()))
  t.equal(await failure(act.rotateSecret('nobody' as domain.ClientId, O.none)), 'ClientNotFound')
})

t.test('A6: the old secret may stay valid for a limited time after a rotation', async (t) => {
  const { act, ask, app, clock } = await fixtureWithApp()
  const { secret } = await done(act.rotateSecret(app.id, O.some(later(clock.now(), MINUTE))))
  const bothWork = async () => [E.isRight(await ask()), E.isRight(await ask({ secret }))]
  t.same(await bothWork(), [true, true])
  clock.advance(MINUTE - 1)
  t.same(await bothWork(), [true, true])
  clock.advance(1)
  t.same(await bothWork(), [false, true])
})

t.test(
  'A8: after 10 wrong credentials within a minute the pair is locked, right credentials included',
  async (t) => {
    const { ask, guess, clock, act } = await fixtureWithApp()
    const first = clock.now()
    for (let n = 0; n < 10; n += 1) {
      t.same(await guess(), INVALID)
      clock.advance(1000)
    }
    const locked = E.left({ _tag: 'TooManyAttempts', until: later(first, MINUTE) })
    t.same([await guess(), await ask()], [locked, locked])
    t.ok(E.isRight(await ask({ address: '192.0.2.2' })), 'another address')
    const { secret } = await done(act.addClient(client('other')))
    t.ok(E.isRight(await ask({ clientId: 'other', secret })), 'another client')
    clock.set(domain.instant(first + MINUTE - 1))
    t.same(await ask(), locked, 'until the minute is over')
    clock.advance(1)
    t.ok(E.isRight(await ask()))
  },
)

t.test(
  'A8: further attempts do not lengthen the lock, and right credentials do not reset the count',
  async (t) => {
    const { ask, guess, clock } = await fixtureWithApp()
    t.same(await outcomes(9, () => guess()), ['InvalidClient'])
    t.ok(E.isRight(await ask()))
    t.same(await guess(), INVALID)
    clock.advance(MINUTE - 1)
    t.same(await outcomes(30, () => guess()), ['TooManyAttempts'])
    clock.advance(1)
    t.ok(E.isRight(await ask()))
  },
)

t.test('A8: setting the clock back by an hour locks no source', async (t) => {
  const { ask, guess, clock } = await fixtureWithApp()
  t.same(await outcomes(11, () => guess()), ['InvalidClient', 'TooManyAttempts'])
  clock.advance(-60 * MINUTE)
  t.ok(E.isRight(await ask()))
  t.same(
    await outcomes(11, () => guess()),
    ['InvalidClient', 'TooManyAttempts'],
    'wrong credentials still lock',
  )
  clock.advance(-MINUTE / 2)
  t.match(await ask(), E.left({ _tag: 'TooManyAttempts' }), 'a smaller step unlocks nothing')
  clock.advance(1.5 * MINUTE)
  t.ok(E.isRight(await ask()), 'the lock ends a minute after the last attempt')
})

t.test('A8: one address may fail 100 times', async (t) => {
  const { ask, guess } = await fixtureWithApp()
  t.same(await outcomes(100, (n) => guess(HOME, `client-${n}`)), ['InvalidClient'])
  t.match(await guess(HOME, 'client-100'), E.left({ _tag: 'TooManyAttempts' }))
  t.match(await ask(), E.left({ _tag: 'TooManyAttempts' }))
  t.ok(E.isRight(await ask({ address: '192.0.2.2' })))
})

t.test('A8: a caller locked twice gets the time when both locks are over', async (t) => {
  const { guess, clock } = await fixtureWithApp()
  await outcomes(90, (n) => guess(HOME, `client-${n}`))
  clock.advance(MINUTE / 2)
  const then = clock.now()
  t.same(await outcomes(10, () => guess()), ['InvalidClient'])
  t.same(await guess(), E.left({ _tag: 'TooManyAttempts', until: later(then, MINUTE) }))
})

t.test('A8: no counter uses the client id alone', async (t) => {
  const { ask, guess } = await fixtureWithApp()
  t.same(await outcomes(9 * 30, (n) => guess(`198.51.100.${n % 30}`)), ['InvalidClient'])
  t.ok(E.isRight(await ask()))
  t.same(
    await outcomes(30, (n) => guess(`198.51.100.${n}`)),
    ['InvalidClient'],
    'the tenth failure of each pair',
  )
})

t.test('A8: concurrent attempts are limited like sequential ones', async (t) => {
  const { ask, guess } = await fixtureWithApp()
  const answers = await Promise.all([...Array.from({ length: 40 }, () => guess()), ask()])
  const tags = answers.map((answer) => (E.isLeft(answer) ? answer.left._tag : 'issued'))
  t.equal(tags.filter((tag) => tag === 'InvalidClient').length, 10)
  t.equal(tags.filter((tag) => tag === 'TooManyAttempts').length, 31)
  t.equal(tags.at(-1), 'TooManyAttempts', 'the right one came after them')
})

t.test('A8: the memory for failures is bounded, even with long client ids', async (t) => {
  const keys: Array<string> = []
  const fixture = newFixture({}, ({ failedAttempts }) => ({
    failedAttempts: {
      ...failedAttempts,
      add: seen(failedAttempts.add, (_, key) => keys.push(key)),
    },
  }))
  const { ask } = await fixtureWithApp({}, fixture)
  t.same(await ask({ clientId: 'x'.repeat(1_000_000) }), INVALID)
  t.ok(keys.every((key) => key.length < 200))
  t.equal(keys.length, 2)
})

t.test('A8: an internal error does not count as a failed attempt', async (t) => {
  let broken = true
  const fixture = newFixture({}, ({ secrets }) => ({
    secrets: {
      ...secrets,
      verify: (...args) => (broken ? TE.left(domain.unavailable('busy')) : secrets.verify(...args)),
    },
  }))
  const { ask } = await fixtureWithApp({}, fixture)
  t.same(await outcomes(20, () => ask()), ['Unavailable'])
  broken = false
  t.ok(E.isRight(await ask()))
})

t.test('A6: a client revokes its own tokens only, and learns nothing about others', async (t) => {
  const { act, ask, app, secret } = await fixtureWithApp()
  const other = await done(act.addClient(client('other')))
  const mine = token(await ask())
  const theirs = token(await ask({ clientId: 'other', secret: other.secret }))
  const me = { clientId: app.id, secret, address: HOME }
  const answers = [theirs, 'no such token', mine, mine].map((revoked) => act.revokeToken(me, revoked)())
  t.same(await Promise.all(answers), [
    E.right(undefined),
    E.right(undefined),
    E.right(undefined),
    E.right(undefined),
  ])
  t.equal(await failure(act.authenticate(mine)), 'InvalidToken')
  t.ok(E.isRight(await act.authenticate(theirs)()))
})

t.test('A8: failed revocations count like failed token requests', async (t) => {
  const { act, ask, app } = await fixtureWithApp()
  const wrong = { clientId: app.id, secret: 'wrong', address: HOME }
  for (let n = 0; n < 10; n += 1) t.equal(await failure(act.revokeToken(wrong, 'x')), 'InvalidClient')
  t.equal(await failure(act.revokeToken(wrong, 'x')), 'TooManyAttempts')
  t.match(await ask(), E.left({ _tag: 'TooManyAttempts' }))
})

t.test('A6: purging deletes expired tokens only', async (t) => {
  const { act, ask, clock } = await fixtureWithApp({}, newFixture({ tokenTtl: 60 }))
  await ask()
  clock.advance(MINUTE)
  const living = token(await ask())
  clock.advance(1)
  t.equal(await done(act.purgeTokens()), 1)
  t.equal(await done(act.purgeTokens()), 0)
  t.ok(E.isRight(await act.authenticate(living)()))
})

/** The scope that the interface requires for each operation, and a call of the operation. */
const operations = (fixture: Fixture, itemId: domain.ItemId, postId: domain.ItemId) => {
  const { act } = fixture
  const [image, labelId] = ['cover' as const, 'arts' as domain.LabelId]
  type Try = (caller: domain.Caller) => TE.TaskEither<{ readonly _tag: string }, unknown>
  const tries: ReadonlyArray<readonly [domain.Scope, Try]> = [
    ['user', (by) => act.listLibraryItems(by, {})],
    ['content-manager', (by) => act.createLibraryItem(by, read(domain.CreateLibraryItem, LIBRARY))],
    ['content-manager', (by) => act.updateLibraryItem(by, libraryUpdate(itemId), O.none)],
    ['content-manager', (by) => act.uploadLibraryImage(by, { itemId, image }, IMAGE, O.none)],
    ['content-manager', (by) => act.removeLibraryImage(by, { itemId, image }, O.none)],
    ['user', (by) => act.listFeedItems(by, {})],
    ['user-donor', (by) => act.createFeedItem(by, read(domain.CreateFeedItem, POST))],
    ['content-manager', (by) => act.updateFeedItem(by, feedUpdate(postId), O.none)],
    ['user', (by) => act.uploadFeedImage(by, { itemId: postId }, IMAGE, O.none)],
    ['content-manager', (by) => act.removeFeedImage(by, { itemId: postId }, O.none)],
    ['user', (by) => act.listLabels('library')(by, { itemId })],
    ['user', (by) => act.listLabels('feed')(by, {})],
    ['content-manager', (by) => act.attachLabel('library')(by, { itemId, labelId })],
    ['content-manager', (by) => act.attachLabel('feed')(by, { itemId: postId, labelId })],
    ['content-manager', (by) => act.detachLabel('library')(by, { itemId, labelId })],
    ['content-manager', (by) => act.detachLabel('feed')(by, { itemId: postId, labelId })],
  ]
  return tries
}

const CALLERS = [
  { caller: withoutScopes, scopes: [] },
  { caller: callerWith([], ['user-manager']), scopes: [] },
  { caller: user, scopes: ['user'] },
  { caller: donor, scopes: ['user', 'user-donor'] },
  { caller: manager, scopes: domain.SCOPES },
  { caller: callerWith([], ['super-admin']), scopes: domain.SCOPES },
]

t.test(
  'A2, A5: every operation rejects a caller without its scope, names the scope, and changes nothing',
  async (t) => {
    const unknown = 'unknown' as domain.ItemId
    for (const { caller, scopes } of CALLERS) {
      const fixture = newFixture()
      const [item, post] = [await libraryDraft(fixture), await feedDraft(fixture)]
      await done(fixture.act.loadLabels([{ labelId: 'arts', en: 'Arts', fr: 'Arts' }]))
      const before = await everythingIn(fixture)
      const tries = [...operations(fixture, item.id, post.id), ...operations(fixture, unknown, unknown)]
      const isHeld = ([scope]: readonly [domain.Scope, unknown]) => scopes.some((held) => held === scope)
      const beyond = tries.filter((one) => !isHeld(one))
      t.same(
        await Promise.all(beyond.map(([, attempt]) => attempt(caller)())),
        beyond.map(([scope]) => E.left({ _tag: 'InsufficientScope', scope })),
      )
      t.same(await everythingIn(fixture), before)
      const answers = await Promise.all(tries.filter(isHeld).map(([, attempt]) => failure(attempt(caller))))
      t.notOk(answers.includes('InsufficientScope'))
    }
  },
)
