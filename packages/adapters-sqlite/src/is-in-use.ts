import type Database from 'better-sqlite3'
import { isBusy } from './unavailable.ts'

/**
 * Whether any process has the database open: a file leaves its write-ahead log only when nobody else has it open, by locks of the
 * operating system, which end with their process however that ends.
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
