import { setTimeout as pause } from 'node:timers/promises'
import {
  COMPLETE_POSITION,
  CommitOutcomeUnknown,
  DatabaseUnavailable,
  type Db,
  EPOCH_TABLE,
  epochStatements,
  LAST_POSITION,
  type WriteOptions,
} from '@almoner/adapters-kysely'
import * as E from 'fp-ts/lib/Either.js'
import { type Connection, SERVER_LIFE } from './connect.ts'
import { POSTGRES } from './dialect.ts'
import { ConnectionLost, isDiskFull, isFinal } from './fault.ts'
import {
  isOutdated,
  isReadOnly,
  MAY_REFUSE,
  MODE,
  type SessionGuard,
  TAKES_NO_WRITES,
  WHOSE,
} from './guard.ts'
import type { Pool } from './pool.ts'
import { withRetry } from './retries.ts'
import { joined } from './session.ts'
import { type Change, HAS_SIGNALS, recordOf, type Signal } from './signals.ts'
import { type BeforeShown, withConnection } from './snapshots.ts'

/** Milliseconds for determining the outcome of a transaction, and between two queries. */
const SEARCH = 5000
const PAUSE = 50

/** A transaction, as servers know it. */
interface TransactionId {
  /** Its 64-bit number, as text. */
  readonly xid: string
  /** The life of the server that numbered it, as {@link SERVER_LIFE}; empty when that is unknown. */
  readonly life: string
}

type Status = 'committed' | 'aborted' | 'unknown'

const statusQuery = `select pg_xact_status($1::xid8) as status, ${SERVER_LIFE} as life`

/** A status that another life of the server gives may be that of another transaction, but only if that one was committed. */
const statusIn = (
  { life }: TransactionId,
  row: Readonly<Record<string, unknown>>,
): Status | 'in progress' => {
  const { status } = row
  if (status === 'committed') return life !== '' && row['life'] === life ? status : 'unknown'
  return status === 'aborted' || status === 'in progress' ? status : 'unknown'
}

const askOnce = async (
  connect: () => Promise<Connection>,
  transaction: TransactionId,
): Promise<Status | 'in progress'> => {
  const connection = await connect()
  try {
    const { rows } = await connection.ask(statusQuery, [transaction.xid])
    return statusIn(transaction, rows[0] ?? {})
  } finally {
    connection.end()
  }
}

/** Asks until the server knows, for {@link SEARCH} milliseconds at most. Does not throw. */
const findStatus = async (
  connect: () => Promise<Connection>,
  transaction: TransactionId,
): Promise<Status> => {
  const until = performance.now() + SEARCH
  do {
    // A server that does not answer, or knows no such number, may be another one a moment later.
    const status = await askOnce(connect, transaction).catch(() => 'in progress' as const)
    if (status !== 'in progress') return status
    await pause(PAUSE)
  } while (performance.now() < until)
  return 'unknown'
}

/**
 * Commits a transaction. If the connection is lost meanwhile, determines the outcome on another one (I5).
 * @param connect opens that connection
 * @throws ConnectionLost if the transaction was not committed, {@link CommitOutcomeUnknown} if the outcome cannot be determined
 */
const commit = async (
  connection: Connection,
  statement: string,
  transaction: TransactionId,
  connect: () => Promise<Connection>,
): Promise<void> => {
  try {
    await connection.ask(statement)
  } catch (cause) {
    if (!isFinal(cause)) throw cause
    const status = await findStatus(connect, transaction)
    if (status === 'aborted')
      throw new ConnectionLost('the connection to the database was lost before a commit')
    if (status === 'unknown')
      throw new CommitOutcomeUnknown('the connection to the database was lost during a commit')
  }
}

/** The number has to be known before the commit is sent: once the connection is lost, it cannot be asked for (I5). */
const NUMBER = `select pg_current_xact_id()::text as xid, ${MAY_REFUSE}, ${WHOSE}`

/** READ COMMITTED: the repositories lock the rows on which they decide. Not `read write`, which would override a host's protection (I10). */
const BEGIN = 'begin isolation level read committed'
const WITHOUT_TIMEOUT =
  'set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0'

/** Behind a pooler, each transaction may be of another server, or of another life of it. */
const SERVER_OF_TRANSACTION = `${POSTGRES.positions.server} as server, ${SERVER_LIFE} as life`

const beginOf = ({ settings }: Connection, limits: string): string =>
  joined(BEGIN, settings, limits, settings === '' ? NUMBER : `${NUMBER}, ${SERVER_OF_TRANSACTION}`)

type Write<L, A> = (db: Db) => Promise<E.Either<L, A>>

interface Ends {
  /** Statements that set the time limits of the transaction, or none. */
  readonly limits: string
  readonly change: Change | 'none'
}

/** Remembers the connections that have compared their server with that of the present epoch of changes; behind a pooler, the server of the last one. */
export const makeCompared = () => {
  const connections = new WeakSet<Connection>()
  let latest: unknown
  return {
    has: (connection: Connection, { server }: Begun): boolean =>
      connection.settings === '' ? connections.has(connection) : server === latest,
    add: (connection: Connection, { server }: Begun): void => {
      connections.add(connection)
      latest = server
    },
  }
}

/** What writes need besides their connection. */
interface WriterOptions {
  readonly pool: Pool
  /** Opens a connection beside those of the pool. */
  readonly connect: () => Promise<Connection>
  readonly guard: Pick<SessionGuard, 'readsOnly' | 'lacksRoom'>
  readonly compared: ReturnType<typeof makeCompared>
  /** Called after each write that notifies, and after one of which it is not known whether it was committed. */
  readonly onCommit: (signal: Signal) => void
  /** Whether the database has the table of signals; once it has, no longer asked. */
  hasSignals: boolean
  /** For what a transaction read or wrote. */
  readonly beforeShown: BeforeShown
}

/** Throws {@link DatabaseUnavailable} if the transaction may not write. */
const checkMode = async (connection: Connection, { pool, guard }: WriterOptions): Promise<void> => {
  const [mode] = (await connection.ask(`select ${MODE}`)).rows
  if (await isOutdated(connection, mode)) {
    pool.renew()
    throw new ConnectionLost('the connection began before the database took writes again')
  }
  guard.readsOnly(isReadOnly(mode))
  if (isReadOnly(mode)) throw new DatabaseUnavailable(TAKES_NO_WRITES)
}

/** A transaction that has begun. */
interface Begun extends TransactionId {
  /** Identifies the server; undefined where the connection has one. */
  readonly server: unknown
}

/** Begins a transaction in the session of the connection. */
const beginOn = async (connection: Connection, limits: string, options: WriterOptions): Promise<Begun> => {
  const [row] = (await connection.ask(beginOf(connection, limits))).rows
  connection.verify(row)
  if (row?.['may_refuse'] === true) await checkMode(connection, options)
  else options.guard.readsOnly(false)
  return {
    xid: String(row?.['xid']),
    life: String(row?.['life'] ?? connection.life),
    server: row?.['server'],
  }
}

const NUMBERED_BY = `select identity, ${POSTGRES.positions.server} as server from ${EPOCH_TABLE} where last_position is null`

/** Puts the transactions that run now, and all later ones, behind the last position. */
const SHIFT_NOW = `greatest(max(shift), ${LAST_POSITION} + 1 - pg_snapshot_xmin(pg_current_snapshot())::text::bigint)`

/**
 * Begins an epoch of changes if another server numbers transactions than that of the present one (N3). Cursors stay good up to the position before
 * which this server lacks no committed transaction.
 * @returns whether there is an epoch to compare with; none before the first migration
 */
const compareServer = async ({ ask }: Connection): Promise<boolean> => {
  const [found] = (await ask(`select to_regclass('${EPOCH_TABLE}') is not null as is_there`)).rows
  if (found?.['is_there'] !== true) return false
  const [seen = {}] = (await ask(NUMBERED_BY)).rows
  if (seen['identity'] === seen['server']) return true
  // Several connections begin at a time: one of them begins the epoch, and the others find none to lock.
  const [locked = {}] = (await ask(`${NUMBERED_BY} for update`)).rows
  const { identity, server } = locked
  if (identity === server) return true
  const statements = epochStatements(POSTGRES, { keptUpTo: COMPLETE_POSITION, shift: SHIFT_NOW })
  for (const statement of statements) await ask(statement)
  return true
}

/** Returns the statements that end a transaction. The migration that creates the table of signals leaves one itself. */
const endOf = async (
  { ask }: Connection,
  change: Ends['change'],
  options: WriterOptions,
): Promise<string> => {
  if (change === 'none') return 'commit'
  options.hasSignals ||= (await ask(HAS_SIGNALS)).rows[0]?.['exists'] === true
  return options.hasSignals ? `${recordOf(change)}; commit` : 'commit'
}

const transact = async <L, A>(
  connection: Connection,
  { limits, change }: Ends,
  work: Write<L, A>,
  options: WriterOptions,
  onEnd: (xid?: string) => void,
): Promise<E.Either<L, A>> => {
  let committed = false
  try {
    const begun = await beginOn(connection, limits, options)
    const isCompared = options.compared.has(connection, begun) || (await compareServer(connection))
    const result = await work(connection.db)
    if (E.isLeft(result)) return result
    const end = await endOf(connection, change, options)
    await commit(connection, end, begun, options.connect).catch((cause) => {
      if (cause instanceof CommitOutcomeUnknown) onEnd()
      throw cause
    })
    committed = true
    onEnd(begun.xid)
    if (isCompared) options.compared.add(connection, begun)
    return result
  } finally {
    // A connection that cannot roll back is broken, and the server rolls back for it.
    if (!committed && !connection.isBroken()) await connection.ask('rollback').catch(() => {})
  }
}

/** Writes, as the database's `write`. */
export const writeOn =
  (options: WriterOptions) =>
  async <L, A>(work: Write<L, A>, { timeout, notify }: WriteOptions = {}): Promise<E.Either<L, A>> => {
    const ends: Ends = { limits: timeout === 'none' ? WITHOUT_TIMEOUT : '', change: notify }
    const { pool, guard, onCommit, beforeShown } = options
    let signal: Signal | undefined
    const onEnd = (xid?: string) => {
      if (notify !== 'none') signal = { change: notify, xid }
    }
    const run = async (connection: Connection) => {
      if (timeout === 'none') connection.setTimeout(Infinity)
      try {
        return await transact(connection, ends, work, options, onEnd)
      } finally {
        await beforeShown.onRead(connection)
        connection.setTimeout()
      }
    }
    try {
      const result = await withRetry(() => withConnection(pool, run))
      if (E.isRight(result)) guard.lacksRoom(false)
      // A write shows the parts that it notifies of; one that is refused, any.
      else await beforeShown.catchUp()
      return result
    } catch (cause) {
      if (isDiskFull(cause)) guard.lacksRoom(true)
      throw cause
    } finally {
      // The connection is free again, so that the notification needs no other one.
      if (signal !== undefined) onCommit(signal)
    }
  }
