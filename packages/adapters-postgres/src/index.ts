/**
 * An engine on a database of PostgreSQL.
 * @module @almoner/adapters-postgres
 */

export { openPostgres, type PostgresEngine, type PostgresOptions } from './open.ts'
export { type PostgresPlace, parsePostgresUrl } from './url.ts'
