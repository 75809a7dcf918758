import * as E from 'fp-ts/lib/Either.js'
import type { Db } from './database.ts'
import { oneAhead } from './prefetch.ts'
import { type Runner, UnavailableError } from './runner.ts'

/** Batches that a short collection may have. */
const SHORT = 2

/**
 * Returns a collection in batches from one snapshot (C12). A short collection is read completely at once; a longer one starts again as a
 * streamed snapshot, which lasts as long as its client reads. Slow readers of large collections therefore never block small
 * ones. `work` may be run twice. Throws {@link UnavailableError}.
 */
export async function* collection<A>(runner: Runner, work: (db: Db) => AsyncIterable<A>): AsyncGenerator<A> {
  const begun = await runner.whole(async (db) => {
    const batches: Array<A> = []
    for await (const batch of work(db)) if (batches.push(batch) > SHORT) break
    return batches
  })()
  if (E.isLeft(begun)) throw new UnavailableError(begun.left.cause)
  if (begun.right.length <= SHORT) yield* begun.right
  else yield* oneAhead(runner.snapshot(work))
}
