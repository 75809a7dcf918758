import { setTimeout as pause } from 'node:timers/promises'
import { MIGRATIONS, makeMigrator, makeStore } from '@almoner/adapters-kysely'
import { freshDatabase, type PoolerOptions, startPooler } from '@almoner/postgres-server'
import { done, sampleEmail, sampleFeedItem } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import { sql } from 'kysely'
import pg from 'pg'
import t, { type Test } from 'tap'
import { openPostgres } from '../src/index.ts'
import { clock, freshlyMigrated, placeOf } from './store-of.ts'

// With an address for the connection that listens, a pooler may give each transaction another session.

/** Opens a database through a pooler, with another address to listen at. */
const openThrough = (through: string, listen: string) =>
  openPostgres({ place: placeOf(through), listen: placeOf(listen) })

/** A database behind a pooler that the test closes. */
const startBehind = async (t: Test, options: PoolerOptions) => {
  const fresh = await freshlyMigrated()
  const pooler = await startPooler(fresh.cluster, options)
  t.teardown(() => pooler.close())
  return { ...fresh, pooler, through: pooler.url(fresh.name) }
}

/** Gives a database settings that break statements which rely on others. */
const spoil = async (url: string, name: string): Promise<void> => {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`create schema elsewhere; alter database ${name} set search_path to elsewhere;
    alter database ${name} set TimeZone to 'Asia/Tokyo'; alter database ${name} set bytea_output to escape`)
  await client.end()
}

const TRANSACTIONS: ReadonlyArray<PoolerOptions> = [
  { mode: 'transaction', size: 3, order: 'turn' },
  { mode: 'transaction', size: 20 },
  { mode: 'session' },
]

for (const options of TRANSACTIONS)
  t.test(
    `behind a pooler as ${JSON.stringify(options)}, all works with the settings that statements need`,
    async (t) => {
      const { url, name, through } = await startBehind(t, options)
      await spoil(url, name)
      const database = await done(openThrough(through, url))
      t.teardown(() => database.close())
      const { users, feedItems } = makeStore(database)
      await Promise.all(Array.from({ length: 30 }, (_, n) => done(users.prefer(sampleEmail(n), {}))))
      await done(feedItems.add({ item: sampleFeedItem(1), linksToImages: [] }))
      const found = await Promise.all(Array.from({ length: 30 }, (_, n) => done(users.find(sampleEmail(n)))))
      t.equal(found.length, 30)
      const shown = sql<{
        path: string
        zone: string
        limit: string
      }>`select current_setting('search_path') as path,
      current_setting('TimeZone') as zone, current_setting('statement_timeout') as limit`
      const settings = { path: '"public"', zone: 'UTC', limit: '3500ms' }
      t.strictSame(await done(database.read(async (db) => (await shown.execute(db)).rows)), [settings])
      t.strictSame(await done(database.readSnapshot(async (db) => (await shown.execute(db)).rows)), [
        settings,
      ])
      for await (const rows of database.streamSnapshot(async function* (db) {
        yield (await shown.execute(db)).rows
      }))
        t.strictSame(rows, [settings])
      t.strictSame(await done(database.write(async (db) => E.right((await shown.execute(db)).rows))), [
        settings,
      ])
      t.equal(database.trouble(), undefined)
    },
  )

t.test('statements have names behind a pooler only if the address says prepared=true', async (t) => {
  for (const [parameters, expected] of [
    ['', false],
    ['prepared=true', true],
    ['prepared=false', false],
  ] as const) {
    const { url, through } = await startBehind(t, { mode: 'transaction', size: 1 })
    const joiner = through.includes('?') ? '&' : '?'
    const database = await done(
      openThrough(parameters === '' ? through : `${through}${joiner}${parameters}`, url),
    )
    const { users } = makeStore(database)
    await done(users.find(sampleEmail(1)))
    const named = sql<{ name: string }>`select name from pg_prepared_statements`
    const { rows } = await done(database.read((db) => named.execute(db)))
    t.equal(
      rows.some(({ name }) => name.startsWith('almoner_')),
      expected,
      parameters,
    )
    await database.close()
  }
})

t.test(
  'a pooler leaves nothing of a transaction behind: another client sees the settings of its role',
  async (t) => {
    const { url, name, through } = await startBehind(t, { mode: 'transaction', size: 1 })
    await spoil(url, name)
    const database = await done(openThrough(through, url))
    await done(makeStore(database).users.prefer(sampleEmail(1), {}))
    await done(makeStore(database).users.find(sampleEmail(1)))
    const other = new pg.Client(through)
    await other.connect()
    const { rows } = await other.query(
      "select current_setting('search_path') as path, current_setting('almoner.session', true) as session",
    )
    t.match(rows, [{ path: 'elsewhere' }])
    t.notOk(rows[0]?.session)
    await other.end()
    await database.close()
  },
)

t.test('an empty database is migrated through a pooler', async (t) => {
  const { cluster, name, url } = await freshDatabase(async () => {})
  const pooler = await startPooler(cluster, { mode: 'transaction', size: 3, order: 'turn' })
  t.teardown(() => pooler.close())
  const database = await done(openThrough(pooler.url(name), url))
  await done(makeMigrator(database, clock, MIGRATIONS).migrate())
  await done(makeStore(database).users.prefer(sampleEmail(1), {}))
  await database.close()
})

t.test('I8: changes of other processes are heard over the other address', async (t) => {
  const { url, through } = await startBehind(t, { mode: 'transaction', order: 'turn' })
  const [one, two] = await Promise.all([done(openThrough(through, url)), done(openThrough(through, url))])
  const before = one.version()
  while (one.version() < before + 3) {
    await done(makeStore(two).users.prefer(sampleEmail(1), {}))
    await pause(5)
  }
  t.equal(one.trouble(), undefined)
  for (const each of [one, two]) await each.close()
})

t.test('an address for listening that hears nothing is refused by name', async (t) => {
  const [{ url, through }, other] = [
    await startBehind(t, { mode: 'transaction', order: 'turn' }),
    await freshlyMigrated(),
  ]
  for (const [listen, why] of [
    [other.url, 'another database'],
    [through, 'the pooler'],
  ] as const) {
    const opened = await openThrough(through, listen)()
    if (E.isRight(opened)) await opened.right.close()
    t.match(opened, { left: { cause: { message: /ALMONER_DATABASE_LISTEN.*past the pooler/ } } }, why)
  }
  const statements = await startPooler(other.cluster, { mode: 'statement' })
  t.teardown(() => statements.close())
  const refused = await openThrough(statements.url(other.name), other.url)()
  t.match(refused, { left: { cause: { message: /no transactions: set pool_mode = transaction/ } } })
  t.ok(url)
})
