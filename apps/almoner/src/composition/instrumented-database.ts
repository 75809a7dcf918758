import type { AddOperation, DatabaseOperation } from '@almoner/adapters-http'
import type { Database } from '@almoner/adapters-kysely'

const timed = async <A>(
  operation: DatabaseOperation,
  work: () => Promise<A>,
  told: AddOperation,
): Promise<A> => {
  const begun = performance.now()
  let failed = true
  try {
    const result = await work()
    failed = false
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
    // Whoever has seen enough ends a walk that was fine.
    told('snapshot', isWaiting ? spent + performance.now() - begun : spent, failed && isWaiting)
  }
}

/** An engine that tells how long each operation took. A decision that changes nothing is no failure. */
export const watchedEngine = (engine: Database, told: AddOperation): Database => ({
  ...engine,
  read: (work) => timed('read', () => engine.read(work), told),
  write: (work, manner) => timed('write', () => engine.write(work, manner), told),
  snapshot: (work) => timedWalk(engine.snapshot(work), told),
  whole: (work, manner) => timed('snapshot', () => engine.whole(work, manner), told),
})
