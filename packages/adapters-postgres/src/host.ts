import { type HostMigration, hostMigrationsOf, MIGRATIONS } from '@almoner/adapters-kysely'
import pg from 'pg'
import { POSTGRES_APART } from './dialect.ts'

/**
 * Returns the migrations for a runner of the host's choice, which has to run all of them in order, each in a transaction, before the database is
 * opened. Kysely's runs them as they are: give it a separate `migrationTableName`, since it sorts by name. The search path of the runner's connection
 * stays as it is.
 * @param options `schema` as for `openPostgres`, which is created if missing
 */
export const postgresMigrations = ({ schema }: { readonly schema: string }): ReadonlyArray<HostMigration> => {
  const name = pg.escapeIdentifier(schema)
  return hostMigrationsOf(MIGRATIONS, {
    dialect: POSTGRES_APART,
    before: [
      `do $$ begin if not exists (select from pg_namespace where nspname = ${pg.escapeLiteral(schema)})
        then create schema ${name}; end if; end $$`,
      `select set_config('almoner.host_path', current_setting('search_path'), true)`,
      `set local search_path to ${name}`,
    ],
    after: [`select set_config('search_path', current_setting('almoner.host_path'), true)`],
    undo: [],
    now: '(extract(epoch from clock_timestamp()) * 1000)::bigint',
  })
}
