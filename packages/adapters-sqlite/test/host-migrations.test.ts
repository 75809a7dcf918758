import { join } from 'node:path'
import { checksumOf, MIGRATIONS, makeMigrator } from '@almoner/adapters-kysely'
import { done, sampleFeedItem } from '@almoner/testkit/contracts'
import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import t from 'tap'
import { openSqlite, sqliteMigrations } from '../src/index.ts'
import { sqliteDialect } from '../src/search.ts'
import { clock, openStore } from './store-of.ts'

/** Brings a file up to date with the host's Kysely. */
const migrateByKysely = async (file: string, migrations: Readonly<Record<string, Migration>>) => {
  const kysely = new Kysely<object>({ dialect: new SqliteDialect({ database: new Database(file) }) })
  const migrator = new Migrator({
    db: kysely,
    provider: { getMigrations: async () => ({ ...migrations }) },
    migrationTableName: 'host_migration',
    migrationLockTableName: 'host_migration_lock',
  })
  const result = await migrator.migrateToLatest()
  await kysely.destroy()
  return result
}

const listOf = (prefix: string) =>
  Object.fromEntries(sqliteMigrations({ prefix }).map((migration) => [migration.name, migration]))

/** The schema of a file, without the tables of Kysely's runner. */
const schemaOf = (file: string) => {
  const database = new Database(file, { readonly: true })
  const rows = database
    .prepare(
      "select name, sql from sqlite_schema where tbl_name not like 'host\\_%' escape '\\' order by name",
    )
    .all()
  database.close()
  return rows
}

t.test('Kysely’s runner makes the schema that ours makes, and ours finds nothing to do', async (t) => {
  const folder = t.testdir()
  for (const prefix of ['', 'almoner_']) {
    const [byHost, byUs] = [join(folder, `host${prefix}.db`), join(folder, `us${prefix}.db`)]
    const { error, results } = await migrateByKysely(byHost, listOf(prefix))
    t.equal(error, undefined)
    t.equal(results?.length, MIGRATIONS.length)
    await (await openStore(byUs, prefix)).close()
    t.strictSame(schemaOf(byHost), schemaOf(byUs))
    if (prefix === '') continue
    const store = await openStore(byHost, prefix)
    t.strictSame(await done(makeMigrator(store.database, clock, MIGRATIONS).plan()), {
      isEmpty: false,
      pending: [],
    })
    await done(store.feedItems.add({ item: sampleFeedItem(1), linksToImages: [] }))
    await store.close()
    t.equal((await migrateByKysely(byHost, listOf(prefix))).error, undefined, 'again')
  }
})

t.test('checksums are those that our migrator records, for every prefix', async (t) => {
  const dialect = sqliteDialect('')
  t.strictSame(
    sqliteMigrations({ prefix: 'a_' }).map(({ name, checksum }) => [name, checksum]),
    MIGRATIONS.map((migration) => [migration.name, checksumOf(migration, dialect)]),
  )
})

t.test('a migration that fails leaves nothing, and the next run applies it', async (t) => {
  const file = join(t.testdir(), 'host.db')
  const host = new Database(file)
  host.exec('create table almoner_portfolio (id integer)')
  t.match((await migrateByKysely(file, listOf('almoner_'))).error, { message: /almoner_portfolio/ })
  t.equal(host.prepare("select count(*) from sqlite_schema where name like 'almoner%'").pluck().get(), 1)
  host.exec('drop table almoner_portfolio')
  t.equal((await migrateByKysely(file, listOf('almoner_'))).error, undefined)
  host.close()
})

t.test("a host's runner takes over from ours, and is refused migrations in another order", async (t) => {
  const folder = t.testdir()
  const [ours, unnamed] = [join(folder, 'ours.db'), join(folder, 'unnamed.db')]
  const store = await openStore(ours, 'almoner_')
  await done(store.feedItems.add({ item: sampleFeedItem(1), linksToImages: [] }))
  await store.close()
  const before = schemaOf(ours)
  const { error, results } = await migrateByKysely(ours, listOf('almoner_'))
  t.strictSame([error, results?.length], [undefined, MIGRATIONS.length])
  t.strictSame(schemaOf(ours), before)
  const again = await openStore(ours, 'almoner_')
  t.ok(await done(again.feedItems.find(sampleFeedItem(1).id)))
  await again.close()
  // Kysely sorts the names 0, 1, 10, 2 …: the places in the list.
  const placed = await migrateByKysely(
    unnamed,
    Object.fromEntries(sqliteMigrations({ prefix: 'almoner_' }).entries()),
  )
  t.match(placed.error, { message: /comes after \S+: give the runner the migrations by their names$/ })
})

t.test('statements for any runner: one list of SQL, run by the driver', async (t) => {
  const file = join(t.testdir(), 'host.db')
  const host = new Database(file)
  for (const { statements } of sqliteMigrations({ prefix: 'a_' }))
    for (const one of statements) host.exec(one)
  host.close()
  const database = await done(openSqlite({ file, prefix: 'a_' }))
  t.strictSame(await done(makeMigrator(database, clock, MIGRATIONS).migrate()), [])
  await database.close()
})
