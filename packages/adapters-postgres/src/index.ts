/**
 * A database on a PostgreSQL server.
 * @module @almoner/adapters-postgres
 */

export { postgresMigrations } from './host.ts'
export type { HostKysely, PostgresPool } from './limits.ts'
export { openPostgres, type PostgresDatabase, type PostgresOptions, type StandbyOptions } from './open.ts'
export { type PostgresPlace, parsePostgresUrl } from './url.ts'
