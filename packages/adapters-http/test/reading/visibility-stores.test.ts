import { deepStrictEqual } from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { MIGRATIONS, makeMigrator, makeStore } from '@almoner/adapters-kysely'
import { freshStore } from '@almoner/adapters-postgres/testing'
import { openSqlite } from '@almoner/adapters-sqlite'
import {
  type Caller,
  type ClientId,
  callerOf,
  DEFAULT_POLICY,
  decode,
  type FeedItem,
  type LibraryItem,
  ListFeedItems,
  ListLibraryItems,
  mediaAddressesBelow,
  type Policy,
  type Ports,
  type ResultSet,
} from '@almoner/domain'
import {
  type Cursor,
  encodeCursor,
  FEED_KINDS,
  isVisible,
  makeListFeedItems,
  makeListLabels,
  makeListLibraryItems,
  STATUSES,
  visibilityOf,
} from '@almoner/domain/content'
import { collect, dayOf, LANGUAGES, type RawParameters, UTC } from '@almoner/domain/values'
import { done, sampleDay } from '@almoner/testkit/contracts'
import { memoryStore, setClock } from '@almoner/testkit/memory'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import {
  feedItem,
  insertFeedItem,
  insertLibraryItem,
  libraryItem,
  type Traits,
} from '../support/inserting.ts'

// Memory, SQLite and PostgreSQL, asked through the use cases, answer what a naive filter by the one visibility function says (A3, C3, C9, C11).

/** Noon of a publication date in the middle, so that an embargo divides the library. */
const clock = setClock(Date.UTC(2025, 0, 2, 12))
const TODAY = dayOf(clock.now(), UTC)

const CALLERS: ReadonlyArray<Caller> = (
  [
    [['user'], []],
    [['user-donor'], []],
    [['user-donor'], ['user-manager']],
    [['content-manager'], []],
    [['user'], ['super-admin']],
  ] as const
).map(([scopes, roles]) => callerOf({ clientId: 'app' as ClientId, scopes, roles, email: O.none }))

type Stores = Pick<
  Ports,
  'libraryItems' | 'feedItems' | 'knownImages' | 'labels' | 'translations' | 'feedAuthors'
>

const traits: fc.Arbitrary<Traits> = fc.record({
  status: fc.constantFrom(...STATUSES, 'Live'),
  isDonorRestricted: fc.boolean(),
  lang: fc.constantFrom(...LANGUAGES),
  kind: fc.constantFrom(...FEED_KINDS),
  day: fc.nat(2),
})

const absent = fc.constant(undefined)
const query = fc.record({
  lim: fc.oneof(
    { weight: 1, arbitrary: absent },
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 30 }).map(String) },
  ),
  offset: fc.oneof(absent, fc.nat(30).map(String)),
  lang: fc.constantFrom(undefined, 'en', 'FR'),
  itemType: fc.constantFrom(undefined, ...FEED_KINDS),
})

const question = fc.record({ caller: fc.constantFrom(...CALLERS), embargo: fc.boolean(), query })

/** Two content types and their queries. */
const scenario = fc.record({
  // The order of identifiers differs from that of dates.
  library: fc.array(traits, { maxLength: 20 }),
  feed: fc.array(traits, { maxLength: 20 }),
  questions: fc.array(question, { minLength: 12, maxLength: 12 }),
})

type AnyCursor = Cursor<string | number>

/** One content type, seen alike whichever it is. */
interface Asked<I extends LibraryItem | FeedItem> {
  readonly items: ReadonlyArray<I>
  readonly key: (item: I) => string | number
  readonly ask: (
    stores: Stores,
    policy: Policy,
    caller: Caller,
    raw: RawParameters,
  ) => Promise<ResultSet<I, AnyCursor>>
}

const mediaAddresses = mediaAddressesBelow('https://charity.example')

const read = <A>(result: E.Either<unknown, A>): A => {
  if (E.isRight(result)) return result.right
  throw new Error('expected good parameters', { cause: result.left })
}

const libraryOf = (items: ReadonlyArray<LibraryItem>): Asked<LibraryItem> => ({
  items,
  key: (item) => item.publicationDate,
  ask: ({ libraryItems, labels, translations, knownImages }, policy, caller, raw) =>
    done(
      makeListLibraryItems({ libraryItems, labels, translations, knownImages, clock }, policy)(
        caller,
        read(decode(ListLibraryItems)(raw)),
      ),
    ),
})

const feedOf = (items: ReadonlyArray<FeedItem>): Asked<FeedItem> => ({
  items,
  key: (item) => item.createdAt,
  ask: ({ feedItems, labels, feedAuthors, knownImages }, policy, caller, raw) =>
    done(
      makeListFeedItems({ feedItems, labels, feedAuthors, knownImages, mediaAddresses, clock }, policy)(
        caller,
        read(decode(ListFeedItems)(raw)),
      ),
    ),
})

const policyOf = (embargo: boolean): Policy => ({ ...DEFAULT_POLICY, embargo })

/** Newest key first, then newest identifier (C3), without the domain's comparison. */
const inOrder = <I extends LibraryItem | FeedItem>({ items, key }: Asked<I>): ReadonlyArray<I> => {
  const rank = (item: I) => `${key(item)} ${item.id}`
  return [...items].sort((a, b) => (rank(a) < rank(b) ? 1 : -1))
}

type Question = typeof question extends fc.Arbitrary<infer Q> ? Q : never

/** The expected items of a query, before paging. */
const seenBy = <I extends LibraryItem | FeedItem>(
  contentType: Asked<I>,
  { caller, embargo, query }: Question,
): ReadonlyArray<I> => {
  const sees = isVisible(visibilityOf(caller, embargo ? O.some(TODAY) : O.none))
  const isOf = (item: LibraryItem | FeedItem) =>
    !('content' in item) || query.itemType === undefined || item.content.kind === query.itemType
  return inOrder(contentType).filter(
    (item) =>
      sees(item) && (query.lang === undefined || item.lang === query.lang.toLowerCase()) && isOf(item),
  )
}

/** The page of a collection for `lim` and `offset`. */
const cut = <I>(items: ReadonlyArray<I>, { lim, offset }: Question['query']): ReadonlyArray<I> => {
  const from = Number(offset ?? 0)
  return lim === undefined ? items : items.slice(from, from + Number(lim))
}

const answersOne = async <I extends LibraryItem | FeedItem>(
  contentType: Asked<I>,
  stores: Stores,
  asked: Question,
) => {
  const listing = await contentType.ask(stores, policyOf(asked.embargo), asked.caller, asked.query)
  deepStrictEqual(await collect(listing), cut(seenBy(contentType, asked), asked.query))
}

/** Follows `next` from the first page, and checks that every page but the last is full. */
const walks = async <I extends LibraryItem | FeedItem>(
  contentType: Asked<I>,
  stores: Stores,
  asked: Question,
) => {
  const { offset: _, ...query } = asked.query
  const lim = Number(query.lim ?? 7)
  const walked: Array<I> = []
  for (let after: string | undefined, more = true; more; ) {
    const raw = { ...query, lim: String(lim), after }
    const { batches, next } = await contentType.ask(stores, policyOf(asked.embargo), asked.caller, raw)
    const page = await collect({ batches, next })
    walked.push(...page)
    if (O.isSome(next)) deepStrictEqual(page.length, lim)
    more = O.isSome(next)
    after = O.isSome(next) ? encodeCursor(next.value) : undefined
  }
  deepStrictEqual(walked, seenBy(contentType, asked))
}

/** An item by identifier is found by callers who may see it, and does not exist for others (C4, E2). */
const tellsNothing = async <I extends LibraryItem | FeedItem>(
  name: 'library' | 'feed',
  contentType: Asked<I>,
  stores: Stores,
  { caller, embargo }: Question,
) => {
  const policy = policyOf(embargo)
  const sees = isVisible(visibilityOf(caller, embargo ? O.some(TODAY) : O.none))
  const one = async (itemId: string) => {
    const { next, ...listing } = await contentType.ask(stores, policy, caller, { itemId })
    const labels = await done(
      makeListLabels({ ...stores, clock }, policy)(name)(caller, read(decode(ListLibraryItems)({ itemId }))),
    )
    return { next, items: await collect({ next, ...listing }), labels }
  }
  const nothing = await one('0190aaaa-0000-7000-8000-ffffffffffff')
  deepStrictEqual(nothing, { next: O.none, items: [], labels: [] })
  for (const item of contentType.items) {
    const answer = await one(item.id)
    deepStrictEqual(answer, sees(item) ? { ...nothing, items: [item] } : nothing)
  }
}

const openStores = async (folder: string) => {
  const engine = await done(openSqlite({ file: join(folder, 'almoner.db') }))
  await done(makeMigrator(engine, clock, MIGRATIONS).migrate())
  const postgres = await freshStore()
  const close = async () => {
    await engine.close()
    await postgres.close()
  }
  return { all: [memoryStore(), makeStore(engine), postgres], close }
}

/** The position of the n-th item in a permutation of identifiers. */
const scattered = (n: number): number => (n * 7919) % 65_536

/** The assertions for one content type of one store. */
const holds = async <I extends LibraryItem | FeedItem>(
  name: 'library' | 'feed',
  contentType: Asked<I>,
  stores: Stores,
  questions: ReadonlyArray<Question>,
) => {
  for (const asked of questions) {
    await answersOne(contentType, stores, asked)
    await walks(contentType, stores, asked)
  }
  for (const asked of questions.slice(0, 3)) await tellsNothing(name, contentType, stores, asked)
}

t.test(
  'A3, C3, C4, C9, C11: memory, SQLite and PostgreSQL show the items of the visibility function',
  async (t) => {
    const folder = t.testdir()
    const property = fc.asyncProperty(scenario, async (drawn) => {
      const stores = await openStores(mkdtempSync(join(folder, 'run-')))
      const library = libraryOf(drawn.library.map((one, n) => libraryItem(scattered(n), one)))
      const feed = feedOf(drawn.feed.map((one, n) => feedItem(scattered(n), one)))
      try {
        for (const store of stores.all) {
          for (const item of library.items) await insertLibraryItem(store, item)
          for (const item of feed.items) await insertFeedItem(store, item)
          await holds('library', library, store, drawn.questions)
          await holds('feed', feed, store, drawn.questions)
        }
      } finally {
        await stores.close()
      }
    })
    await t.resolves(fc.assert(property, { numRuns: 30 }))
  },
)

t.test('C9: the sample days in this file lie on both sides of the embargo', async (t) => {
  t.strictSame(
    [0, 1, 2].map((day) => Math.sign(sampleDay(day).localeCompare(TODAY))),
    [-1, 0, 1],
  )
})
