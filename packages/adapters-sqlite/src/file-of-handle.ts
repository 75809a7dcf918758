import { resolve } from 'node:path'
import Database from 'better-sqlite3'

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
