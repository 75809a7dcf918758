import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ItemId, Unavailable } from '@almoner/domain'
import {
  FEED_FIELDS,
  type ItemTexts,
  LIBRARY_FIELDS,
  searchTextOf,
  textProperties,
} from '@almoner/domain/content'
import { CONTENT_TYPES, type ContentType } from '@almoner/domain/history'
import { RepeatableBatches } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { columnOf } from '../schema/item.table.ts'
import {
  type Database,
  DatabaseUnavailable,
  type Db,
  type ItemDate,
  orThrow,
  queryCache,
  ReadingBrokeOff,
  type ReadOptions,
  type SearchIndex,
  UNBOUNDED,
  type WriteOptions,
} from './database.ts'

/** How many rows a statement writes or names: a few sizes only, so that few texts of statements come to be prepared. */
const SIZES = [100, 10, 1]
const [LARGEST = 1] = SIZES

/** Rows in blocks, each of which one statement writes. */
export function* insertChunks<A>(rows: ReadonlyArray<A>): Generator<ReadonlyArray<A>> {
  let at = 0
  for (const size of SIZES)
    while (rows.length - at >= size) {
      yield rows.slice(at, at + size)
      at += size
    }
}

/** Values for `in (…)`, in lists that repeat their last value until they have one of the sizes. */
export function* paddedInLists<A>(values: ReadonlyArray<A>): Generator<ReadonlyArray<A>> {
  for (let at = 0; at < values.length; at += LARGEST) {
    const list = values.slice(at, at + LARGEST)
    const size = SIZES.findLast((size) => size >= list.length) ?? LARGEST
    yield [...list, ...Array.from({ length: size - list.length }, () => list.at(-1) as A)]
  }
}

/** Values for one `in (…)`, a list that repeats its last value until its length is a power of two. */
export const paddedInList = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> => {
  const size = 2 ** Math.ceil(Math.log2(values.length))
  return [...values, ...Array.from({ length: size - values.length }, () => values.at(-1) as A)]
}

/** Returns what statements find of values, a list at a time. */
export const findInLists = async <A, Row>(
  values: ReadonlyArray<A>,
  find: (list: ReadonlyArray<A>) => Promise<ReadonlyArray<Row>>,
): Promise<ReadonlyArray<Row>> => {
  const found: Array<Row> = []
  for (const list of paddedInLists(values)) found.push(...(await find(list)))
  return found
}

/** Values of one `in (…)` whose rows are found within a few milliseconds. */
const FEW = 100

/** Returns how one statement that looks up all of these values is to be run: many take too long for the event loop (I6). */
export const workOf = (values: ReadonlyArray<unknown>): ReadOptions => (values.length > FEW ? UNBOUNDED : {})

/**
 * Rows of a batch: they bound memory and the time that others wait (C12). With several hundred reading is no faster, and V8 comes to allocate
 * the rows among its long-lived objects: 50 MB more at peak.
 */
const BATCH = 50

/** Batches that a short collection may have. */
const SHORT = 2

/**
 * Reads batches until one is not full, and yields to other work in between.
 * @param read the first `most` rows after `last`, in their order; undefined is before all of them
 */
export async function* batchesOf<Row>(
  read: (last: Row | undefined, most: number) => Promise<ReadonlyArray<Row>>,
  limit = Infinity,
): AsyncGenerator<ReadonlyArray<Row>> {
  let last: Row | undefined
  for (let left = limit; left > 0; left -= BATCH) {
    const rows = await read(last, Math.min(BATCH, left))
    if (rows.length > 0) yield rows
    if (rows.length < BATCH) return
    last = rows.at(-1)
    await nextTurn()
  }
}

/** Yields the same values, each once the next one is read: a source is released before its last value is handed out. Throws {@link ReadingBrokeOff}. */
async function* prefetchOne<A>(source: AsyncIterable<A>): AsyncGenerator<A> {
  let held: [A] | [] = []
  try {
    for await (const value of source) {
      yield* held
      held = [value]
    }
  } catch (cause) {
    throw held.length > 0 && cause instanceof DatabaseUnavailable ? new ReadingBrokeOff(cause) : cause
  }
  yield* held
}

/**
 * Reads a collection in batches, all from one unchanging state (C12). A short one, as most are, is read whole at our own pace; a longer one
 * starts again as a stream, whose connection its reader may hold for as long as it takes. Slow readers of large collections therefore never
 * block small ones. `work` may run twice in each iteration. These throw `DatabaseUnavailable`.
 */
export const collection = <A>(
  database: Database,
  work: (db: Db) => AsyncIterable<A>,
  options?: ReadOptions,
): RepeatableBatches<A> => new RepeatableBatches(() => walk(database, work, options))

async function* walk<A>(
  database: Database,
  work: (db: Db) => AsyncIterable<A>,
  options?: ReadOptions,
): AsyncGenerator<A> {
  const read = database.readSnapshot(async (db) => {
    const batches: Array<A> = []
    for await (const batch of work(db)) if (batches.push(batch) > SHORT) break
    return batches
  }, options)
  const begun = await orThrow(read)
  if (begun.length <= SHORT) yield* begun
  else yield* prefetchOne(database.streamSnapshot(work, options))
}

/** Items read at a time. */
const ITEMS_AT_ONCE = 500

interface Row extends ItemTexts {
  readonly id: ItemId
  readonly date: ItemDate
}

const DATES: Readonly<Record<ContentType, string>> = { library: 'publication_date', feed: 'created_at' }

const indexType = async (db: Db, search: SearchIndex, contentType: ContentType): Promise<void> => {
  const run = queryCache()
  const fields = contentType === 'library' ? LIBRARY_FIELDS : FEED_FIELDS
  const texts = textProperties(fields).map((property) => `${columnOf(property)} as "${property}"`)
  const text = `select id, ${DATES[contentType]} as date, ${texts.join(', ')} from ${contentType}_item
    where id > ? order by id limit ?`
  let last = ''
  for (;;) {
    const rows = await run<Row>(db, text, [last, ITEMS_AT_ONCE])
    for (const row of rows) {
      const { id, date } = row
      await search.replace(db, contentType, { id, date, text: searchTextOf(row) })
    }
    if (rows.length < ITEMS_AT_ONCE) return
    last = rows.at(-1)?.id ?? last
  }
}

/** Indexes all items in a transaction, for an index that is empty: after a migration or an import (J2). */
export const indexAllItems = async (db: Db, search: SearchIndex): Promise<void> => {
  for (const contentType of CONTENT_TYPES) await indexType(db, search, contentType)
}

/** For writes that change nothing that a cache holds. */
export const QUIET: WriteOptions = { notify: 'none' }

/** Makes a write of work that no rule rejects. */
export const always =
  <A>(work: (db: Db) => Promise<A>) =>
  async (db: Db): Promise<E.Either<never, A>> =>
    E.right(await work(db))

/** Writes what no rule rejects and no cache holds. */
export const quietly = <A>(database: Database, work: (db: Db) => Promise<A>): TE.TaskEither<Unavailable, A> =>
  database.write(always(work), QUIET)

/**
 * Runs a purge as one transaction and returns how many rows it deleted. A purge that found nothing is rolled back: a commit would change the
 * data version, and every node would clear its caches.
 */
export const purging =
  (
    database: Database,
    purge: (db: Db) => Promise<number>,
    options?: WriteOptions,
  ): TE.TaskEither<Unavailable, number> =>
  async () => {
    const purged = await database.write(async (db): Promise<E.Either<'nothing', number>> => {
      const rows = await purge(db)
      return rows === 0 ? E.left('nothing') : E.right(rows)
    }, options)()
    if (E.isRight(purged)) return purged
    return purged.left === 'nothing' ? E.right(0) : E.left(purged.left)
  }
