import { setTimeout as pause } from 'node:timers/promises'
import type { Db, Manner } from '@almoner/adapters-kysely'
import * as E from 'fp-ts/lib/Either.js'
import { commit } from './commit.ts'
import type { Connection } from './connect.ts'
import { wasCrossed, wasLost, wasOvertaken } from './fault.ts'
import { CHANNEL, type Change } from './listen-notify.ts'
import type { Pool } from './pool.ts'

/** Reads the transaction number before the commit, because it is not available after the connection is lost (I5). */
const NUMBER = 'select pg_current_xact_id()::text as xid'

/** READ COMMITTED: the repositories lock the rows on which they decide. */
const MODE = 'begin isolation level read committed, read write'
const BEGIN = `${MODE}; ${NUMBER}`
const BEGIN_PATIENTLY = `${MODE};
  set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0;
  ${NUMBER}`

/**
 * NOTIFY runs in the committing transaction, so listeners never hear of a rolled-back change. The server serializes commits with NOTIFY, so
 * transactions without changes omit it.
 */
const COMMIT = `notify ${CHANNEL}; commit`
/** The same, where it was content alone. */
const COMMIT_CONTENT = `notify ${CHANNEL}, 'content'; commit`
const COMMIT_QUIETLY = 'commit'

/** How often a transaction may be run again for each reason. */
const AGAIN = { crossed: 9, overtaken: 2, lost: 1 }

/** Milliseconds before the first of them; each next one waits about twice as long, up to the last. */
const PAUSE = { first: 2, last: 200 }

type Reason = keyof typeof AGAIN

const reasonOf = (cause: unknown): Reason | undefined => {
  if (wasCrossed(cause)) return 'crossed'
  if (wasOvertaken(cause)) return 'overtaken'
  return wasLost(cause) ? 'lost' : undefined
}

/** Runs work again while a fault is one that passes. */
const persistently = async <A>(work: () => Promise<A>): Promise<A> => {
  const left = { ...AGAIN }
  for (let longest = PAUSE.first; ; longest = Math.min(2 * longest, PAUSE.last)) {
    try {
      return await work()
    } catch (cause) {
      const reason = reasonOf(cause)
      if (reason === undefined || left[reason] === 0) throw cause
      left[reason] -= 1
      await pause(Math.random() * longest)
    }
  }
}

const onLoan = async <A>(pool: Pool, work: (connection: Connection) => Promise<A>): Promise<A> => {
  const { connection, giveBack } = await pool.borrow()
  try {
    return await work(connection)
  } finally {
    giveBack()
  }
}

type Write<L, A> = (db: Db) => Promise<E.Either<L, A>>

interface Ends {
  readonly begin: string
  readonly end: string
  /** Opens a connection beside those of the pool. */
  readonly connect: () => Promise<Connection>
}

/** Begins a transaction and gives its number. */
const beginOn = async (connection: Connection, statement: string): Promise<string> => {
  const { rows } = await connection.ask(statement)
  return String(rows[0]?.['xid'])
}

const transact = async <L, A>(
  connection: Connection,
  { begin, end, connect }: Ends,
  work: Write<L, A>,
): Promise<E.Either<L, A>> => {
  let committed = false
  try {
    const xid = await beginOn(connection, begin)
    const result = await work(connection.db)
    if (E.isLeft(result)) return result
    await commit(connection, end, { xid, life: connection.life }, connect)
    committed = true
    return result
  } finally {
    // A connection that cannot roll back is broken, and the server rolls back for it.
    if (!committed && !connection.isBroken()) await connection.ask('rollback').catch(() => {})
  }
}

/** Runs single read statements; repeats once if the connection was lost. */
export const readOn =
  (pool: Pool) =>
  async <A>(work: (db: Db) => Promise<A>): Promise<A> => {
    const read = () => onLoan(pool, ({ db }) => work(db))
    try {
      return await read()
    } catch (cause) {
      if (wasLost(cause)) return read()
      throw cause
    }
  }

const commitOf = (manner: Manner | undefined): string => {
  if (manner === 'quiet') return COMMIT_QUIETLY
  return manner === 'content' ? COMMIT_CONTENT : COMMIT
}

/** Writes, as the database's `write`; `onCommit` is called after each that is not quiet. */
export const writeOn =
  (pool: Pool, connect: () => Promise<Connection>, onCommit: (change: Change) => void) =>
  async <L, A>(work: Write<L, A>, manner?: Manner): Promise<E.Either<L, A>> => {
    const end = commitOf(manner)
    const hurried = (connection: Connection) => transact(connection, { begin: BEGIN, end, connect }, work)
    const patient = async (connection: Connection) => {
      connection.bePatient()
      try {
        return await transact(connection, { begin: BEGIN_PATIENTLY, end, connect }, work)
      } finally {
        connection.hurry()
      }
    }
    const result = await persistently(() =>
      onLoan(pool, manner === 'patient' || manner === 'schema' ? patient : hurried),
    )
    if (E.isRight(result) && manner !== 'quiet') onCommit(manner === 'content' ? 'content' : 'anything')
    return result
  }
