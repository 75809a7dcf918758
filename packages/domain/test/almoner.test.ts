import { type Almoner, createAlmoner, DEFAULT_POLICY } from '@almoner/domain'
import { callerWith, type InsufficientScope } from '@almoner/domain/access'
import { CreateFeedItem, type FeedCursor, type FeedItem, ListFeedItems } from '@almoner/domain/content'
import { type Ports, type Unavailable, unavailable } from '@almoner/domain/ports'
import {
  collect,
  orThrow,
  parseInput,
  plain,
  type Result,
  type ResultSet,
  toResult,
} from '@almoner/domain/values'
import { memoryPorts, setClock } from '@almoner/testkit/memory'
import { isRight } from 'fp-ts/lib/Either.js'
import { none } from 'fp-ts/lib/Option.js'
import t from 'tap'
import * as testing from '../../testkit/src/samples/index.ts'

const { failure, parsed, testFixture } = testing

const POST = { itemType: 'photo', itemTitle: 'A new well', itemDescription: 'Clean water since Monday.' }
const donor = callerWith('user-donor')
const manager = callerWith('content-manager')

/** Compiles if both types are the same. */
type Same<A, B> = [A, B] extends [B, A] ? true : never

t.test('the facade has eighteen areas, their promises, and what it was made of: 21 names', async (t) => {
  t.strictSame(Object.keys(createAlmoner(memoryPorts())), [
    'library',
    'feed',
    'history',
    'labels',
    'changes',
    'users',
    'devices',
    'notifications',
    'portfolio',
    'access',
    'console',
    'proposals',
    'managers',
    'operations',
    'passkeys',
    'identities',
    'passwords',
    'maintenance',
    'promises',
    'ports',
    'policy',
  ])
})

t.test('an error names the ports that plain JavaScript left out', async (t) => {
  const { clock: _clock, ids: _ids, ...rest } = memoryPorts()
  t.throws(() => createAlmoner(rest as never), new TypeError('createAlmoner: the ports lack clock, ids'))
  t.throws(() => createAlmoner(undefined as never), /^createAlmoner: the ports lack clock, ids, secrets,/)
  t.throws(() => createAlmoner({ ...memoryPorts(), random: null } as never), /the ports lack random$/)
})

t.test('a policy is the default one with the settings given', async (t) => {
  t.strictSame(createAlmoner(memoryPorts()).policy, DEFAULT_POLICY)
  t.strictSame(createAlmoner(memoryPorts(), { embargo: true }).policy, { ...DEFAULT_POLICY, embargo: true })
})

t.test('a use case of an area is a task, which does nothing before it is called', async (t) => {
  const { almoner, act } = testFixture()
  const task = almoner.feed.create(donor, parsed(CreateFeedItem, POST))
  t.equal((await collect(await act.feed.list(manager, {}))).length, 0)
  t.ok(isRight(await task()))
  t.equal((await collect(await act.feed.list(manager, {}))).length, 1)
})

t.test('a promise runs at once, and resolves to a plain result', async (t) => {
  const { almoner, act } = testFixture()
  const created = await almoner.promises.feed.create(donor, parsed(CreateFeedItem, POST))
  t.ok(created.ok && created.value.status === 'Draft')
  const refused = await almoner.promises.feed.create(callerWith('user'), parsed(CreateFeedItem, POST))
  t.strictSame(refused, { ok: false, error: { _tag: 'InsufficientScope', scope: 'user-donor' } })
  t.equal((await collect(await act.feed.list(manager, {}))).length, 1)
})

t.test('promises have the exact types of the use cases, those of nested areas too', async (t) => {
  type Listed = Awaited<ReturnType<Almoner['promises']['feed']['list']>>
  const list: Same<Listed, Result<InsufficientScope | Unavailable, ResultSet<FeedItem, FeedCursor>>> = true
  const given: Same<
    Parameters<Almoner['promises']['feed']['list']>,
    Parameters<Almoner['feed']['list']>
  > = true
  t.ok(list && given)
  const { almoner } = testFixture()
  const loaded = await almoner.promises.labels.load([{ labelId: 'water', en: 'Water', fr: 'Eau' }])
  t.strictSame(loaded, { ok: true, value: { labels: 1, people: 0, everything: 0 } })
  const labels = await almoner.promises.labels.feed.list(donor, {})
  t.ok(labels.ok && labels.value[0]?.labelId === 'water')
})

t.test('a promise rejects after a bug only', async (t) => {
  const cause = new Error('disk full')
  const down = { list: () => async () => ({ _tag: 'Left', left: unavailable(cause) }) } as never
  const failing = testFixture({}, { feedItems: down }).almoner.promises.feed
  t.strictSame(await failing.list(manager, {}), { ok: false, error: unavailable(cause) })
  const broken = testFixture({}, { feedItems: {} as Ports['feedItems'] }).almoner.promises.feed
  await t.rejects(broken.list(manager, {}), TypeError)
})

t.test('input is parsed strictly: unknown names are errors, and a number is not read as text', async (t) => {
  const fields = (result: ReturnType<typeof parseInput>) =>
    result.ok ? [] : result.error.errors.map(({ field, message }) => `${field} ${message}`)
  t.strictSame(fields(parseInput(CreateFeedItem, { ...POST, itemTitle: 42 })), [
    'itemTitle must not be a number',
  ])
  t.strictSame(fields(parseInput(CreateFeedItem, { ...POST, isDonorRestricted: 1 })), [
    'isDonorRestricted must not be a number',
  ])
  t.strictSame(
    fields(parseInput(CreateFeedItem, { ...POST, itemType: 'poem', title: 'A', lang: 'de' } as never)),
    ['itemType must be one of photo, link, vlink', 'lang must be en or fr', 'title is unknown'],
  )
  t.strictSame(parseInput(CreateFeedItem, { ...POST, isDonorRestricted: true, lang: null }), {
    ok: true,
    value: { ...POST, isDonorRestricted: true },
  })
  t.strictSame(parseInput(ListFeedItems, { lim: 10, offset: '2' }), {
    ok: true,
    value: { lim: 10, offset: 2 },
  })
})

t.test('plain data has no Option, no set and no tag', async (t) => {
  const post = testing.sampleFeedItem(1)
  t.strictSame(plain(post).content, { kind: 'link', link: 'https://example.org/1', vlink: null, image: null })
  t.equal(plain(post).createdAt, post.createdAt)
  t.strictSame(plain(callerWith('user')).scopes, ['user'])
  t.strictSame(plain([none, { bytes: new Uint8Array([1]) }]), [null, { bytes: new Uint8Array([1]) }])
  t.strictSame(toResult({ _tag: 'Left', left: 1 }), { ok: false, error: 1 })
})

t.test('orThrow unwraps a task at start, and names the failure', async (t) => {
  const { almoner } = testFixture()
  t.equal(await orThrow(almoner.maintenance.purgeTokens()), 0)
  const unknown = orThrow(almoner.access.authenticate('guess'))
  await t.rejects(unknown, { message: 'InvalidToken', cause: { _tag: 'InvalidToken' } })
})

t.test('memory ports run on the clock of the system, unless another one is given', async (t) => {
  const { almoner, act, clock } = testFixture()
  const post = await act.feed.create(donor, parsed(CreateFeedItem, POST))
  t.equal(post.createdAt, clock.now())
  t.equal(almoner.ports.clock.now(), Date.UTC(2026, 0, 1))
  t.ok(memoryPorts().clock.now() > Date.UTC(2025, 0, 1))
  const given = setClock(0)
  t.equal(memoryPorts({ clock: given }).clock, given)
})

t.test('a test fixture unwraps results, and rejects with a failure as the cause', async (t) => {
  const { almoner, act, clock, pushes } = testFixture({ embargo: true })
  t.equal(almoner.policy.embargo, true)
  await t.rejects(act.feed.create(callerWith('user'), parsed(CreateFeedItem, POST)), {
    cause: { _tag: 'InsufficientScope' },
  })
  t.equal(await failure(almoner.users.getPreference(donor, { email: 'me' })), 'NoActingUser')
  t.strictSame(pushes(), [])
  t.equal(clock.now(), Date.UTC(2026, 0, 1))
  t.throws(
    () => parsed(CreateFeedItem, { ...POST, itemTitle: '' }),
    /^CreateFeedItem: itemTitle is required$/,
  )
})

t.test('samples can be stored, and Live ones are visible to everyone', async (t) => {
  const { act, ports } = testFixture()
  const { done } = testing
  await done(ports.users.putAll([testing.sampleUser(1)]))
  await done(ports.labels.replaceAll([testing.sampleLabel('water')]))
  const { introductions: _, ...others } = testing.samplePortfolio()
  await done(
    ports.portfolio.replace({ ...others, introductions: [testing.sampleIntroduction('acme', 'en')] }),
  )
  t.equal((await act.portfolio.show(callerWith('user'))).organizations, 2)
  const live = testing.sampleLiveFeedItem(1)
  t.equal(live.content.link._tag, 'Some')
  t.equal(testing.sampleLiveLibraryItem(1).images.cover._tag, 'Some')
})
