import * as E from 'fp-ts/lib/Either.js'
import type { Db } from './database.ts'
import { oneAhead } from './prefetch.ts'
import { type Runner, UnavailableError } from './runner.ts'

/** Batches that a short collection may have. */
const SHORT = 2

/**
 * A collection in batches, all from one unchanging state (C12). A short one, as most are, is read whole at our own pace; a longer one begins
 * anew as a snapshot, whose places its readers may hold for as long as they take. So those who read slowly keep nobody from what is
 * short. `work` may be run twice. Throws {@link UnavailableError}.
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
