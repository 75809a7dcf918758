import { join } from 'node:path'
import { MIGRATIONS, makeMigrator, makeStore } from '@almoner/adapters-kysely'
import { done, sampleFeedItem } from '@almoner/testkit/contracts'
import Database from 'better-sqlite3'
import t from 'tap'
import { fileOfHandle, openSqlite } from '../src/index.ts'
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
