import { makeLoadLabels, makeRunSchedules } from '@almoner/domain/content'
import { EMPTY_PORTFOLIO } from '@almoner/domain/portfolio'
import { seeded } from '@almoner/testkit/contracts'
import t, { type Test } from 'tap'
import { done, type Fixture, LABELS, startFixture, type Who } from '../support/fixture.ts'
import { create, createLive, IMAGES, itemsIn, onEachStore, update } from '../support/items.ts'
import { seeProblem } from '../support/problems.ts'

const DAY = 86_400_000
const policy = { tokenTtl: 2000 * 86_400 }

interface SeenChange {
  readonly kind: string
  readonly id: string
  readonly operation: string
  readonly item?: Readonly<Record<string, unknown>>
  readonly label?: Readonly<Record<string, unknown>>
}

interface SeenAnswer {
  readonly changes: ReadonlyArray<SeenChange>
  readonly cursor: string
  readonly link: string | null
}

type Query = Readonly<Record<string, string>>

const ask = async (fixture: Fixture, as: Who, query: Query = {}): Promise<SeenAnswer> => {
  const answer = await fixture.call('GET', '/changes', { as, query })
  if (answer.status !== 200) throw new Error(`expected 200, got ${answer.status}`)
  const { changes, cursor } = (await answer.json()) as {
    readonly changes: ReadonlyArray<{ readonly change: SeenChange }>
    readonly cursor: string
  }
  return { changes: changes.map(({ change }) => change), cursor, link: answer.headers.get('link') }
}

/** A copy that an app keeps, and the query with which it asks. */
const newCopy = (as: Who, query: Query) => ({
  ...{ as, query },
  cursor: undefined as string | undefined,
  held: new Map<string, unknown>(),
  reloads: 0,
})
type Copy = ReturnType<typeof newCopy>

const apply = (t: Test, copy: Copy, { changes, cursor }: SeenAnswer): void => {
  const keys = changes.map(({ kind, id }) => `${kind} ${id}`)
  t.equal(new Set(keys).size, keys.length, 'N1: a thing stands once in an answer')
  for (const { kind, id, operation, item, label } of changes) {
    copy.held.delete(`${kind} ${id}`)
    if (operation === 'put') copy.held.set(`${kind} ${id}`, item ?? label)
    if (operation === 'reload') copy.reloads += 1
  }
  copy.cursor = cursor
}

const askFor = (fixture: Fixture, copy: Copy, lim: number): Promise<SeenAnswer> => {
  const since = copy.cursor === undefined ? {} : { since: copy.cursor }
  return ask(fixture, copy.as, { ...copy.query, ...since, lim: String(lim) })
}

/** Asks until nothing is waiting; PostgreSQL gives a change once every older transaction has ended. */
const catchUp = async (t: Test, fixture: Fixture, copy: Copy, lim: number): Promise<void> => {
  for (;;) {
    const answer = await askFor(fixture, copy, lim)
    apply(t, copy, answer)
    t.equal(answer.link !== null, answer.link !== null && answer.changes.length === lim, 'N1: a full answer')
    const { position, latest } = await done(fixture.ports.changes.tip())
    if (answer.link === null && position === latest) return
  }
}

/** Returns the collections as the caller of a copy gets them, by kind and id. */
const shownTo = async (fixture: Fixture, { as, query }: Copy): Promise<Map<string, unknown>> => {
  const shown = new Map<string, unknown>()
  for (const kind of ['library', 'feed'] as const) {
    const answer = await fixture.call('GET', `/${kind}/`, { as, query: { ...query, lim: '1000' } })
    const { items } = (await answer.json()) as { items: ReadonlyArray<{ item: { itemId: string } }> }
    for (const { item } of items) shown.set(`${kind} ${item.itemId}`, item)
  }
  const answer = await fixture.call('GET', '/library/label', { as })
  for (const { label } of (await answer.json()) as ReadonlyArray<{ label: { labelId: string } }>)
    shown.set(`label ${label.labelId}`, label)
  return shown
}

const byKey = (map: ReadonlyMap<string, unknown>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1))
const labelsIn = (map: ReadonlyMap<string, unknown>) =>
  [...map.keys()].filter((key) => key.startsWith('label'))

/** What writes at random need. */
interface Random {
  readonly fixture: Fixture
  readonly below: (most: number) => number
  readonly pick: <A>(all: ReadonlyArray<A>) => A
  readonly items: Array<readonly [itemId: string, contentType: 'library' | 'feed']>
}

const dayNear = ({ fixture, below }: Random): string =>
  new Date(fixture.clock.now() + (below(4) - 1) * DAY).toISOString().slice(0, 10)

const edit = (random: Random, over: Query): Promise<unknown> => {
  const [itemId, contentType] = random.pick(random.items)
  const images = contentType === 'library' ? { ...IMAGES, itemPublicationDate: dayNear(random) } : {}
  return update(random.fixture, contentType, itemId, { ...images, ...over })
}

const renamed = ({ below }: Random) =>
  LABELS.map((label) => (below(3) === 0 ? { ...label, en: `${label.en} ${below(9)}` } : label))

const WRITES: ReadonlyArray<(random: Random) => Promise<unknown>> = [
  async ({ fixture, pick, items }) => {
    const type = pick(['library', 'feed'] as const)
    items.push([(await create(fixture, type, { lang: pick(['en', 'fr']) })).itemId, type])
  },
  ...[1, 2, 3, 4].map(() => (random: Random) => {
    const { pick } = random
    const status = pick(['Live', 'Live', 'Draft', 'Archived'])
    return edit(random, { status, lang: pick(['en', 'fr']), isDonorRestricted: pick(['0', '0', '1']) })
  }),
  ...['POST', 'DELETE'].map((method) => async ({ fixture, pick, items }: Random) => {
    const [itemId, contentType] = pick(items)
    const [path, { labelId }] = [`/${contentType}/${itemId}/label`, pick(LABELS)]
    const target = method === 'POST' ? path : `${path}/${labelId}`
    await fixture.call(method, target, { as: 'manager', ...(method === 'POST' && { json: { labelId } }) })
  }),
  (random) => {
    const labels = random.below(3) === 0 ? renamed(random).toReversed() : renamed(random)
    return done(makeLoadLabels(random.fixture.ports)(labels))
  },
  async (random) => {
    const { ports, clock } = random.fixture
    await edit(random, { status: 'Draft', publishAt: String(Math.floor(clock.now() / 1000)) })
    await done(makeRunSchedules(ports)())
  },
  async ({ fixture }) => fixture.clock.advance(DAY),
  ({ fixture, below }) =>
    done(fixture.ports.portfolio.replace({ ...EMPTY_PORTFOLIO, name: `P${below(1000)}` })),
]

onEachStore(
  t,
  'N2: the copies of all kinds of callers are the collections, after any writes',
  async (t, fixture) => {
    const below = seeded(7)
    const pick = <A>(all: ReadonlyArray<A>): A => all[below(all.length)] as A
    const random: Random = { fixture, below, pick, items: [] }
    await WRITES[0]?.(random)
    const callers: ReadonlyArray<Who> = ['user', 'donor', 'manager']
    const queries: ReadonlyArray<Query> = [
      {},
      { lang: 'fr', include: 'labels' },
      { include: 'labels,images' },
    ]
    const copies = callers.flatMap((as) => queries.map((query) => newCopy(as, query)))
    for (let round = 0; round < 90; round += 1) {
      await pick(WRITES)(random)
      const copy = pick(copies)
      apply(t, copy, await askFor(fixture, copy, 1 + below(4)))
      if (round % 30 !== 29) continue
      for (const one of copies) {
        await catchUp(t, fixture, one, 1 + below(6))
        const shown = await shownTo(fixture, one)
        t.strictSame(
          byKey(one.held),
          byKey(shown),
          `${one.as} ${JSON.stringify(one.query)} in round ${round}`,
        )
        t.strictSame(labelsIn(one.held), labelsIn(shown), 'labels in their order')
      }
    }
    const [copy] = copies
    t.ok(copy !== undefined && copy.reloads > 1)
  },
  { policy: { ...policy, embargo: true } },
)

onEachStore(t, 'N1: everything, then what changed; a full answer links to the next', async (t, fixture) => {
  const { itemId } = await createLive(fixture, 'library')
  await create(fixture, 'feed')
  const first = await ask(fixture, 'user')
  t.strictSame(first.changes[0], { kind: 'portfolio', operation: 'reload' })
  const seen = first.changes.slice(1).map(({ kind, id, operation }) => [kind, id, operation])
  t.strictSame(
    new Set(seen.map(String)),
    new Set([`label,water,put`, 'label,health,put', `library,${itemId},put`]),
  )
  t.equal(first.link, null)
  const [item] = await itemsIn(await fixture.call('GET', `/library/${itemId}`, { as: 'user' }))
  t.strictSame(first.changes.find(({ id }) => id === itemId)?.item, item)
  const none = await ask(fixture, 'user', { since: first.cursor })
  t.strictSame(none.changes, [])
  await update(fixture, 'library', itemId, { status: 'Draft' })
  const gone = await ask(fixture, 'user', { since: none.cursor })
  t.strictSame(gone.changes, [{ kind: 'library', id: itemId, operation: 'remove' }])
  const page = await ask(fixture, 'manager', { lim: '2', kinds: 'label,feed' })
  t.match(
    page.link,
    /^<https:\/\/almoner\.example\.org\/changes\?kinds=label%2Cfeed&lim=2&since=[^&>]+>; rel="next"$/,
  )
  const since = new URL(/<(.*)>/.exec(page.link ?? '')?.[1] ?? '').searchParams.get('since')
  t.equal(since, page.cursor)
  t.notMatch(page.link, /access_token/)
})

onEachStore(t, 'N2: what a caller never could see appears in no way', async (t, fixture) => {
  const { cursor } = await ask(fixture, 'user')
  const donors = await ask(fixture, 'donor')
  const hidden = await createLive(fixture, 'library', { isDonorRestricted: '1' })
  const draft = await create(fixture, 'feed')
  await update(fixture, 'library', hidden.itemId, { status: 'Archived' })
  await update(fixture, 'feed', draft.itemId, { status: 'Archived' })
  t.strictSame((await ask(fixture, 'user', { since: cursor })).changes, [])
  t.strictSame((await ask(fixture, 'donor', { since: donors.cursor })).changes, [
    { kind: 'library', id: hidden.itemId, operation: 'remove' },
  ])
  const inFrench = await ask(fixture, 'user', { lang: 'fr' })
  const english = await createLive(fixture, 'feed', { lang: 'en' })
  t.strictSame((await ask(fixture, 'user', { lang: 'fr', since: inFrench.cursor })).changes, [
    { kind: 'feed', id: english.itemId, operation: 'remove' },
  ])
})

onEachStore(
  t,
  'C9, N2: under an embargo a day brings items, and one that was archived before it never appears',
  async (t, fixture) => {
    const tomorrow = new Date(fixture.clock.now() + DAY).toISOString().slice(0, 10)
    const { cursor } = await ask(fixture, 'user')
    const one = await createLive(fixture, 'library', { ...IMAGES, itemPublicationDate: tomorrow })
    const other = await createLive(fixture, 'library', { ...IMAGES, itemPublicationDate: tomorrow })
    await update(fixture, 'library', other.itemId, { status: 'Archived', itemPublicationDate: tomorrow })
    const today = await ask(fixture, 'user', { since: cursor })
    t.strictSame(today.changes, [])
    fixture.clock.advance(DAY)
    const next = await ask(fixture, 'user', { since: today.cursor })
    t.strictSame(
      next.changes.map(({ id, operation }) => [id, operation]),
      [[one.itemId, 'put']],
    )
    await update(fixture, 'library', one.itemId, { status: 'Archived', itemPublicationDate: tomorrow })
    const last = await ask(fixture, 'user', { since: next.cursor })
    t.strictSame(last.changes, [{ kind: 'library', id: one.itemId, operation: 'remove' }])
    fixture.clock.advance(-DAY)
    t.strictSame((await ask(fixture, 'user', { since: last.cursor })).changes, [], 'a step of the clock')
  },
  { policy: { ...policy, embargo: true } },
)

onEachStore(
  t,
  'N3: a cursor of another scope, language, kind or member is 410, and so is an old one',
  async (t, fixture) => {
    const { cursor } = await ask(fixture, 'user')
    const expired = async (as: Who, query: Query) =>
      seeProblem(
        t,
        await fixture.call('GET', '/changes', { as, query: { since: cursor, ...query } }),
        'cursor_expired',
      )
    await expired('donor', {})
    for (const query of [{ lang: 'en' }, { kinds: 'feed' }, { include: 'labels' }])
      await expired('user', query)
    await ask(fixture, 'user', { since: cursor, lim: '3', kinds: 'portfolio,label,feed,library' })
    fixture.clock.advance(731 * DAY)
    await expired('user', {})
  },
  { policy },
)

t.test('N1, N3: bad parameters are 400, each with its name', async (t) => {
  const fixture = await startFixture(t.testdir({ almoner: {} }))
  t.teardown(() => fixture.stop())
  const { cursor } = await ask(fixture, 'user')
  const bad = async (query: Query, ...fields: ReadonlyArray<string>) => {
    const answer = await fixture.call('GET', '/changes', { as: 'user', query })
    const problem = await seeProblem(t, answer, 'invalid_request')
    t.strictSame(
      problem.errors?.map(({ field }) => field),
      fields,
      JSON.stringify(query),
    )
  }
  await bad({ since: 'x', lim: '0' }, 'since', 'lim')
  await bad({ lim: '1001' }, 'lim')
  for (const kinds of ['labels', 'feed,', 'feed, label', 'Feed']) await bad({ kinds }, 'kinds')
  await bad({ include: 'author' }, 'include')
  for (const since of [`${cursor}0`, cursor.slice(0, -1), cursor.replace('.', ','), `${cursor}.1.1.1.~`])
    await bad({ since }, 'since')
  await ask(fixture, 'user', { kinds: 'feed,feed', include: 'images,images', lim: '1000', since: '' })
  t.equal((await fixture.call('GET', '/changes', {})).status, 401)
  t.equal((await fixture.call('POST', '/changes', { as: 'user' })).status, 405)
})
