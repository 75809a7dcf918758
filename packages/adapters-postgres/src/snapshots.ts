import type { Db, Pace } from '@almoner/adapters-kysely'
import type { Pool } from './pool.ts'

/** A reader may be slow: it holds nothing that others wait for. */
const BEGIN = `begin isolation level repeatable read, read only;
  set local idle_in_transaction_session_timeout = 0`

/** Reads from one unchanging state, as the engine's `snapshot`. */
export const snapshotOn = (pools: Readonly<Record<Pace, Pool>>) =>
  async function* <A>(work: (db: Db) => AsyncIterable<A>, pace: Pace = 'reader'): AsyncGenerator<A> {
    const { connection, giveBack } = await pools[pace].borrow()
    try {
      await connection.ask(BEGIN)
      yield* work(connection.db)
    } finally {
      // A connection that cannot roll back is broken, and is not lent again.
      if (!connection.isBroken()) await connection.ask('rollback').catch(() => {})
      giveBack()
    }
  }
