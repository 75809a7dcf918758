import type { Database, Db } from '@almoner/adapters-kysely'
import { ANSWER, COUNTING, STATEMENT } from './limits.ts'
import type { Pool } from './pool.ts'

/** A reader may be slow: it holds nothing that others wait for. */
const BEGIN = `begin isolation level repeatable read, read only;
  set local idle_in_transaction_session_timeout = 0`

/** A connection that reads one snapshot until it is released. */
const hold = async (pool: Pool) => {
  const { connection, giveBack } = await pool.borrow()
  const end = async () => {
    // A connection that cannot roll back is broken, and is not lent again.
    if (!connection.isBroken()) await connection.ask('rollback').catch(() => {})
    giveBack()
  }
  return { connection, end }
}

/** Reads from one unchanging state, as the database's `snapshot`. */
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

const BEGIN_PATIENTLY = `${BEGIN}; set local statement_timeout = ${COUNTING}`

/** Reads from one snapshot, as the database's `whole`; internal reads use separate connections. */
export const wholeOn =
  (pools: { readonly hurried: Pool; readonly patient: Pool }): Database['whole'] =>
  async (work, manner) => {
    const isPatient = manner === 'patient'
    const { connection, end } = await hold(isPatient ? pools.patient : pools.hurried)
    try {
      // The server gives a statement up before the session does, so that the connection lives on.
      if (isPatient) connection.bePatient(COUNTING + ANSWER - STATEMENT)
      await connection.ask(isPatient ? BEGIN_PATIENTLY : BEGIN)
      return await work(connection.db)
    } finally {
      connection.hurry()
      await end()
    }
  }
