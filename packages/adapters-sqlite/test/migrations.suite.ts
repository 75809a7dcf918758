import { join } from 'node:path'
import { MIGRATIONS, type Migration, makeMigrator, schemaFaultText } from '@almoner/adapters-kysely'
import { done } from '@almoner/domain/contracts'
import * as E from 'fp-ts/lib/Either.js'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { openSqlite, type SqliteDatabase } from '../src/index.ts'
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
  database.read(async (db) => {
    const { rows } = await sql<{
      name: string
    }>`${sql.raw(database.dialect.tableNames)} order by name`.execute(db)
    return rows.map(({ name }) => name)
  })

withEngine('an empty database is recognised, brought up to date, and then current', async (t, database) => {
  const migrator = makeMigrator(database, clock, MIGRATIONS)
  const names = MIGRATIONS.map(({ name }) => name)
  t.strictSame(await done(migrator.plan()), { isEmpty: true, pending: names })
  t.strictSame(await tableNames(database), [], 'planning changes nothing')
  t.strictSame(await done(migrator.ensureCurrent()), undefined)
  t.strictSame(await done(migrator.plan()), { isEmpty: false, pending: [] })
  t.strictSame(await done(migrator.migrate()), [], 'a second run has nothing to do')
})

withEngine('one language or provider more is no change of the schema', async (t, database) => {
  const before = MIGRATIONS.filter(({ name }) => name < '0016')
  const run = (statement: string) =>
    database.write(async (db) => E.right(await sql.raw(statement).execute(db)))
  const person = (email: string, lang: string) =>
    run(`insert into person (email, lang, subscribed) values ('${email}', '${lang}', 1)`)
  const device = (kind: string) =>
    run(`insert into device (token_digest, token, email, kind, attached_at, epoch, lang, subscribed)
      values ('${kind}', '${kind}', 'a@b.example', '${kind}', 0, 1, 'de', 1)`)
  await done(makeMigrator(database, clock, before).migrate())
  await person('a@b.example', 'en')
  await t.rejects(person('c@d.example', 'de'), /CHECK constraint/)
  await done(makeMigrator(database, clock, MIGRATIONS).migrate())
  await person('c@d.example', 'de')
  await device('sms')
  await run(
    `insert into provider (name, answers, dead, answers_before, dead_before) values ('sms', 0, 0, 0, 0)`,
  )
  await t.rejects(run('update person set subscribed = 2'), /CHECK constraint/, 'other checks stay')
  const rest = await database.read((db) =>
    sql<{ rest: number }>`select count(*) as rest from sqlite_schema
      where sql like '%(lang in%' or sql like '%(kind in%' or sql like '%(held_for in%'`.execute(db),
  )
  t.strictSame(rest.rows, [{ rest: 0 }])
  const sound = await database.read((db) =>
    sql<{ integrity_check: string }>`pragma integrity_check`.execute(db),
  )
  t.strictSame(sound.rows, [{ integrity_check: 'ok' }])
  await t.rejects(
    run(`update sqlite_schema set name = 'x'`),
    /may not be modified/,
    'no other write edits the schema',
  )
})

withEngine('each applied migration is on record with its checksum and its time', async (t, database) => {
  await done(makeMigrator(database, clock, [ONE]).migrate())
  const rows = await database.read((db) => db.selectFrom('schema_migrations').selectAll().execute())
  t.match(rows, [{ name: '0001-one', checksum: /^[0-9a-f]{64}$/, applied_at: clock.now() }])
})

withEngine('migrating goes forward only, through what is pending', async (t, database) => {
  await done(makeMigrator(database, clock, [ONE]).migrate())
  const migrator = makeMigrator(database, clock, [ONE, TWO])
  t.strictSame(await done(migrator.plan()), { isEmpty: false, pending: ['0002-two'] })
  t.strictSame(await done(migrator.migrate()), ['0002-two'])
  t.strictSame(await tableNames(database), ['one', 'schema_migrations', 'two'])
})

withEngine('a command refuses an older schema by naming almoner migrate', async (t, database) => {
  await done(makeMigrator(database, clock, [ONE]).migrate())
  const refused = await makeMigrator(database, clock, [ONE, TWO]).ensureCurrent()()
  t.strictSame(refused, E.left({ _tag: 'SchemaOutdated', pending: ['0002-two'] }))
  t.match(schemaFaultText({ _tag: 'SchemaOutdated', pending: ['0002-two'] }), /run almoner migrate/)
  t.strictSame(await tableNames(database), ['one', 'schema_migrations'])
})

withEngine('a changed migration is refused by name', async (t, database) => {
  await done(makeMigrator(database, clock, [ONE]).migrate())
  const edited = migration(ONE.name, 'create table one (id integer, more text) strict')
  const migrator = makeMigrator(database, clock, [edited, TWO])
  const fault = { _tag: 'MigrationChanged' as const, name: '0001-one' }
  t.strictSame(await migrator.plan()(), E.left(fault))
  t.strictSame(await migrator.migrate()(), E.left(fault))
  t.match(schemaFaultText(fault), /0001-one/)
})

withEngine('the schema of a newer program is refused by name', async (t, database) => {
  await done(makeMigrator(database, clock, [ONE, TWO]).migrate())
  const fault = { _tag: 'MigrationUnknown', name: '0002-two' }
  t.strictSame(await makeMigrator(database, clock, [ONE]).migrate()(), E.left(fault))
})

withEngine('a gap in the history is refused by name', async (t, database) => {
  await done(makeMigrator(database, clock, [TWO]).migrate())
  const fault = { _tag: 'MigrationSkipped', name: '0001-one' }
  t.strictSame(await makeMigrator(database, clock, [ONE, TWO]).migrate()(), E.left(fault))
})

withEngine('a database of something else is left alone', async (t, database) => {
  await database.write(async (db) => E.right(await sql`create table theirs (id integer)`.execute(db)))
  t.strictSame(
    await makeMigrator(database, clock, [ONE]).ensureCurrent()(),
    E.left({ _tag: 'ForeignDatabase' }),
  )
  t.strictSame(await tableNames(database), ['theirs'])
})

withEngine('a migration that fails leaves nothing behind, nor do those before it', async (t, database) => {
  await t.rejects(makeMigrator(database, clock, [ONE, TWO, BROKEN]).migrate()(), /nonsense/)
  t.strictSame(await tableNames(database), [])
})

withEngine(
  '0014: an older database keeps its deliveries, and tokens that are attached are dead no more',
  async (t, database) => {
    const until = MIGRATIONS.findIndex(({ name }) => name === '0014-retention')
    await done(makeMigrator(database, clock, MIGRATIONS.slice(0, until)).migrate())
    const delivery = (
      id: string,
      recipients: number,
    ) => `insert into delivery (notification_id, sending, lang, epoch, taken_up_at,
    ends_at, finished_at, recipients, delivered, failed, dead, skipped, last_device, claimed_upto, next_portion, last_turn)
    values ('${id}', 0, 'en', 1, 0, 0, 5, ${recipients}, ${recipients}, 0, 0, 0, 0, 0, 0, 0)`
    const device = (table: string, n: number, more: string, values: string) =>
      `insert into ${table} (token_digest, token, email, kind, attached_at, ${more}) values ('d${n}', 't${n}', 'a@b.org', 'fcm', 0, ${values})`
    await database.write(async (db) => {
      for (const statement of [
        delivery('one', 2),
        delivery('two', 0),
        "insert into person (email, lang, subscribed) values ('a@b.org', 'en', 1)",
        device('device', 1, 'epoch, lang, subscribed', "1, 'en', 1"),
        device('dead_device', 1, 'detached_at', '1'),
        device('dead_device', 2, 'detached_at', '1'),
      ])
        await sql.raw(statement).execute(db)
      return E.right(undefined)
    })
    await done(makeMigrator(database, clock, MIGRATIONS).migrate())
    const rows = await database.read(async (db) => ({
      deliveries: await db
        .selectFrom('delivery')
        .select(['notification_id', 'has_rows'])
        .orderBy('id')
        .execute(),
      dead: await db.selectFrom('dead_device').select('token').execute(),
    }))
    t.strictSame(
      rows.deliveries.map((row) => Object.values(row)),
      [
        ['one', 1],
        ['two', 0],
      ],
    )
    t.strictSame(
      rows.dead.map(({ token }) => `${token}`),
      ['t2'],
    )
  },
)
