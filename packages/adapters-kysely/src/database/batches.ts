import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database, Db, ReadOptions } from './database.ts'
import { orThrow } from './unavailable.ts'

/**
 * Rows of a batch: they bound memory and the time that others wait (C12). With several hundred reading is no faster, and V8 comes to allocate
 * the rows among its long-lived objects: 50 MB more at peak.
 */
export const BATCH = 50

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

/** Yields the same values, each once the next one is read: a source is released before its last value is handed out. */
async function* prefetchOne<A>(source: AsyncIterable<A>): AsyncGenerator<A> {
  let held: [A] | [] = []
  for await (const value of source) {
    yield* held
    held = [value]
  }
  yield* held
}

/**
 * Reads a collection in batches, all from one unchanging state (C12). A short one, as most are, is read whole at our own pace; a longer one
 * starts again as a stream, whose connection its reader may hold for as long as it takes. Slow readers of large collections therefore never
 * block small ones. `work` may run twice. Throws `DatabaseUnavailable`.
 */
export async function* collection<A>(
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
