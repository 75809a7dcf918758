/**
 * An engine on a file of SQLite, and copies of such files.
 * @module @almoner/adapters-sqlite
 */

export { copySqlite, sqliteFaults, sqliteImages, sqliteStorageId } from './copy.ts'
export { openSqlite, type SqliteEngine, type SqliteOptions } from './open.ts'
export { type Occupied, restoreSqlite, surveySqlite } from './restore.ts'
export { sqliteLogBytes } from './write-ahead-log.ts'
