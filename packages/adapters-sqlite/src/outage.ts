import Database from 'better-sqlite3'

/** The engine itself cannot do the work now: too much waits already, or it is closed. */
export class Outage extends Error {
  override readonly name = 'Outage'
}

/**
 * Result codes whose cause lies outside the program: locks of other processes, the disk, the file, memory. All others
 * are wrong statements or broken constraints, that is, bugs. Extended codes begin with these.
 */
const OUTSIDE = [
  'BUSY',
  'CANTOPEN',
  'CORRUPT',
  'FULL',
  'IOERR',
  'LOCKED',
  'NOLFS',
  'NOMEM',
  'NOTADB',
  'PERM',
  'PROTOCOL',
  'READONLY',
]

const hasCode = (cause: unknown, code: string): boolean =>
  cause instanceof Database.SqliteError && `${cause.code}_`.startsWith(`SQLITE_${code}_`)

/** Whether another connection's lock stood in the way. */
export const isBusy = (cause: unknown): boolean => hasCode(cause, 'BUSY')

/** Whether a fault came from outside, so that trying again may help. */
export const isOutage = (cause: unknown): boolean =>
  cause instanceof Outage || OUTSIDE.some((code) => hasCode(cause, code))
