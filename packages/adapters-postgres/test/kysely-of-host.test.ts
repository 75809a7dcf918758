import { setTimeout as pause } from 'node:timers/promises'
import { MIGRATIONS, makeMigrator, makeStore } from '@almoner/adapters-kysely'
import * as contracts from '@almoner/testkit/contracts'
import { done, failure, sampleFeedItem } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import {
  type DialectAdapter,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  sql,
} from 'kysely'
import t from 'tap'
import { openPostgres } from '../src/index.ts'
import { channelOf, signalIn } from '../src/signals.ts'
import { contractFixture } from './contract-fixture.ts'
import { clock, engineOn, reusableStores } from './store-of.ts'
import { kyselyOfHost, storeOfHost } from './store-of-host.ts'

// A host's Kysely instance: its own connections are borrowed. TEST_KYSELY=on runs all contracts this way.

const { runner } = contractFixture()
const store = reusableStores(storeOfHost)
contracts.usersContract(runner, store)
contracts.idempotencyKeysContract(runner, store)

t.test(
  'the tables are in a schema beside those of the host, whose connections come back as they were',
  async (t) => {
    const { kysely, pool } = await kyselyOfHost(4)
    const settings = () =>
      pool.query("select name, setting from pg_settings where name not in ('application_name') order by 1")
    const before = (await settings()).rows
    await pool.query(
      'drop schema public cascade; create schema public; create table feed_item (host integer)',
    )
    const database = await done(openPostgres({ kysely, schema: 'almoner' }))
    await done(makeMigrator(database, clock, MIGRATIONS).migrate())
    const { feedItems } = makeStore(database)
    await Promise.all(
      [1, 2, 3, 4, 5, 6].map((n) => done(feedItems.add({ item: sampleFeedItem(n), linksToImages: [] }))),
    )
    t.match(await done(feedItems.find(sampleFeedItem(3).id)), { _tag: 'Some' })
    t.equal((await pool.query('select from public.feed_item')).rows.length, 0, 'the host has room meanwhile')
    t.ok(pool.totalCount <= 4)
    await database.close()
    for (let n = 0; n < 50 && pool.idleCount < pool.totalCount; n += 1) await pause(20)
    t.equal(pool.idleCount, pool.totalCount, 'all are given back')
    const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()))
    for (const client of clients) {
      const { rows } = await client.query(
        "select name, setting from pg_settings where name not in ('application_name') order by 1",
      )
      t.strictSame(rows, before)
      client.release()
    }
    await kysely.destroy()
  },
)

t.test('changes of other processes are found within two seconds, those of this one at once', async (t) => {
  const { kysely, url } = await kyselyOfHost()
  const [mine, theirs] = [await done(openPostgres({ kysely, schema: 'public' })), await engineOn(url)]
  const nothing = async () => E.right(undefined)
  mine.version()
  await pause(1)
  const before = mine.version()
  await done(mine.write(nothing))
  t.ok(mine.version() > before)
  const write = theirs.write(async (db) => E.right(await sql`update epoch set value = value`.execute(db)))
  for (const known = mine.version(); mine.version() === known; ) {
    await done(write)
    await pause(50)
  }
  await mine.close()
  await theirs.close()
  await kysely.destroy()
})

t.test('I10: a connection that the server ends goes back to the host, which opens another', async (t) => {
  const { kysely } = await kyselyOfHost(2)
  const database = await done(openPostgres({ kysely, schema: 'public' }))
  const one = () => done(database.read((db) => sql<{ readonly n: number }>`select 1 as n`.execute(db)))
  const cut = sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`
  for (let n = 0; n < 5; n += 1) {
    await one()
    await cut.execute(kysely)
  }
  t.match(await one(), { rows: [{ n: 1 }] })
  await database.close()
  await kysely.destroy()
})

t.test('I8: changes that are written on a borrowed connection are notified of', async (t) => {
  const { kysely, pool } = await kyselyOfHost(4)
  const database = await done(openPostgres({ kysely, schema: 'public' }))
  const heard = Promise.withResolvers<string | undefined>()
  const client = await pool.connect()
  client.on('notification', ({ payload }) => heard.resolve(payload))
  await client.query(`listen ${channelOf('public')}`)
  const change = sql`update epoch set value = value`
  await done(
    database.write(async (db) => E.right(await change.execute(db)), { notify: ['people', 'library'] }),
  )
  t.match(signalIn(await heard.promise), { change: ['people', 'library'], xids: [/^\d+$/] })
  client.release()
  await database.close()
  await kysely.destroy()
})

t.test('an instance of another dialect, or with another driver, is refused with what to do', async (t) => {
  const instanceOf = (adapter: DialectAdapter) =>
    new Kysely<object>({
      dialect: {
        createAdapter: () => adapter,
        createDriver: () => new DummyDriver(),
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    })
  const refusalOf = async (kysely: Kysely<object>) => {
    const opened = await openPostgres({ kysely, schema: 'almoner' })()
    return E.isLeft(opened) && String(opened.left.cause)
  }
  t.match(await refusalOf(instanceOf(new SqliteAdapter())), /not of PostgreSQL/)
  t.match(await refusalOf(instanceOf(new PostgresAdapter())), /with the driver pg/)
  const { kysely, pool } = await kyselyOfHost()
  await pool.end()
  t.equal(await failure(openPostgres({ kysely, schema: 'almoner' })), 'Unavailable')
})
