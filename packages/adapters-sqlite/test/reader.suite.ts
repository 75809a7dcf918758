import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import { sql } from 'kysely'
import t from 'tap'
import { storeOf } from './store-of.ts'

/** Pages after which SQLite brings the log into the database, and what each takes in it. */
const [PAGES, BYTES] = [1000, 4096 + 24]

t.test('the log does not grow while every turn has readers', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const { engine, close } = await storeOf(file)
  await engine.write(async (db) => E.right(await sql`create table page (text text)`.execute(db)))
  let isDone = false
  const read = async () => {
    for (; !isDone; await nextTurn()) await engine.read((db) => sql`select name from shelf`.execute(db))
  }
  const reading = read()
  const text = 'x'.repeat(4000)
  const write = () =>
    engine.write(async (db) => E.right(await sql`insert into page values (${text})`.execute(db)))
  for (let turn = 0; turn < PAGES; turn += 1) await Promise.all([write(), write(), write(), write()])
  isDone = true
  await reading
  t.ok(statSync(`${file}-wal`).size < 2 * PAGES * BYTES, String(statSync(`${file}-wal`).size))
  await close()
})
