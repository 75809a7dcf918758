import { once } from 'node:events'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { done } from '@almoner/testkit/contracts'
import Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import { sql } from 'kysely'
import t from 'tap'
import { storeOf } from './store-of.ts'

t.test('ADR 36: a read after a commit of another process sees it, after any earlier reads', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const { database, close } = await storeOf(file)
  const theirs = new Database(file)
  const marks = () =>
    done(
      database.read(
        async (db) => (await sql<{ mark: number }>`select value as mark from epoch`.execute(db)).rows,
      ),
    )
  // Behind the arrivals of this turn, as reads that are answered together are.
  await nextTurn()
  const [before, version] = [await marks(), database.version()]
  theirs.exec('update epoch set value = value + 7')
  // What arrives next is heard of before the turn's end.
  const { port1, port2 } = new MessageChannel()
  port2.postMessage('it is written')
  await once(port1, 'message')
  const after = marks()
  t.not(database.version(), version)
  t.same(
    (await after).map(({ mark }) => mark),
    before.map(({ mark }) => mark + 7),
  )
  port1.close()
  theirs.close()
  await close()
})

/** Pages after which SQLite brings the log into the database, and what each takes in it. */
const [PAGES, BYTES] = [1000, 4096 + 24]

t.test('the log does not grow with readers in every event-loop iteration', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const { database, close } = await storeOf(file)
  await done(database.write(async (db) => E.right(await sql`create table page (text text)`.execute(db))))
  let isDone = false
  const read = async () => {
    for (; !isDone; await nextTurn())
      await done(database.read((db) => sql`select value from epoch`.execute(db)))
  }
  const reading = read()
  const text = 'x'.repeat(4000)
  const write = () =>
    done(database.write(async (db) => E.right(await sql`insert into page values (${text})`.execute(db))))
  for (let turn = 0; turn < PAGES; turn += 1) await Promise.all([write(), write(), write(), write()])
  isDone = true
  await reading
  t.ok(statSync(`${file}-wal`).size < 2 * PAGES * BYTES, String(statSync(`${file}-wal`).size))
  await close()
})
