import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { isBusy } from './connection.ts'

const OWNER_ONLY = 0o600
const OWNER_ONLY_FOLDER = 0o700

/**
 * Creates the file and its folders if they are missing, readable by the owner only, because the file will contain hashed secrets. SQLite gives
 * its side files (-wal, -shm) the same mode. Existing files keep their mode.
 */
export const ensureDatabaseFile = (file: string): void => {
  mkdirSync(dirname(file), { recursive: true, mode: OWNER_ONLY_FOLDER })
  // An existing file is not opened: closing it would end the locks of other connections of this process.
  try {
    closeSync(openSync(file, 'ax', OWNER_ONLY))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
  }
}

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

/** An open database of better-sqlite3, as far as it is looked at. */
export interface SqliteHandle {
  /** The path that it was opened with. */
  readonly name: string
  readonly memory: boolean
}

/**
 * Returns the path of the file that a host has open, for {@link openSqlite}, which opens its own connections to it. The host's connection cannot
 * be used: writes are grouped into transactions that must not join the host's, reads need connections with other settings, and changes by others
 * are detected between two connections.
 * @throws TypeError if it is in memory, which no other connection sees, or was opened by another copy of better-sqlite3: two copies of SQLite in one
 * process release each other's file locks (https://www.sqlite.org/howtocorrupt.html#multiple_copies_of_sqlite_linked_into_the_same_application)
 */
export const fileOfHandle = (handle: SqliteHandle): string => {
  if (!(handle instanceof Database))
    throw new TypeError(
      'the database was opened by another copy of better-sqlite3, and two copies would release each other’s locks: install one version of better-sqlite3, or pass the path of another file',
    )
  if (handle.memory)
    throw new TypeError('the database is in memory, which only its own connection sees: pass a file')
  return resolve(handle.name)
}
