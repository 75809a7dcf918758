import { randomUUID } from 'node:crypto'
import { MIGRATIONS, makeMigrator, makeStore } from '@almoner/adapters-kysely'
import { done, failure, sampleFeedItem } from '@almoner/testkit/contracts'
import { Kysely, PostgresDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import t, { type Test } from 'tap'
import { openPostgres, postgresMigrations } from '../src/index.ts'
import { clock, freshlyMigrated } from './store-of.ts'

/** A host's pool on a separate database, which holds a table of the host. */
const hostPool = async (t: Test) => {
  const { url } = await freshlyMigrated()
  const other = new pg.Pool({ connectionString: url })
  const name = `host_${randomUUID().replaceAll('-', '')}`
  await other.query(`create database ${name} template template0`)
  await other.end()
  const connectionString = url.replace(/[^/?]+(?=\?|$)/, name)
  const pool = new pg.Pool({ connectionString, max: 2, query_timeout: 50_000 })
  t.teardown(() => pool.end())
  await pool.query('create table customer (id integer)')
  return pool
}

t.test('the server of a pool is used, in a schema beside the tables of the host', async (t) => {
  const pool = await hostPool(t)
  for (const start of ['first', 'second']) {
    const database = await done(openPostgres({ pool }))
    await done(makeMigrator(database, clock, MIGRATIONS).migrate())
    const { feedItems } = makeStore(database)
    const item = sampleFeedItem(1)
    if (start === 'first') await done(feedItems.add({ item, linksToImages: [] }))
    t.match(await done(feedItems.find(item.id)), { _tag: 'Some', value: { id: item.id } }, start)
    await database.close()
  }
  const { rows } = await pool.query(
    'select schemaname, count(*)::int as n from pg_tables where tablename in ($1, $2) group by 1',
    ['customer', 'feed_item'],
  )
  t.strictSame(
    new Set(rows.map(({ schemaname, n }) => `${schemaname} ${n}`)),
    new Set(['public 1', 'almoner 1']),
  )
})

t.test('the connections of the pool stay as the host has them', async (t) => {
  const pool = await hostPool(t)
  const settings = async () =>
    (
      await pool.query(
        "select current_setting('search_path') as path, current_setting('statement_timeout') as most",
      )
    ).rows
  const before = await settings()
  const database = await done(openPostgres({ pool, schema: 'the "other" one' }))
  await done(makeMigrator(database, clock, MIGRATIONS).migrate())
  t.ok(pool.totalCount <= 1, 'none is taken')
  await database.close()
  t.strictSame(await settings(), before)
})

t.test('the schema of a host is refused, and a server that does not answer is Unavailable', async (t) => {
  const pool = await hostPool(t)
  const database = await done(openPostgres({ pool, schema: 'public' }))
  t.equal(await failure(makeMigrator(database, clock, MIGRATIONS).migrate()), 'ForeignDatabase')
  await database.close()
  const gone = new pg.Pool({
    host: '127.0.0.1',
    port: 1,
    password: 'secret',
    user: 'nobody',
    database: 'none',
  })
  t.equal(await failure(openPostgres({ pool: gone })), 'Unavailable')
})

t.test(
  'Kysely’s runner of a host makes the schema, beside the host’s tables, and ours finds nothing to do',
  async (t) => {
    const pool = await hostPool(t)
    await pool.query('create table feed_item (id integer)')
    const kysely = new Kysely<object>({ dialect: new PostgresDialect({ pool }) })
    const schema = 'beside "it"'
    const list = postgresMigrations({ schema }).map((migration) => [migration.name, migration] as const)
    const migrator = new Migrator({
      db: kysely,
      provider: { getMigrations: async () => Object.fromEntries(list) },
      migrationTableName: 'almoner_migration',
      migrationLockTableName: 'almoner_migration_lock',
    })
    const { error, results } = await migrator.migrateToLatest()
    t.equal(error, undefined)
    t.equal(results?.length, MIGRATIONS.length)
    t.strictSame((await pool.query('show search_path')).rows, [{ search_path: '"$user", public' }])
    const database = await done(openPostgres({ pool, schema }))
    const { plan, migrate } = makeMigrator(database, clock, MIGRATIONS)
    t.strictSame(await done(plan()), { isEmpty: false, pending: [] })
    t.strictSame(await done(migrate()), [])
    const item = sampleFeedItem(1)
    await done(makeStore(database).feedItems.add({ item, linksToImages: [] }))
    t.equal((await pool.query('select from feed_item')).rows.length, 0)
    await database.close()
    const unnamed = await done(openPostgres({ pool }))
    t.strictSame(await done(makeMigrator(unnamed, clock, MIGRATIONS).plan()), {
      isEmpty: true,
      pending: MIGRATIONS.map(({ name }) => name),
    })
    await unnamed.close()

    await pool.query('drop table almoner_migration, almoner_migration_lock')
    const takingOver = await migrator.migrateToLatest()
    t.equal(takingOver.error, undefined, 'tables that were made in another way are taken over')
    t.strictSame((await pool.query('show search_path')).rows, [{ search_path: '"$user", public' }])
  },
)
