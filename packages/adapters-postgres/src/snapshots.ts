import { type Db, makeSemaphore, type ReadOptions } from '@almoner/adapters-kysely'
import type { Connection } from './connect.ts'
import { WHOSE } from './guard.ts'
import { ANSWER, COUNTING, STATEMENT } from './limits.ts'
import type { Pool, Use } from './pool.ts'
import { withRetry } from './retries.ts'
import { joined } from './session.ts'

/** Of a transaction that reads. A reader may be slow: it holds nothing that others wait for. */
export const PATIENT = 'set local idle_in_transaction_session_timeout = 0'

const COUNTING_LONG = `${PATIENT}; set local statement_timeout = ${COUNTING}`

/** Begins a transaction whose statements all see one state, which is taken now. */
export const begin = async (connection: Connection, limits: string): Promise<void> => {
  const { settings, ask } = connection
  const { rows } = await ask(
    joined('begin isolation level repeatable read, read only', settings, limits, `select ${WHOSE}`),
  )
  connection.verify(rows[0])
}

/** Called on the connection once it has seen the data, before they are shown (I8). Does not throw. */
export type AfterRead = (connection: Connection) => Promise<void>
export const noNote: AfterRead = async () => {}

/** What happens before data that were read are given to anyone (I8). */
export interface BeforeShown {
  readonly onRead: AfterRead
  /** Resolves once the commits count that data may show which a connection has seen before the call. Does not throw. */
  readonly catchUp: () => Promise<void>
}

/** Returns a connection, and what releases it with the state that it sees. */
const acquire = async (pool: Pool, use: Use) => {
  const { connection, release } = await pool.acquire(use)
  const end = async () => {
    // A connection that cannot roll back is broken, and is not used again.
    if (!connection.isBroken()) await connection.ask('rollback').catch(() => {})
    release()
  }
  return { connection, end }
}

/** Reads from one unchanging state, as the database's `streamSnapshot`. Until the first value, it is repeated if the connection was lost. */
export const streamSnapshotOn = (pool: Pool, { onRead, catchUp }: BeforeShown) => {
  const start = async <A>(work: (db: Db) => AsyncIterable<A>) => {
    const { connection, end } = await acquire(pool, 'stream')
    try {
      await begin(connection, PATIENT)
      await Promise.all([onRead(connection), catchUp()])
      const values = work(connection.db)[Symbol.asyncIterator]()
      return { first: await values.next(), values, end }
    } catch (cause) {
      await end()
      throw cause
    }
  }
  return async function* <A>(work: (db: Db) => AsyncIterable<A>): AsyncGenerator<A> {
    const { first, values, end } = await withRetry(() => start(work))
    try {
      for (let next = first; next.done !== true; next = await values.next()) yield next.value
    } finally {
      try {
        await values.return?.()
      } finally {
        await end()
      }
    }
  }
}

/** What counts whole tables: one at a time, and the next one waits for a whole count. */
const COUNTS = { permits: 1, queueLimit: 8, timeout: COUNTING }

/** Reads from one snapshot, as the database's `readSnapshot`; one at a time without a timeout. Repeats if the connection was lost. */
export const readSnapshotOn = (pool: Pool, { onRead, catchUp }: BeforeShown) => {
  const turns = makeSemaphore(COUNTS)

  const readOnce = async <A>(work: (db: Db) => Promise<A>, isCounting: boolean): Promise<A> => {
    const { connection, end } = await acquire(pool, isCounting ? 'count' : 'request')
    try {
      // The server cancels a statement before the session does, so that the connection lives on.
      if (isCounting) connection.setTimeout(COUNTING + ANSWER - STATEMENT)
      await begin(connection, isCounting ? COUNTING_LONG : PATIENT)
      // It goes on beside the work: the state is taken.
      const caughtUp = catchUp()
      const value = await work(connection.db)
      await onRead(connection)
      await caughtUp
      return value
    } finally {
      connection.setTimeout()
      await end()
    }
  }

  return async <A>(work: (db: Db) => Promise<A>, { timeout }: ReadOptions = {}): Promise<A> => {
    if (timeout !== 'none') return withRetry(() => readOnce(work, false))
    const endTurn = await turns.acquire()
    try {
      return await withRetry(() => readOnce(work, true))
    } finally {
      endTurn()
    }
  }
}

/** Works on a connection of a pool. */
export const withConnection = async <A>(
  pool: Pool,
  work: (connection: Connection) => Promise<A>,
): Promise<A> => {
  const { connection, release } = await pool.acquire()
  try {
    return await work(connection)
  } finally {
    release()
  }
}

/** As default_transaction_isolation of our sessions: each statement sees what was committed before it. */
const SINGLE = 'begin isolation level read committed'

/** Reads with the settings of the session, or behind a pooler with those of a transaction. */
export const readIn = async <A>(connection: Connection, work: (db: Db) => Promise<A>): Promise<A> => {
  if (connection.settings === '') return work(connection.db)
  await connection.ask(`${SINGLE}; ${connection.settings}`)
  try {
    return await work(connection.db)
  } finally {
    if (!connection.isBroken()) await connection.ask('commit').catch(() => {})
  }
}

/** Runs single read statements; repeats if the connection was lost. */
export const readOn =
  (pool: Pool, { onRead, catchUp }: BeforeShown) =>
  <A>(work: (db: Db) => Promise<A>): Promise<A> =>
    withRetry(async () => {
      const value = await withConnection(pool, async (connection) => {
        const found = await readIn(connection, work)
        await onRead(connection)
        return found
      })
      await catchUp()
      return value
    })
