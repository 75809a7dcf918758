import { join } from 'node:path'
import { MIGRATIONS, makeMigrator, makeStore } from '@almoner/adapters-kysely'
import { done, sampleFeedItem } from '@almoner/testkit/contracts'
import Database from 'better-sqlite3'
import {
  CamelCasePlugin,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteDialect,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import t from 'tap'
import { fileOfHandle, fileOfKysely, openSqlite } from '../src/index.ts'
import { clock } from './store-of.ts'

t.test('the file of a database that a host has open is used beside it', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const host = new Database(file)
  const database = await done(openSqlite({ file: fileOfHandle(host) }))
  await done(makeMigrator(database, clock, MIGRATIONS).migrate())
  await done(makeStore(database).feedItems.add({ item: sampleFeedItem(1), linksToImages: [] }))
  t.strictSame(host.prepare('select count(*) as n from feed_item').get(), { n: 1 })
  await database.close()
  t.ok(host.open, 'the host’s connection stays open')
  host.close()
})

t.test('a database in memory, and one of another copy of better-sqlite3, are rejected', async (t) => {
  const memory = new Database(':memory:')
  t.throws(() => fileOfHandle(memory), { name: 'TypeError', message: /in memory/ })
  memory.close()
  t.throws(() => fileOfHandle({ name: 'a.db', memory: false }), {
    name: 'TypeError',
    message: /another copy/,
  })
})

const kyselyOn = (database: Database.Database) =>
  new Kysely<object>({ dialect: new SqliteDialect({ database }), plugins: [new CamelCasePlugin()] })

t.test('the file of a host’s Kysely instance is used beside it, with any plugins', async (t) => {
  const file = join(t.testdir(), 'host.db')
  const host = new Database(file)
  const kysely = kyselyOn(host)
  const found = await fileOfKysely(kysely)
  t.equal(found, file)
  const database = await done(openSqlite({ file: found, prefix: 'almoner_' }))
  await done(makeMigrator(database, clock, MIGRATIONS).migrate())
  t.equal(host.inTransaction, false, 'no transaction is left open')
  await database.close()
  await kysely.destroy()
})

t.test(
  'Kysely instances of other engines, in memory, and of another copy of SQLite are rejected',
  async (t) => {
    const memory = kyselyOn(new Database(':memory:'))
    await t.rejects(fileOfKysely(memory), { name: 'TypeError', message: /in memory/ })
    const postgres = new Kysely<object>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    })
    await t.rejects(fileOfKysely(postgres), { name: 'TypeError' })

    // A driver whose locks we do not see, as those of another copy.
    const file = join(t.testdir(), 'host.db')
    new Database(file).exec('create table host (id integer)').close()
    class OtherCopy extends DummyDriver {
      override async acquireConnection() {
        return {
          executeQuery: async <R>() => ({ rows: [{ file }] as Array<R> }),
          streamQuery: async function* () {},
        }
      }
    }
    const other = new Kysely<object>({
      dialect: {
        createAdapter: () => new SqliteAdapter(),
        createDriver: () => new OtherCopy(),
        createIntrospector: (db) => new SqliteIntrospector(db),
        createQueryCompiler: () => new SqliteQueryCompiler(),
      },
    })
    await t.rejects(fileOfKysely(other), { name: 'TypeError', message: /two copies of SQLite/ })
  },
)
