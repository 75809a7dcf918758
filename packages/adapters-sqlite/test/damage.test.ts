import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { done, failure } from '@almoner/testkit/contracts'
import Driver from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import { sql } from 'kysely'
import t from 'tap'
import { openStore, storeOf } from './store-of.ts'

const TABLES = ['person', 'label', 'client', 'notification', 'manager'] as const

/** Overwrites the first page of a table. */
const damage = (file: string, table: string): void => {
  const database = new Driver(file, { readonly: true })
  const page = database
    .prepare('select rootpage from sqlite_master where name = ?')
    .pluck()
    .get(table) as number
  const size = Number(database.pragma('page_size', { simple: true }))
  database.close()
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.fill(0xab, (page - 1) * size, page * size))
}

for (const table of TABLES)
  for (const way of ['read', 'unbounded read', 'snapshot', 'stream', 'write'] as const)
    t.test(`I10: a ${way} that meets damage in ${table} makes it known`, async (t) => {
      const file = join(t.testdir(), 'almoner.db')
      await (await storeOf(file)).close()
      damage(file, table)
      const { database, close } = await openStore(file)
      t.teardown(close)
      t.equal(database.damage(), undefined)
      const rows = (db: Parameters<Parameters<typeof database.read>[0]>[0]) =>
        sql`select * from ${sql.table(table)}`.execute(db)
      const meet = {
        read: () => failure(database.read(rows)),
        'unbounded read': () => failure(database.read(rows, { work: 'unbounded' })),
        snapshot: () => failure(database.readSnapshot(rows)),
        write: () => failure(database.write(async (db) => E.right(await rows(db)))),
        stream: async () => {
          const values = database.streamSnapshot(async function* (db) {
            yield await rows(db)
          })
          try {
            for await (const _ of values) t.fail('it is damaged')
            return 'none'
          } catch {
            return 'Unavailable'
          }
        },
      }
      t.equal(await meet[way](), 'Unavailable')
      t.match(database.damage(), /damaged: database disk image is malformed/)
      await done(database.read(async (db) => sql`select 1`.execute(db)))
      t.ok(database.damage(), 'it stays known')
    })
