import { DatabaseUnavailable } from '@almoner/adapters-kysely'
import pg from 'pg'

/**
 * Classes and codes of SQLSTATE whose cause lies outside the program: connections and who may open them, rollbacks for the sake of
 * others, resources, operators, the server's own trouble. All others are wrong statements or broken constraints, that is, bugs.
 */
const OUTSIDE = [
  '08',
  '28',
  '3D',
  '40',
  '53',
  '57',
  '58',
  'F0',
  'XX',
  '25006',
  '26000',
  '42501',
  '42P05',
  '55P03',
]

/** Codes after which a connection is of no more use: the server goes, takes no writes any more, or has other statements in mind. */
const FINAL = ['08', '25006', '26000', '42P05', '57P', 'XX']

/** Another transaction stood in the way: run again, the work may succeed. */
const CONFLICT = ['40001', '40P01']

/** A constraint that another transaction's row may have broken in between; run again, the work sees that row. */
const CONSTRAINT = ['23503', '23505']

/** What the server said against a statement. Its details hold values, of which some are secrets: they are left out. */
export class PostgresFault extends Error {
  override readonly name = 'PostgresFault'
  /** The SQLSTATE. */
  readonly code: string
  readonly table: string | undefined
  readonly constraint: string | undefined
  /** The function of the server that raised it: messages are in the server's language, this is not. */
  readonly routine: string | undefined

  constructor({ code = '', message, table, constraint, routine }: pg.DatabaseError) {
    // Faults of data, class 22, quote the value itself.
    super(code.startsWith('22') ? `a value that the server refuses (${code})` : `${message} (${code})`)
    this.code = code
    this.table = table
    this.constraint = constraint
    this.routine = routine
  }
}

/** The server can be reached, and does not serve the program as it is: another attempt fails in the same way until an operator acts. */
export class DatabaseRefused extends DatabaseUnavailable {}

/** No connection can be had: the server or its role allows no more. */
export class DatabaseFull extends DatabaseUnavailable {}

/** The connection broke off under a statement. */
export class ConnectionLost extends DatabaseUnavailable {}

/** The server's own words in a fault, if it is the server's. */
const serverFault = (cause: unknown): PostgresFault | undefined => {
  const fault = cause instanceof DatabaseUnavailable ? cause.cause : cause
  return fault instanceof PostgresFault ? fault : undefined
}

const isAmong = (codes: ReadonlyArray<string>, cause: unknown): boolean => {
  const fault = serverFault(cause)
  return fault !== undefined && codes.some((code) => fault.code.startsWith(code))
}

/** Whether a table has changed under a prepared statement: a newer program has migrated the database. */
const isStale = (cause: unknown): boolean =>
  isAmong(['0A000'], cause) && serverFault(cause)?.routine === 'RevalidateCachedQuery'

/** Whether the connection that met a fault is of no more use. */
export const isFinal = (cause: unknown): boolean =>
  (cause instanceof DatabaseUnavailable && serverFault(cause) === undefined) ||
  isAmong(FINAL, cause) ||
  isStale(cause)

/**
 * Whether a connection was lost in a way that another one need not be: the server or something between has closed it. One that was given
 * up because nothing came over it is not among these: on the next one nothing would come either.
 */
export const isConnectionLost = (cause: unknown): boolean =>
  cause instanceof ConnectionLost || (serverFault(cause) !== undefined && isFinal(cause))

/** Whether the server, or a pooler before it, has as many connections as it allows. Poolers have no code for it. */
export const isFull = (cause: unknown): boolean =>
  isAmong(['53300'], cause) ||
  /no more connections allowed|max clients/i.test(serverFault(cause)?.message ?? '')

/** Whether the server itself is at fault, in a way that may stay, such as damaged data. */
export const isInternal = (cause: unknown): boolean => isAmong(['XX'], cause)

/** Whether the server has no room for what a write adds. */
export const isDiskFull = (cause: unknown): boolean => isAmong(['53100'], cause)

/** Whether a statement named a table that does not exist. */
export const isTableAbsent = (cause: unknown): boolean => isAmong(['42P01'], cause)

/** Whether a pooler has said that its mode has no transactions. PgBouncer ends the connection with these words. */
export const isPoolingRefused = (cause: unknown): boolean =>
  /pooling mode/i.test(serverFault(cause)?.message ?? '')

/** Whether a transaction was undone for the sake of another. */
export const isConflict = (cause: unknown): boolean => isAmong(CONFLICT, cause)

/** Whether a constraint was broken that another transaction's row, not yet seen, may have broken. */
export const isConstraintBroken = (cause: unknown): boolean => isAmong(CONSTRAINT, cause)

/** Whether a server raised an error, of any copy of the driver: a host's Kysely instance may have another one. */
const isOfServer = (cause: unknown): cause is pg.DatabaseError =>
  cause instanceof pg.DatabaseError ||
  (cause instanceof Error && 'severity' in cause && 'code' in cause && typeof cause.code === 'string')

/** How Node.js and the driver say that the other side has ended a connection. */
const ENDED = /^Connection terminated|ECONNRESET|EPIPE/

/** Returns a fault of connecting: one that another attempt would meet again is no {@link ConnectionLost}. */
export const faultOfConnecting = (cause: unknown): Error => {
  const fault = faultOf(cause)
  const isEnded = cause instanceof Error && ENDED.test(cause.message)
  return fault instanceof ConnectionLost && !isEnded ? new DatabaseUnavailable(fault.message) : fault
}

/** Returns a fault of the driver as one of ours: DatabaseUnavailable if it came from outside, so that trying again may help. */
export const faultOf = (cause: unknown): Error => {
  if (cause instanceof DatabaseUnavailable) return cause
  if (!isOfServer(cause))
    return new ConnectionLost(
      `the connection to the database failed: ${cause instanceof Error ? cause.message : 'unknown'}`,
    )
  const fault = new PostgresFault(cause)
  return isAmong(OUTSIDE, fault) || isStale(fault) ? new DatabaseUnavailable(fault) : fault
}
