import { join } from 'node:path'
import { MIGRATIONS, makeMigrator, makeStore, TRANSFER_TABLES } from '@almoner/adapters-kysely'
import { done, failure, sampleFeedItem } from '@almoner/testkit/contracts'
import Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import t from 'tap'
import { openSqlite } from '../src/index.ts'
import { withPrefix } from '../src/prefix.ts'
import { namesIn } from './host-tables.ts'
import { clock, openStore } from './store-of.ts'

// A service whose tables have a prefix, in a file with tables of a host (the contracts run there too).

/** Statements, with `·` before each name that gets the prefix. */
const STATEMENTS: ReadonlyArray<string> = [
  'create table if not exists ·a (b integer references ·c (id) on delete cascade, check (b in (0, 1)))',
  'create unique index ·a_i on ·a (b, a) where x is not null',
  'create index if not exists ·i on ·a (b)',
  `create virtual table ·l_words using fts5 (words, tokenize = "ascii tokenchars '_'")`,
  'create virtual table ·l_terms using fts5vocab (·l_words, instance)',
  'alter table ·a rename to ·b',
  'alter table ·a rename column b to c',
  'alter table ·a add column epoch integer not null default 0',
  'drop index ·a_i',
  'drop table if exists ·a',
  'insert into ·a (a, b) select a, b from ·y on conflict (a) do update set a = excluded.a',
  'replace into ·a default values',
  'update or ignore ·x set a = 1, b = 2 from ·y, ·z where ·y.a = ·x.a returning ·x.a, b',
  'delete from ·x where a = (select a from ·y as x where x.b = ·y.b)',
  'select "epoch" from "·device" inner join "·batch" as "b" on "b"."epoch" = "·device"."epoch", "·delivery"',
  'select a from ·a where a is not distinct from epoch and b is distinct from a order by a, b limit 1',
  'select * from (select 1 from ·a, ·b) as q, ·c left join ·d on ·d.a = ·c.a group by a, b',
  'select 1 where exists (select 1 from ·e where ·e.x match ?) -- from nothing\n and a',
  'select ·l_words.rowid from ·l_words cross join ·l_search on ·l_search.id = ·l_words.rowid where ·l_words match ?',
  'with recursive terms (term) as (select 1 from ·t union select 2 from terms) select term from terms, ·o as o',
  'with a as (select 1), b as not materialized (select 2 from a) select 1 from a, b join ·c indexed by ·i on 1',
  "select name, 'from a' from sqlite_schema, pragma_table_info('x') as i where a in (select distinct b from ·c)",
  'select 1 from ·a union all select 2 from ·b intersect select 3 from ·c',
  'pragma user_version',
]

t.test('a statement gets the prefix before each of its tables and indexes, and nowhere else', async (t) => {
  for (const marked of STATEMENTS)
    t.equal(withPrefix('p_', marked.replaceAll('·', '')), marked.replaceAll('·', 'p_'), marked)
})

t.test('every table and index has the prefix, beside those of a host with the same names', async (t) => {
  const file = join(t.testdir(), 'host.db')
  const host = new Database(file)
  host.exec('create table feed_item (id integer primary key, name text); pragma user_version = 7')
  const store = await openStore(file, 'almoner_')
  await done(store.feedItems.add({ item: sampleFeedItem(1), linksToImages: [] }))
  const names = namesIn(file).map(({ name }) => name)
  t.strictSame(
    names.filter((name) => !name.startsWith('almoner_')),
    ['feed_item'],
  )
  for (const { name } of TRANSFER_TABLES) t.ok(names.includes(`almoner_${name}`), name)
  t.strictSame(host.prepare('select count(*) as n from feed_item').get(), { n: 0 })
  t.equal(host.pragma('user_version', { simple: true }), 7)
  await store.close()
  host.close()
})

t.test('services with two prefixes and one without share a file, and do not see each other', async (t) => {
  const file = join(t.testdir(), 'shared.db')
  // One prefix begins as the other does.
  const prefixes = ['', 'a_', 'a_b_']
  const stores = []
  for (const prefix of prefixes) stores.push(await openStore(file, prefix))
  for (const [n, store] of stores.entries())
    await done(store.feedItems.add({ item: sampleFeedItem(n), linksToImages: [] }))
  for (const [n, { feedItems, database }] of stores.entries()) {
    for (const other of prefixes.keys())
      t.equal(O.isSome(await done(feedItems.find(sampleFeedItem(other).id))), other === n, `${n} ${other}`)
    const plan = await done(makeMigrator(database, clock, MIGRATIONS).plan())
    t.strictSame(plan, { isEmpty: false, pending: [] })
  }
  for (const { close } of stores) await close()
})

t.test('tables of others with the prefix are refused, and so is a prefix that is none', async (t) => {
  const file = join(t.testdir(), 'host.db')
  new Database(file).exec('create table almoner_customer (id integer)').close()
  const database = await done(openSqlite({ file, prefix: 'almoner_' }))
  t.equal(await failure(makeMigrator(database, clock, MIGRATIONS).migrate()), 'ForeignDatabase')
  await database.close()
  for (const prefix of ['x', '_', 'Almoner_', 'a-b_', 'sqlite_', '"a_', `${'a'.repeat(40)}_`]) {
    const opened = await openSqlite({ file, prefix })()
    t.match(E.isLeft(opened) && opened.left.cause, { message: /prefix must be/ }, prefix)
  }
})

t.test(
  'L1: an erasure beside tables of a host leaves its user_version, and is completed later',
  async (t) => {
    const file = join(t.testdir(), 'host.db')
    const host = new Database(file)
    host.exec('pragma user_version = 7; create table guest (email text)')
    const { database, close } = await openStore(file, 'almoner_')
    const marks = () => host.prepare('select digest from almoner_unfinished_erasure').pluck().all()
    const reading = new Database(file)
    reading.exec('begin; select * from guest')
    const digests: Array<unknown> = []
    const erasing = database.erase(async () => E.right(['a text']), 'abc')()
    while (digests.length === 0) {
      digests.push(...marks())
      await new Promise((resolve) => setImmediate(resolve))
    }
    t.match(digests.sort(), ['abc', /^mark \d+$/])
    reading.exec('commit')
    t.ok(E.isRight(await erasing))
    t.strictSame(marks(), [])
    t.equal(host.pragma('user_version', { simple: true }), 7)
    await close()

    host.exec(`insert into almoner_unfinished_erasure values ('mark 5'), ('abc')`)
    const again = await openStore(file, 'almoner_')
    t.strictSame(marks(), ['abc'], 'the remains are gone, and the digest waits for the repeat')
    await again.close()
    await (await openStore(file, 'almoner_')).close()
    t.strictSame(marks(), [])
    host.close()
  },
)

t.test('reads in threads name the tables too', async (t) => {
  const { database, feedItems, close } = await openStore(join(t.testdir(), 'host.db'), 'almoner_')
  await done(feedItems.add({ item: sampleFeedItem(1), linksToImages: [] }))
  const rows = await done(
    database.readSnapshot((db) => db.selectFrom('feed_item').select('id').execute(), { timeout: 'none' }),
  )
  t.equal(rows.length, 1)
  const found = await done(
    database.read((db) => sql<{ n: number }>`select count(*) as n from feed_item`.execute(db)),
  )
  t.strictSame(found.rows, [{ n: 1 }])
  t.ok(makeStore(database))
  await close()
})
