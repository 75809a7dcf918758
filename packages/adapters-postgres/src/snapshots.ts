import type { Db, Engine } from '@almoner/adapters-kysely'
import type { Pool } from './pool.ts'

/** A reader may be slow: it holds nothing that others wait for. */
const BEGIN = `begin isolation level repeatable read, read only;
  set local idle_in_transaction_session_timeout = 0`

/** A connection that sees one state from its beginning until it is let go. */
const hold = async (pool: Pool) => {
  const { connection, giveBack } = await pool.borrow()
  const end = async () => {
    // A connection that cannot roll back is broken, and is not lent again.
    if (!connection.isBroken()) await connection.ask('rollback').catch(() => {})
    giveBack()
  }
  return { connection, end }
}

/** Reads from one unchanging state, as the engine's `snapshot`. */
export const snapshotOn = (pool: Pool) =>
  async function* <A>(work: (db: Db) => AsyncIterable<A>): AsyncGenerator<A> {
    const { connection, end } = await hold(pool)
    try {
      await connection.ask(BEGIN)
      yield* work(connection.db)
    } finally {
      await end()
    }
  }

/** Reads from one unchanging state, as the engine's `whole`. */
export const wholeOn =
  (pool: Pool): Engine['whole'] =>
  async (work) => {
    const { connection, end } = await hold(pool)
    try {
      await connection.ask(BEGIN)
      return await work(connection.db)
    } finally {
      await end()
    }
  }
