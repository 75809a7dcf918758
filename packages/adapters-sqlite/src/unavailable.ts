import { Outage } from '@almoner/adapters-kysely'
import Database from 'better-sqlite3'

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
