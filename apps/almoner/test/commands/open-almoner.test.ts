import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { almonerPlugin, LARGEST_HEAD, LONGEST_SEGMENT } from '@almoner/adapters-http'
import { sqliteMigrations } from '@almoner/adapters-sqlite'
import { type ClientId, CreateFeedItem, callerOf, decode } from '@almoner/domain'
import { makeCreateFeedItem, makeListFeedItems } from '@almoner/domain/content'
import { DELIVERED } from '@almoner/domain/notifications'
import { collect } from '@almoner/domain/values'
import { freshDatabase } from '@almoner/postgres-server'
import { done, samplePush } from '@almoner/testkit/contracts'
import Database from 'better-sqlite3'
import Fastify from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import {
  DummyDriver,
  Kysely,
  MysqlAdapter,
  MysqlIntrospector,
  MysqlQueryCompiler,
  PostgresDialect,
  SqliteDialect,
  sql,
} from 'kysely'
import pg from 'pg'
import t, { type Test } from 'tap'
import { type AlmonerOptions, type OpenAlmoner, openAlmoner } from '../../src/index.ts'

const manager = callerOf({
  clientId: 'office' as ClientId,
  scopes: ['content-manager'],
  roles: [],
  email: O.none,
})

const optionsIn = (folder: string, over: Partial<AlmonerOptions> = {}): AlmonerOptions => ({
  database: `sqlite:${join(folder, 'almoner.db')}`,
  media: `file:${join(folder, 'media')}`,
  baseUrl: 'https://www.example.org/charity',
  ...over,
})

const post = async ({ ports }: OpenAlmoner) => {
  const sent = { itemType: 'photo', itemTitle: 'A new well', itemDescription: 'Clean water.' }
  const command = decode(CreateFeedItem)(sent)
  if (E.isLeft(command)) throw new Error('a valid post')
  return done(makeCreateFeedItem(ports)(manager, command.right))
}

const titlesIn = async ({ ports, policy }: OpenAlmoner) => {
  const listed = await done(makeListFeedItems(ports, policy)(manager, {}))
  return (await collect(listed)).map(({ title }) => title)
}

/** Opens it twice: what was written is there again. */
const writesAndReads = async (t: Test, options: AlmonerOptions) => {
  const first = await openAlmoner(options)
  await post(first)
  await first.close()
  await first.close()
  const second = await openAlmoner(options)
  t.strictSame(await titlesIn(second), ['A new well'])
  await second.close()
}

t.test('a service on SQLite is opened from one options object', async (t) => {
  const folder = t.testdir()
  await writesAndReads(t, optionsIn(folder))
  t.ok(existsSync(join(folder, 'almoner.db')))
})

t.test('it takes an open database of better-sqlite3, and leaves it open', async (t) => {
  const folder = t.testdir()
  const database = new Database(join(folder, 'almoner.db'))
  await writesAndReads(t, optionsIn(folder, { database }))
  t.strictSame(database.prepare('select count(*) as n from feed_item').get(), { n: 1 })
  database.close()
})

t.test('it takes an open pool of pg, and leaves it open', async (t) => {
  const { url } = await freshDatabase(async () => {})
  const pool = new pg.Pool({ connectionString: url })
  await writesAndReads(t, optionsIn(t.testdir(), { database: pool }))
  t.strictSame((await pool.query('select count(*)::int as n from almoner.feed_item')).rows, [{ n: 1 }])
  await pool.end()
})

t.test('it takes the address of a PostgreSQL database', async (t) => {
  const { url } = await freshDatabase(async () => {})
  await writesAndReads(t, optionsIn(t.testdir(), { database: url }))
})

t.test('A8, I8: on PostgreSQL, hosts count wrong secrets together', async (t) => {
  const { url } = await freshDatabase(async () => {})
  const pool = new pg.Pool({ connectionString: url })
  const hosts: ReadonlyArray<OpenAlmoner> = [
    await openAlmoner(optionsIn(t.testdir(), { database: url })),
    await openAlmoner(optionsIn(t.testdir(), { database: pool })),
  ]
  const guess = async (host: OpenAlmoner | undefined) => {
    const guessed = await host?.access.checkCredentials({
      clientId: 'a',
      secret: 'b',
      address: '192.0.2.1',
    })()
    return guessed !== undefined && E.isLeft(guessed) ? guessed.left._tag : undefined
  }
  for (let n = 0; n < 10; n += 1) t.equal(await guess(hosts[n % 2]), 'InvalidClient')
  for (const host of hosts) while ((await guess(host)) !== 'TooManyAttempts');
  for (const { close } of hosts) await close()
  await pool.end()
})

t.test('the API and the images are registered with what it returns', async (t) => {
  const almoner = await openAlmoner(optionsIn(t.testdir(), { policy: { embargo: true } }))
  t.equal(almoner.policy.embargo, true)
  t.equal(almoner.policy.tokenTtl, 3600)
  const app = Fastify({
    routerOptions: { maxParamLength: LONGEST_SEGMENT },
    http: { maxHeaderSize: LARGEST_HEAD },
  })
  await app.register(almonerPlugin, { almoner, prefix: '/charity', baseUrl: 'https://www.example.org' })
  t.equal((await app.inject('/charity/feed/')).statusCode, 401)
  await app.close()
  await almoner.close()
})

t.test('pushes go to the log, to a gateway of the host, or to a provider', async (t) => {
  const lines: Array<object> = []
  const push = samplePush(1)
  const logged = await openAlmoner(optionsIn(t.testdir(), { push: { log: (line) => lines.push(line) } }))
  t.same(await logged.ports.pushGateway.send(push)(), DELIVERED)
  t.match(lines, [{ title: push.message.title }])
  await logged.close()

  const own = { bytesOf: () => 1, send: () => async () => DELIVERED }
  const routed = await openAlmoner(optionsIn(t.testdir(), { push: { gateways: { fcm: own } } }))
  t.same(await routed.ports.pushGateway.send(push)(), DELIVERED)
  t.strictSame(routed.ports.pushGateway.providers, new Set(['fcm']))
  await routed.close()

  const apns = { key: 'no key', keyId: 'K', teamId: 'T', topic: 'org.example' }
  const apple = await openAlmoner(optionsIn(t.testdir(), { push: { apns } }))
  t.strictSame(apple.ports.pushGateway.providers, new Set(['apns']))
  await apple.close()
})

t.test('a wrong option is named, and nothing is opened', async (t) => {
  const folder = t.testdir()
  const wrong: ReadonlyArray<readonly [object, RegExp]> = [
    [{ database: undefined }, /option database of openAlmoner must be given as text/],
    [{ database: 'mysql://x' }, /option database of openAlmoner must be sqlite:/],
    [{ database: new Database(':memory:') }, /in memory/],
    [{ media: 'ftp://x' }, /option media of openAlmoner must be file:/],
    [{ baseUrl: '/charity' }, /option baseUrl of openAlmoner must be an absolute http or https URL/],
  ]
  for (const [over, message] of wrong)
    await t.rejects(openAlmoner({ ...optionsIn(folder), ...over }), { message })
  t.notOk(existsSync(join(folder, 'almoner.db')))
})

t.test('a database of something else is refused, and closed again', async (t) => {
  const folder = t.testdir()
  const database = new Database(join(folder, 'almoner.db'))
  database.exec('create table customer (id integer)')
  await t.rejects(openAlmoner(optionsIn(folder, { database })), { message: /choose an empty one/ })
  database.exec('drop table customer')
  database.close()
})

t.test(
  'its tables stand beside those of a host: with a prefix on SQLite, in a schema on PostgreSQL',
  async (t) => {
    const folder = t.testdir()
    const database = new Database(join(folder, 'almoner.db'))
    database.exec('create table feed_item (host integer); insert into feed_item values (7)')
    await writesAndReads(t, optionsIn(folder, { database, prefix: 'almoner_' }))
    t.strictSame(database.prepare('select * from feed_item').all(), [{ host: 7 }])
    database.close()

    const { url } = await freshDatabase(async () => {})
    const pool = new pg.Pool({ connectionString: url })
    await pool.query('create table feed_item (host integer)')
    for (const schema of ['one', 'other'])
      await writesAndReads(t, optionsIn(t.testdir(), { database: pool, schema }))
    await pool.end()
  },
)

t.test('a host whose own runner applies the migrations gets the names of missing ones', async (t) => {
  const folder = t.testdir()
  const database = new Database(join(folder, 'almoner.db'))
  const options = optionsIn(folder, { database, prefix: 'a_', migrations: 'require' })
  await t.rejects(openAlmoner(options), {
    message: /lacks the migrations 0001-initial, .* with your own runner/,
  })
  for (const { statements } of sqliteMigrations({ prefix: 'a_' }))
    for (const statement of statements) database.exec(statement)
  await writesAndReads(t, options)
  database.close()
})

t.test('a schema is no option of SQLite, nor a prefix one of PostgreSQL', async (t) => {
  await t.rejects(openAlmoner(optionsIn(t.testdir(), { schema: 'a' })), { message: /SQLite has no schemas/ })
  const postgres = optionsIn(t.testdir(), { database: 'postgres://a@127.0.0.1:1/a', prefix: 'a_' })
  await t.rejects(openAlmoner(postgres), { message: /use schema on PostgreSQL/ })
})

t.test('it takes a Kysely instance of a host on either engine, and leaves it open', async (t) => {
  const folder = t.testdir()
  const sqlite = new Kysely<object>({
    dialect: new SqliteDialect({ database: new Database(join(folder, 'almoner.db')) }),
  })
  await writesAndReads(t, optionsIn(folder, { database: sqlite, prefix: 'a_' }))
  const { url } = await freshDatabase(async () => {})
  const pool = new pg.Pool({ connectionString: url })
  const postgres = new Kysely<object>({ dialect: new PostgresDialect({ pool }) })
  await writesAndReads(t, optionsIn(t.testdir(), { database: postgres, schema: 'charity' }))
  for (const kysely of [sqlite, postgres]) {
    t.strictSame((await sql`select 1 as one`.execute(kysely)).rows, [{ one: 1 }])
    await kysely.destroy()
  }
  const mysql = new Kysely<object>({
    dialect: {
      createAdapter: () => new MysqlAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new MysqlIntrospector(db),
      createQueryCompiler: () => new MysqlQueryCompiler(),
    },
  })
  await t.rejects(openAlmoner(optionsIn(folder, { database: mysql })), {
    message: /neither SQLite nor PostgreSQL/,
  })
})
