import { makeStore } from '@almoner/adapters-kysely'
import { done } from '@almoner/testkit/contracts'
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { openPostgres } from '../src/index.ts'
import { freshlyMigrated } from './store-of.ts'

/** A host's Kysely instance on a new database with a current schema, with a host's settings: a plugin, parsers of types, a search path. */
export const kyselyOfHost = async (max = 10) => {
  const { url } = await freshlyMigrated()
  const parsers: pg.CustomTypesConfig = {
    getTypeParser: (oid, format) =>
      oid === pg.types.builtins.INT8 ? () => 'a number of the host' : pg.types.getTypeParser(oid, format),
  }
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types: parsers,
    options: '-c statement_timeout=60000',
  })
  // As embedding.md says: the driver ends a process that does not listen.
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('error', () => {})
  const kysely = new Kysely<object>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin()],
  })
  return { kysely, pool, url }
}

/** The repositories on the connections of a host's Kysely instance. */
export const storeOfHost = async () => {
  const { kysely, url } = await kyselyOfHost()
  const database = await done(openPostgres({ kysely, schema: 'public' }))
  const close = async () => {
    await database.close()
    await kysely.destroy()
  }
  return { ...makeStore(database), database: { ...database, close }, url, close }
}
