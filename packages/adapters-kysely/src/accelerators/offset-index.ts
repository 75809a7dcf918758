import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ItemId } from '@almoner/domain'
import {
  type Cursor,
  feedCursor,
  type ItemCore,
  type ItemQuery,
  libraryCursor,
  matchesFeed,
  matchesLibrary,
} from '@almoner/domain/content'
import type { ItemStore } from '@almoner/domain/ports'
import type { PageRequest } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { feedTable, libraryTable } from '../content/tables.ts'
import type { Database } from '../database/database.ts'
import { PAGE } from '../database/ordered-table.ts'
import type { Store } from '../store.ts'
import { type CountPlaces, makeCountPlaces, type PlaceCounts } from './places.ts'

/** Queries whose counts are kept: a feed has 36 that differ by caller, language and type. */
const CACHED_QUERIES = 40
/** A page that met a write is read again so often before the offset is passed over by the database. */
const TRIES = 4
/** A new count waits for this multiple of the last count's duration, so that other processes' writes do not keep this one counting. */
const REST = 10

/** What the index knows of one kind of items, and of who else writes them. */
interface OffsetIndexParts<Item, Query, K extends string | number> {
  readonly matches: (query: Query) => (item: Item) => boolean
  readonly cursorOf: (item: Item) => Cursor<K>
  readonly count: CountPlaces<Item, Query, K>
  /** Returns a value that another one takes the place of once another process has written. */
  readonly othersWrites: () => unknown
  /** Offsets up to this are passed over by the database, which is as quick. */
  readonly near: number
  /** Returns milliseconds of a clock that is never put back. */
  readonly now: () => number
}

/** An item before and after it was written; a new one was not there before, a deleted one is not there after. */
interface Write<Item> {
  readonly before: Item | undefined
  readonly item: Item | undefined
}

interface Index<Item, K extends string | number> {
  readonly counts: PlaceCounts<K>
  readonly matches: (item: Item) => boolean
  /** The state of others' writes for which the counts are right. */
  readonly others: unknown
}

/**
 * Adds to an item store that a page far down costs about what the first one costs. Places are counted at the first such page and kept right
 * by this process's own writes. After another process has written they are counted again, once that is due; until then the database passes
 * over the offset. Queries with filters (J1) go to the store: there are too many to count.
 * Every page is one that the store itself would give (B4, C3, C11).
 */
const withOffsetIndex = <
  Item extends ItemCore,
  NewItem extends Item,
  Query extends ItemQuery,
  K extends string | number,
>(
  store: ItemStore<Item, NewItem, Query, Cursor<K>>,
  { matches, cursorOf, count, othersWrites, near, now }: OffsetIndexParts<Item, Query, K>,
): ItemStore<Item, NewItem, Query, Cursor<K>> => {
  // A Map remembers the order in which its keys came: the first is the one not asked for for longest.
  const kept = new Map<string, Index<Item, K>>()
  const inFlight = new Set<Promise<unknown>>()
  /** The items written since a count began, before that and as they are now; undefined while nothing is counted. */
  let touched: Map<ItemId, Write<Item>> | undefined
  /** The query that is being counted, and what resolves when it is done. */
  let counting: { readonly name: string; readonly done: Promise<void> } | undefined
  let writes = 0
  let restsUntil = Number.NEGATIVE_INFINITY

  const move = (
    { counts, matches }: Index<Item, K>,
    before: Item | undefined,
    item: Item | undefined,
  ): void => {
    if (before !== undefined && matches(before)) counts.add(cursorOf(before), -1)
    if (item !== undefined && matches(item)) counts.add(cursorOf(item), 1)
  }

  const written = (before: Item | undefined, item: Item | undefined): void => {
    const id = (item ?? before)?.id
    if (id === undefined) return
    writes += 1
    const first = touched?.get(id)
    touched?.set(id, { before: first === undefined ? before : first.before, item })
    for (const index of kept.values()) move(index, before, item)
  }

  /** Runs a write and applies it to the counts, before its caller is resolved. */
  const watched = async <L, A>(
    write: TaskEither<L, A>,
    done: (result: A) => void,
  ): Promise<E.Either<L, A>> => {
    const running = write()
    inFlight.add(running)
    try {
      const outcome = await running
      if (E.isRight(outcome)) done(outcome.right)
      return outcome
    } finally {
      inFlight.delete(running)
    }
  }

  const counted = async (query: Query, name: string, ids: Map<ItemId, Write<Item>>): Promise<void> => {
    const others = othersWrites()
    const found = await count(query, async () => {
      // A write that was under way when the count began may be in what it sees, or not.
      await Promise.allSettled([...inFlight])
      return [...ids.keys()]
    })()
    if (E.isLeft(found)) return
    const { counts, held } = found.right
    const index = { counts, matches: matches(query), others }
    for (const [id, { before, item }] of ids) move(index, held.has(id) ? held.get(id) : before, item)
    kept.set(name, index)
    const [oldest] = kept.keys()
    if (kept.size > CACHED_QUERIES && oldest !== undefined) kept.delete(oldest)
  }

  const countAnew = async (query: Query, name: string): Promise<void> => {
    const began = now()
    touched = new Map()
    try {
      await counted(query, name, touched)
    } catch {
      // A page meets the same fault by itself, and reports it.
    } finally {
      touched = counting = undefined
      restsUntil = now() + REST * (now() - began)
    }
  }

  /** The counts of a query, unless they have to be made first, which begins then. Others may have written since. */
  const present = (query: Query, name: string): Index<Item, K> | undefined => {
    const index = kept.get(name)
    kept.delete(name)
    if (index !== undefined) kept.set(name, index)
    const isIdle = counting === undefined && now() >= restsUntil
    if (isIdle && (index === undefined || index.counts.isUneven()))
      counting = { name, done: countAnew(query, name) }
    return index
  }

  /** Reads a page after waiting for a count of the query: walking a large offset would block other requests longer. */
  const ready = async (query: Query, name: string): Promise<Index<Item, K> | undefined> => {
    const index = present(query, name)
    if (index !== undefined || counting?.name !== name) return index
    await counting.done
    return present(query, name)
  }

  /** Returns whether others have written since a query was counted. Its counts are dropped then. */
  const dropIfStale = (index: Index<Item, K>, name: string): boolean => {
    if (index.others === othersWrites()) return false
    if (kept.get(name) === index) kept.delete(name)
    return true
  }

  const isDeep = ({ lim, offset, after }: PageRequest<Cursor<K>>): boolean =>
    offset > near && O.isNone(after) && O.isSome(lim) && lim.value <= PAGE

  /** A page by the index; undefined where there is none, or where writes kept getting in between. */
  const pageByIndex = async (
    query: Query,
    { lim, offset }: PageRequest<Cursor<K>>,
    isCounted: boolean | undefined,
  ) => {
    const name = JSON.stringify(query)
    for (let left = TRIES; left > 0; left -= 1) {
      const index = await ready(query, name)
      if (index === undefined) return undefined
      const before = writes
      const page = await store.list(query, { lim, ...index.counts.locate(offset) }, isCounted)()
      // The page may show a write that is under way: by the next iteration of the event loop it has been taken in.
      if (inFlight.size > 0) await nextTurn()
      const isStale = dropIfStale(index, name)
      if (before === writes && !isStale) return page
    }
    return undefined
  }

  return {
    ...store,
    list: (query, window, isCounted) => async () =>
      (isDeep(window) && query.filters === undefined
        ? await pageByIndex(query, window, isCounted)
        : undefined) ?? store.list(query, window, isCounted)(),
    add: (write, receipt) => () => watched(store.add(write, receipt), () => written(undefined, write.item)),
    change: (id, decide, receipt) => () => {
      let before: Item | undefined
      const deciding: typeof decide = (current) => {
        before = current
        return decide(current)
      }
      return watched(store.change(id, deciding, receipt), ({ item }) => written(before, item))
    },
    remove: (id, decide) => () => watched(store.remove(id, decide), (item) => written(item, undefined)),
    putBack:
      (...given) =>
      () =>
        watched(store.putBack(...given), (item) => written(undefined, item)),
    carryOut: (ids, decide) => () => {
      const before = new Map<ItemId, Item>()
      const deciding: typeof decide = (current) => {
        before.set(current.id, current)
        return decide(current)
      }
      return watched(store.carryOut(ids, deciding), (changes) => {
        for (const { item } of changes) {
          written(before.get(item.id), item)
          before.set(item.id, item)
        }
      })
    },
  }
}

/** How an offset index counts. */
interface Counting {
  /** Places from one bound to the next. */
  readonly size: number
  /** Offsets up to this are passed over by the database. */
  readonly near: number
}

/** SQLite walks this number of entries in some microseconds. */
const USUAL: Counting = { size: 256, near: 256 }

/** An engine that knows when others write. */
interface Watching extends Database {
  /** Returns a value that another one takes the place of once another process has written. */
  othersWrites(): unknown
}

/** Adds an offset index to both item stores of a store on this engine (B4, C11). */
export const withOffsetIndexes = (
  store: Store,
  database: Watching,
  { size, near }: Counting = USUAL,
): Store => {
  const common = { othersWrites: () => database.othersWrites(), now: () => performance.now(), near }
  return {
    ...store,
    libraryItems: withOffsetIndex(store.libraryItems, {
      ...common,
      matches: matchesLibrary,
      cursorOf: libraryCursor,
      count: makeCountPlaces(database, libraryTable, size),
    }),
    feedItems: withOffsetIndex(store.feedItems, {
      ...common,
      matches: matchesFeed,
      cursorOf: feedCursor,
      count: makeCountPlaces(database, feedTable, size),
    }),
  }
}
