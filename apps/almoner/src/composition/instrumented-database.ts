import type { AddOperation, DatabaseOperation } from '@almoner/adapters-http'
import type { Database } from '@almoner/adapters-kysely'

const timed = async <A>(
  operation: DatabaseOperation,
  work: () => Promise<A>,
  onOperation: AddOperation,
): Promise<A> => {
  const begun = performance.now()
  let failed = true
  try {
    const result = await work()
    failed = false
    return result
  } finally {
    onOperation(operation, performance.now() - begun, failed)
  }
}

/** Counts the time in which the next value is awaited, not that in which a reader handles one. */
const timedWalk = async function* <A>(values: AsyncIterable<A>, onOperation: AddOperation) {
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
    // A reader that stops early is no failure.
    onOperation('snapshot', isWaiting ? spent + performance.now() - begun : spent, failed && isWaiting)
  }
}

/** Adds the duration of each operation to the metrics. A decision that changes nothing is no failure. */
export const instrumentedDatabase = (database: Database, onOperation: AddOperation): Database => ({
  ...database,
  read: (work) => timed('read', () => database.read(work), onOperation),
  write: (work, manner) => timed('write', () => database.write(work, manner), onOperation),
  snapshot: (work) => timedWalk(database.snapshot(work), onOperation),
  whole: (work, manner) => timed('snapshot', () => database.whole(work, manner), onOperation),
})
