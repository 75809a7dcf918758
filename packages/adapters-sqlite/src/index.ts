/**
 * A database in a file of SQLite, and copies of such files.
 * @module @almoner/adapters-sqlite
 */

export {
  checkRestorable,
  copySqlite,
  type NotRestorable,
  restoreSqlite,
  sqliteFaults,
  sqliteImages,
  sqliteStorageId,
} from './backup.ts'
export type { InUse } from './database-file.ts'
export { fileOfHandle, type SqliteHandle } from './database-file.ts'
export { isErasureUnfinished, type Vacuumed, vacuumSqlite } from './erase.ts'
export { fileOfKysely, sqliteMigrations } from './host.ts'
export { openSqlite, type SqliteDatabase, type SqliteOptions } from './open.ts'
export { type LogHolder, type LogLimit, sqliteLogBytes, sqliteLogHolders } from './write-ahead-log.ts'
