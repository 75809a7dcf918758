/**
 * A database in a file of SQLite, and copies of such files.
 * @module @almoner/adapters-sqlite
 */

export { copySqlite, sqliteFaults, sqliteImages, sqliteStorageId } from './backup.ts'
export { isErasureUnfinished } from './erase.ts'
export { fileOfHandle, type SqliteHandle } from './file-of-handle.ts'
export type { InUse } from './in-use.ts'
export { type LogHolder, sqliteLogHolders } from './log-holders.ts'
export { openSqlite, type SqliteDatabase, type SqliteOptions } from './open.ts'
export { checkRestorable, type NotRestorable, restoreSqlite } from './restore.ts'
export { type Vacuumed, vacuumSqlite } from './vacuum.ts'
export { type LogLimit, sqliteLogBytes } from './write-ahead-log.ts'
