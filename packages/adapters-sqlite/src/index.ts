export { openSqlite, type SqliteEngine, type SqliteOptions } from './open.ts'
