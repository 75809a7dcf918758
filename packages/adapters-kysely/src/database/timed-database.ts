import { isUnavailable } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Database } from './database.ts'

type Operation = 'read' | 'write' | 'snapshot' | 'standby'

/** Takes the duration of an operation in milliseconds, and whether an outage ended it. */
type AddOperation = (operation: Operation, milliseconds: number, failed: boolean) => void

const isOutage = (failure: unknown): boolean =>
  typeof failure === 'object' &&
  failure !== null &&
  '_tag' in failure &&
  isUnavailable(failure as { readonly _tag: string })

const timed =
  <L, A>(operation: Operation, work: TE.TaskEither<L, A>, told: AddOperation): TE.TaskEither<L, A> =>
  async () => {
    const begun = performance.now()
    let failed = true
    try {
      const result = await work()
      failed = E.isLeft(result) && isOutage(result.left)
      return result
    } finally {
      told(operation, performance.now() - begun, failed)
    }
  }

/** A walk is in the database's hands while its next value is awaited, not while a reader takes its time with one. */
const timedWalk = async function* <A>(values: AsyncIterable<A>, told: AddOperation) {
  let spent = 0
  let begun = performance.now()
  let isWaiting = true
  let failed = true
  try {
    for await (const value of values) {
      spent += performance.now() - begun
      isWaiting = false
      yield value
      isWaiting = true
      begun = performance.now()
    }
    failed = false
  } finally {
    // An early end by the reader is not a failure.
    told('snapshot', isWaiting ? spent + performance.now() - begun : spent, failed && isWaiting)
  }
}

/** Makes a database that reports how long each operation took. A decision that changes nothing is no failure. */
export const timedDatabase = (database: Database, told: AddOperation): Database => ({
  ...database,
  ...(database.shown && { shown: timedDatabase(database.shown, told) }),
  read: (work, options) => timed('read', database.read(work, options), told),
  write: (work, options) => timed('write', database.write(work, options), told),
  streamSnapshot: (work, options) => timedWalk(database.streamSnapshot(work, options), told),
  readSnapshot: (work, options) => timed('snapshot', database.readSnapshot(work, options), told),
})
