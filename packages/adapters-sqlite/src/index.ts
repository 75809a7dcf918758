export { copySqlite, sqliteFaults, sqliteImages } from './copy.ts'
export { openSqlite, type SqliteEngine, type SqliteOptions } from './open.ts'
export { type Occupied, restoreSqlite, surveySqlite } from './restore.ts'
