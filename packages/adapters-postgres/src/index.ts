/**
 * A database on a PostgreSQL server.
 * @module @almoner/adapters-postgres
 */

export type { HostKysely } from './borrowed.ts'
export { postgresMigrations } from './dialect.ts'
export type { PostgresPool } from './limits.ts'
export { openPostgres, type PostgresDatabase, type PostgresOptions } from './open.ts'
export { type PostgresPlace, parsePostgresUrl } from './url.ts'
