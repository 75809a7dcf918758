/**
 * A database on a PostgreSQL server.
 * @module @almoner/adapters-postgres
 */

export { openPostgres, type PostgresDatabase, type PostgresOptions } from './open.ts'
export type { PostgresPool } from './target.ts'
export { type PostgresPlace, parsePostgresUrl } from './url.ts'
