import type { Db, ReadOptions } from '@almoner/adapters-kysely'
import type { Connection } from './connect.ts'
import { ANSWER, COUNTING, STATEMENT } from './limits.ts'
import type { Pool } from './pool.ts'
import { WHOSE } from './session-guard.ts'

/** A reader may be slow: it holds nothing that others wait for. */
const BEGIN = `begin isolation level repeatable read, read only;
  set local idle_in_transaction_session_timeout = 0`

const BEGIN_COUNTING = `${BEGIN}; set local statement_timeout = ${COUNTING}`

const begin = async (connection: Connection, statements: string): Promise<void> => {
  const { rows } = await connection.ask(`${statements}; select ${WHOSE}`)
  connection.verify(rows[0])
}

/** Returns a connection, and what releases it with the state that it sees. */
const acquire = async (pool: Pool) => {
  const { connection, release } = await pool.acquire()
  const end = async () => {
    // A connection that cannot roll back is broken, and is not used again.
    if (!connection.isBroken()) await connection.ask('rollback').catch(() => {})
    release()
  }
  return { connection, end }
}

/** Reads from one unchanging state, as the database's `streamSnapshot`. */
export const streamSnapshotOn = (pool: Pool) =>
  async function* <A>(work: (db: Db) => AsyncIterable<A>): AsyncGenerator<A> {
    const { connection, end } = await acquire(pool)
    try {
      await begin(connection, BEGIN)
      yield* work(connection.db)
    } finally {
      await end()
    }
  }

/** Reads from one snapshot, as the database's `readSnapshot`; without a timeout on separate connections. */
export const readSnapshotOn =
  (usual: Pool, counting: Pool) =>
  async <A>(work: (db: Db) => Promise<A>, { timeout }: ReadOptions = {}): Promise<A> => {
    const isCounting = timeout === 'none'
    const { connection, end } = await acquire(isCounting ? counting : usual)
    try {
      // The server cancels a statement before the session does, so that the connection lives on.
      if (isCounting) connection.setTimeout(COUNTING + ANSWER - STATEMENT)
      await begin(connection, isCounting ? BEGIN_COUNTING : BEGIN)
      return await work(connection.db)
    } finally {
      connection.setTimeout()
      await end()
    }
  }
