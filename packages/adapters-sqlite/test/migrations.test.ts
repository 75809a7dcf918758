import { join } from 'node:path'
import {
  checksumOf,
  MIGRATIONS,
  type Migration,
  makeMigrator,
  makeStore,
  schemaFaultText,
} from '@almoner/adapters-kysely'
import { done, sampleFeedItem } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { openSqlite, type SqliteDatabase } from '../src/index.ts'
import { SQLITE } from '../src/search.ts'
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
      ['0001-initial', 'b32f13cf4ba40b66eb54bd4ab82c6f54bb8dd1e680a32c51088f2d4b8ed41862'],
      ['0002-schedules', 'cf2e2423af5a785d088050fd4bee33b7640910088d80c8e64022e181b4774cd4'],
      ['0003-images', '037d0fe879768d09e9467d7bdb1ee8ad05cf5f1b8c743f082ff35624d5b1af6e'],
      ['0004-announcements', '5bb53eb3bdd7697ca74fd54641349dd53f4aed0878c80265bc4218c3d7cb61da'],
      ['0005-older', '6d5050e153745ccef45a4e7cc8a2a0458f55136f04bef12947e12974ac1ffefd'],
      ['0006-links', '96668728dffc2eb5bd109c6656b6a9d952245004fe7a6d0512c167f51141d2e6'],
      ['0007-topics', '01c9278c079f82cb6d0ee1f131c03fc79b593679aa7dc73f00c4ac3f99357c65'],
      ['0008-people', '24d47574ff3b21875c3d94ec69cfe11fce5d5101d3f1a46cdeb52637989b0139'],
      ['0009-changes', 'a23711d92f2be62320dee09d6834a7456f371a844a91b39cc01f158a40226c52'],
      ['0010-inbox', '480f4b4c7ab9ec112ecec5d984f67b5782752210873f8daf36bac3f2b9560b2d'],
      ['0012-waiting-feeds', '5af3e18c4d614c404a13f1fd74fb4b3c4ae6b6dc7e64e8ca5767e91e3d1409c5'],
      ['0013-released-images', 'a2033d7befc1dc0394c05272012e06b9f73cd2d2535637456e72a2d960f8b640'],
      ['0014-drafts', 'b78c73e2295b418bd87e323a10a60af5125e5ca88d5a68d30935ed18ee451408'],
      ['0015-reasons', '7ebd13478b50ddd3ebc9d817c88ac62f4046f7439a5389d1cf1dcf6b965971c5'],
      ['0016-proposals', '6c671b9c94572b705b0ab0fae0020ce7f47259d57ee0ea79053dd818abb882a1'],
      ['0017-copy-images', '263785e68b2e90cd63a758bc03989fcf6ec77dca06cc37720338545ee2c676e1'],
      ['0018-previews', 'c7cf26861103fcaf01f4b1c9feac5422b44c16405b8c7d790fc1142a69701b05'],
      ['0020-leases', '3d0aaacc7365da0c5bbe8356c6785f5748111ab2b6877a26cfb6ef175304fb1f'],
      ['0021-signals', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
      ['0022-failed-attempts', 'a8929e32f3c42b87ca79230cb4598105f5cbeb89a271f5947021246b1d15201f'],
      ['0023-counted-requests', '1ee4323df988b3af3e5f4224c0d9e5061450d38653a52402a8e33180a56a5b51'],
    ],
  )
})

withEngine(
  "ADR 53: a host's own runner applies the exported list, and the store works",
  async (t, database) => {
    await done(
      database.write(async (db): Promise<E.Either<never, void>> => {
        for (const { statements } of MIGRATIONS)
          for (const statement of statements(database.dialect)) await sql.raw(statement).execute(db)
        return E.right(undefined)
      }),
    )
    const { feedItems } = makeStore(database)
    const item = sampleFeedItem(1)
    await done(feedItems.add({ item, linksToImages: [] }))
    t.match(await done(feedItems.find(item.id)), { _tag: 'Some', value: { id: item.id } })
  },
)

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

withEngine('a record of migrations that another program keeps is left unchanged', async (t, database) => {
  const migrator = makeMigrator(database, clock, [ONE])
  for (const statement of [
    'create table schema_migrations (version integer)',
    'insert into schema_migrations values (1)',
  ]) {
    await done(database.write(async (db) => E.right(await sql.raw(statement).execute(db))))
    for (const ask of [migrator.plan(), migrator.migrate(), migrator.ensureCurrent()])
      t.strictSame(await ask(), E.left({ _tag: 'ForeignDatabase' }), statement)
    t.strictSame(await done(migrator.since()), O.none)
  }
})

withEngine(
  'a migration that fails changes nothing, and those before it in the same run neither',
  async (t, database) => {
    await t.rejects(makeMigrator(database, clock, [ONE, TWO, BROKEN]).migrate()(), /nonsense/)
    t.strictSame(await tableNames(database), [])
  },
)
