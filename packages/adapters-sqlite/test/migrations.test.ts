import { join } from 'node:path'
import {
  checksumOf,
  MIGRATIONS,
  type Migration,
  makeMigrator,
  schemaFaultText,
} from '@almoner/adapters-kysely'
import { done } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { openSqlite, type SqliteDatabase } from '../src/index.ts'
import { SQLITE } from '../src/sql-dialect.ts'
import { clock } from './store-of.ts'

const migration = (name: string, ...statements: ReadonlyArray<string>): Migration => ({
  name,
  statements: () => statements,
})

const ONE = migration('0001-one', 'create table one (id integer) strict')
const TWO = migration('0002-two', 'create table two (id integer) strict', 'create index two_id on two (id)')
const BROKEN = migration('0003-broken', 'create table three (id integer) strict', 'create nonsense')

const withEngine = (name: string, body: (t: Test, database: SqliteDatabase) => Promise<void>) =>
  t.test(name, async (t) => {
    const database = await done(openSqlite({ file: join(t.testdir(), 'almoner.db') }))
    await body(t, database)
    await database.close()
  })

const tableNames = (database: SqliteDatabase) =>
  done(
    database.read(async (db) => {
      const { rows } = await sql<{
        name: string
      }>`${sql.raw(database.dialect.tableNames)} order by name`.execute(db)
      return rows.map(({ name }) => name)
    }),
  )

withEngine('an empty database is recognised, migrated, and then current', async (t, database) => {
  const migrator = makeMigrator(database, clock, MIGRATIONS)
  const names = MIGRATIONS.map(({ name }) => name)
  t.strictSame(await done(migrator.plan()), { isEmpty: true, pending: names })
  t.strictSame(await tableNames(database), [], 'planning changes nothing')
  t.strictSame(await done(migrator.ensureCurrent()), undefined)
  t.strictSame(await done(migrator.plan()), { isEmpty: false, pending: [] })
  t.strictSame(await done(migrator.migrate()), [], 'a second run has nothing to do')
})

withEngine('an additional language or provider does not change the schema', async (t, database) => {
  const run = (statement: string) =>
    done(database.write(async (db) => E.right(await sql.raw(statement).execute(db))))
  await done(makeMigrator(database, clock, MIGRATIONS).migrate())
  await run(`insert into person (email, lang, subscribed) values ('a@b.example', 'de', 1)`)
  await run(`insert into device (token_digest, token, email, kind, attached_at, epoch, lang, subscribed)
    values ('sms', 'sms', 'a@b.example', 'sms', 0, 1, 'de', 1)`)
  await run(
    `insert into provider (name, answers, dead, answers_before, dead_before) values ('sms', 0, 0, 0, 0)`,
  )
  await t.rejects(run('update person set subscribed = 2'), /CHECK constraint/, 'other checks stay')
  const rest = await done(
    database.read((db) =>
      sql<{ rest: number }>`select count(*) as rest from sqlite_schema
      where sql like '%(lang in%' or sql like '%(kind in%' or sql like '%(held_for in%'`.execute(db),
    ),
  )
  t.strictSame(rest.rows, [{ rest: 0 }])
})

withEngine('each applied migration is on record with its checksum and its time', async (t, database) => {
  await done(makeMigrator(database, clock, [ONE]).migrate())
  const rows = await done(database.read((db) => db.selectFrom('schema_migrations').selectAll().execute()))
  t.match(rows, [{ name: '0001-one', checksum: /^[0-9a-f]{64}$/, applied_at: clock.now() }])
})

withEngine('migrations go forward only, through all pending ones', async (t, database) => {
  await done(makeMigrator(database, clock, [ONE]).migrate())
  const migrator = makeMigrator(database, clock, [ONE, TWO])
  t.strictSame(await done(migrator.plan()), { isEmpty: false, pending: ['0002-two'] })
  t.strictSame(await done(migrator.migrate()), ['0002-two'])
  t.strictSame(await tableNames(database), ['one', 'schema_migrations', 'two'])
})

withEngine('a command rejects an older schema, and names almoner migrate', async (t, database) => {
  await done(makeMigrator(database, clock, [ONE]).migrate())
  const refused = await makeMigrator(database, clock, [ONE, TWO]).ensureCurrent()()
  t.strictSame(refused, E.left({ _tag: 'SchemaOutdated', pending: ['0002-two'] }))
  t.match(schemaFaultText({ _tag: 'SchemaOutdated', pending: ['0002-two'] }), /run almoner migrate/)
  t.strictSame(await tableNames(database), ['one', 'schema_migrations'])
})

// A database that has had one of these never gets it again: write another migration instead of editing one.
t.test('released migrations are unchanged', async (t) => {
  t.strictSame(
    MIGRATIONS.map((one) => [one.name, checksumOf(one, SQLITE)]),
    [
      ['0017-initial', '7acb25f581454fff95f206dc76ef18a107eeb87dee7266bcbe0035934b432927'],
      ['0018-plain-names', 'f6fc3c68bd47994b8f862036878420c7f4b59f2d2c1ba19825499708a8ee28f4'],
      ['0019-search', '49e0c662198806da2e437dc81f839517ee3f91bca892a78e586c077ae34cffb1'],
      ['0020-personal-data', 'd07d74f6e2e0ca5bf4a5cce4406c9016118c32d4bf85377f7eb58ed31f586513'],
      ['0022-console', '324ee19fe5ecca0bfe6f9b793cc5b9926253515cd9b0a5cb96f4bbf9c5c1a16e'],
      ['0023-translation', '6862acc9732de47e7e6b2513022585ae416331fec68d1d7575399f9adf3107ae'],
      ['0024-history', '83010417c769f88a0ce018f7e76cd52a914351c36f1c81a3ab99cd5d51289907'],
      ['0025-working-copies', '3723a22331fbc0a53ebfd92e73552eda3422e81c46bc56a5e9a52dc2dd4129ec'],
      ['0026-passkeys', 'de02c5bb439f787011ace84e210efe03e72b6a697a40adeda8c3608861b83612'],
      ['0027-client-use', '054e42fd36789deb8520fdb3195172434bf5290ecb4a610cdfeab17df1cc5820'],
      ['0028-manager-time-zone', '5dd5ad5fac454579f19e31995506e7f5ea894fa0551d083908c24af6704046a8'],
      ['0029-audit', '6b59dc8e8e3c29a1b7a7ffc43b77845cf6b95f6d5c1b5da961d661bed8340068'],
      ['0030-identities', '278d79832122ad05226130865d26a692407f5c2fbd6b866d63e1cad5cc95f5b3'],
      ['0031-passwords', '17d3500f1a748a918f3c1c6982349458bde7ae9ec8c4f7ce5736455969c49b62'],
      ['0032-audit-filters', '475c633a48b416fe4a35196666040420bd2c1287f25d2b0fe267e715cf1f66ca'],
      ['0033-wrong-codes', 'a42f6e5533406aae7e006564316c07301d662c867409608a2e181939e07dbb25'],
      ['0034-response-tokens', 'e264416d9976fc3eaa8ac359cf9f53c4c929e8372f206741c896bcc21ebef5ac'],
      ['0035-one-address', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
      ['0036-portfolio-key', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
      ['0037-origins', 'fdfb3f94a1c4016d3824f375fd7fa9f84e599c56a33b041d75db23f7c308c5ff'],
      ['0038-composed-ids', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
      ['0040-lives', '9548d7c0aaecf7f8a1b5166e553c769a6bdc7919045146aa5f7139a78500c2cb'],
      ['0041-planned', '86a3672f7b8ecec29ba6a5b10e00dcae795ca459ffeb0658c97c596f4ecf1850'],
    ],
  )
})

withEngine('the schema of a newer program is rejected, with its name', async (t, database) => {
  await done(makeMigrator(database, clock, [ONE, TWO]).migrate())
  const fault = { _tag: 'MigrationUnknown', name: '0002-two' }
  t.strictSame(await makeMigrator(database, clock, [ONE]).migrate()(), E.left(fault))
})

withEngine('a gap in the history is rejected, with its name', async (t, database) => {
  await done(makeMigrator(database, clock, [TWO]).migrate())
  const fault = { _tag: 'MigrationSkipped', name: '0001-one' }
  t.strictSame(await makeMigrator(database, clock, [ONE, TWO]).migrate()(), E.left(fault))
})

withEngine('a database of another program is left unchanged', async (t, database) => {
  await done(database.write(async (db) => E.right(await sql`create table theirs (id integer)`.execute(db))))
  t.strictSame(
    await makeMigrator(database, clock, [ONE]).ensureCurrent()(),
    E.left({ _tag: 'ForeignDatabase' }),
  )
  t.strictSame(await tableNames(database), ['theirs'])
})

withEngine(
  'a migration that fails changes nothing, and those before it in the same run neither',
  async (t, database) => {
    await t.rejects(makeMigrator(database, clock, [ONE, TWO, BROKEN]).migrate()(), /nonsense/)
    t.strictSame(await tableNames(database), [])
  },
)
