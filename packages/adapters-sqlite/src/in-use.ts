import { isBusy } from './unavailable.ts'

/** Another process has the database open. */
export interface InUse {
  readonly _tag: 'InUse'
}

/** The one value of {@link InUse}. */
export const IN_USE: InUse = { _tag: 'InUse' }

/** The part of a better-sqlite3 connection that is needed here, so that declarations do not name the driver's types. */
interface Connection {
  pragma(source: string): unknown
}

/**
 * Whether any process has the database open: a file can leave WAL mode only if no other process has it open. The operating system's locks
 * prove this; they end with their process, also after a kill.
 */
export const isInUse = (database: Connection): boolean => {
  try {
    database.pragma('journal_mode = delete')
    return false
  } catch (cause) {
    if (isBusy(cause)) return true
    throw cause
  }
}
