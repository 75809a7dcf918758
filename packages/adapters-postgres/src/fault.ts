import { Outage } from '@almoner/adapters-kysely'
import pg from 'pg'

/**
 * Classes and codes of SQLSTATE whose cause lies outside the program: connections and who may open them, rollbacks for the sake of
 * others, resources, operators, the server's own trouble. All others are wrong statements or broken constraints, that is, bugs.
 */
const OUTSIDE = ['08', '28', '3D', '40', '53', '57', '58', 'F0', 'XX', '25006', '26000', '42501', '55P03']

/** Codes after which a connection is of no more use: the server goes, takes no writes any more, or has other statements in mind. */
const FINAL = ['08', '25006', '26000', '57P', 'XX']

/** Errors caused by a concurrent transaction: a repeat may succeed. */
const CROSSED = ['40001', '40P01']

/** Violations that a concurrent row may have caused; a repeat sees that row. */
const OVERTAKEN = ['23503', '23505']

/** What the server said against a statement. Its details hold values, of which some are secrets: they are left out. */
export class PostgresFault extends Error {
  override readonly name = 'PostgresFault'
  /** The SQLSTATE. */
  readonly code: string
  readonly table: string | undefined
  readonly constraint: string | undefined

  constructor({ code = '', message, table, constraint }: pg.DatabaseError) {
    // Faults of data, class 22, quote the value itself.
    super(code.startsWith('22') ? `a value that the server refuses (${code})` : `${message} (${code})`)
    this.code = code
    this.table = table
    this.constraint = constraint
  }
}

/** The connection broke off under a statement. */
export class ConnectionLost extends Outage {}

const isAmong = (codes: ReadonlyArray<string>, cause: unknown): boolean =>
  cause instanceof PostgresFault && codes.some((code) => cause.code.startsWith(code))

/** Whether a table has changed under a prepared statement: a newer program has migrated the database. */
const isStale = (cause: unknown): boolean => isAmong(['0A000'], cause) && /cached plan/.test(`${cause}`)

/** Whether a fault came from outside, so that trying again may help. */
export const isOutage = (cause: unknown): boolean =>
  cause instanceof Outage || isAmong(OUTSIDE, cause) || isStale(cause)

/** Whether the connection that met a fault is of no more use. */
export const isFinal = (cause: unknown): boolean =>
  cause instanceof Outage || isAmong(FINAL, cause) || isStale(cause)

/**
 * Whether the server or a proxy closed the connection, so that a new one may work. A connection that timed out is not included, because a new
 * one would time out too.
 */
export const wasLost = (cause: unknown): boolean =>
  cause instanceof ConnectionLost || (cause instanceof PostgresFault && isFinal(cause))

/** Whether a transaction was undone for the sake of another. */
export const wasCrossed = (cause: unknown): boolean => isAmong(CROSSED, cause)

/** Whether a transaction may have been overtaken by another that it did not see. */
export const wasOvertaken = (cause: unknown): boolean => isAmong(OVERTAKEN, cause)

/** A fault of the driver as one of ours: the server's own words, or an outage of the connection. */
export const faultOf = (cause: unknown): Error =>
  cause instanceof pg.DatabaseError
    ? new PostgresFault(cause)
    : new ConnectionLost(
        `the connection to the database failed: ${cause instanceof Error ? cause.message : 'unknown'}`,
      )
