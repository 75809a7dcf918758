import type Database from 'better-sqlite3'
import { isBusy } from './unavailable.ts'

/**
 * Whether any process has the database open: a file can leave WAL mode only if no other process has it open. The operating system's locks
 * prove this; they end with their process, also after a kill.
 */
export const isInUse = (database: Database.Database): boolean => {
  try {
    database.pragma('journal_mode = delete')
    return false
  } catch (cause) {
    if (isBusy(cause)) return true
    throw cause
  }
}
