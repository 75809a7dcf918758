import pg from 'pg'
import type { Pool } from './pool.ts'

/** Creates a schema if it is missing. It looks first, because `create schema if not exists` needs the right to create even if it exists. */
export const ensureSchema = async (pool: Pick<Pool, 'acquire'>, schema: string): Promise<void> => {
  const { connection, release } = await pool.acquire()
  try {
    const { rows } = await connection.ask('select 1 from pg_namespace where nspname = $1', [schema])
    if (rows.length === 0) await connection.ask(`create schema if not exists ${pg.escapeIdentifier(schema)}`)
  } finally {
    release()
  }
}
