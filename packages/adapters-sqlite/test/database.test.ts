import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DatabaseUnavailable, type Db } from '@almoner/adapters-kysely'
import type { ClientId } from '@almoner/domain'
import type { TokenDigest } from '@almoner/domain/access'
import { type ItemDescription, instant } from '@almoner/domain/values'
import { done, failure, sampleId, sampleLibraryItem } from '@almoner/testkit/contracts'
import Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import t from 'tap'
import { classified, whileBusy } from '../src/connection.ts'
import { storeOf } from './store-of.ts'

const item = sampleLibraryItem(1)
const asked = (pragma: string) => async (db: Db) =>
  Object.values((await sql<Record<string, unknown>>`pragma ${sql.raw(pragma)}`.execute(db)).rows[0] ?? {})[0]

t.test('writes are on disk, and foreign keys are enforced', async (t) => {
  const { database, close } = await storeOf(join(t.testdir(), 'almoner.db'))
  const told = await database.write(async (db) =>
    E.right([
      await asked('journal_mode')(db),
      await asked('synchronous')(db),
      await asked('foreign_keys')(db),
    ]),
  )()
  t.strictSame(told, E.right(['wal', 2, 1]))
  await close()
})

t.test('a Left rolls the transaction back; so does a throw, which stays an exception', async (t) => {
  const { libraryItems, database, close } = await storeOf(join(t.testdir(), 'almoner.db'))
  await done(libraryItems.add({ item, linksToImages: [] }))
  const rename = (db: Db) => db.updateTable('library_item').set({ revision: 9 }).execute()
  const left = await database.write(async (db) => {
    await rename(db)
    return E.left('no')
  })()
  t.strictSame(left, E.left('no'))
  const bug = database.write(async (db) => {
    await rename(db)
    throw new Error('a bug')
  })()
  await t.rejects(bug, /a bug/)
  t.match(await done(libraryItems.find(item.id)), { value: { revision: 1 } })
  await close()
})

t.test('violated constraints, and decisions that throw, are bugs and not outages', async (t) => {
  const { libraryItems, accessTokens, close } = await storeOf(join(t.testdir(), 'almoner.db'))
  await done(libraryItems.add({ item, linksToImages: [] }))
  await t.rejects(libraryItems.add({ item, linksToImages: [] })(), /UNIQUE/)
  const token = { digest: '0' as TokenDigest, clientId: 'x' as ClientId, scopes: [], expiresAt: instant(0) }
  await t.rejects(accessTokens.add(token)(), /FOREIGN KEY/)
  const thrown = libraryItems.change<never>(item.id, () => {
    throw new Error('a bug')
  })
  await t.rejects(thrown(), /a bug/)
  t.match(await done(libraryItems.find(item.id)), O.some(item), 'the database still works')
  await close()
})

t.test('lock, disk and memory errors mean unavailable', async (t) => {
  const meet = (code: string) => () =>
    classified(() => {
      throw new Database.SqliteError('', code)
    })
  for (const code of [
    'SQLITE_BUSY',
    'SQLITE_BUSY_SNAPSHOT',
    'SQLITE_FULL',
    'SQLITE_IOERR_FSYNC',
    'SQLITE_CANTOPEN',
  ])
    t.throws(meet(code), DatabaseUnavailable, code)
  for (const code of ['SQLITE_ERROR', 'SQLITE_CONSTRAINT_CHECK', 'SQLITE_MISUSE', 'SQLITE_RANGE'])
    t.throws(meet(code), Database.SqliteError, code)
})

t.test('a full disk is Unavailable without changes, and writing continues once there is space', async (t) => {
  const { libraryItems, database, close } = await storeOf(join(t.testdir(), 'almoner.db'))
  const limit = (pages: number) =>
    done(database.write(async (db) => E.right(await asked(`max_page_count = ${pages}`)(db))))
  await limit(1)
  const large = { ...item, description: 'x'.repeat(100_000) as ItemDescription }
  t.equal(await failure(libraryItems.add({ item: large, linksToImages: [] })), 'Unavailable')
  t.strictSame(await done(libraryItems.find(item.id)), O.none)
  await limit(1_000_000)
  await done(libraryItems.add({ item: large, linksToImages: [] }))
  await close()
})

t.test('a write waits for the lock of another process without blocking this one', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const { libraryItems, close } = await storeOf(file)
  const other = new Database(file)
  other.exec('begin immediate')
  const waiting = libraryItems.add({ item, linksToImages: [] })()
  await nextTurn()
  t.strictSame(await done(libraryItems.find(item.id)), O.none, 'reading continues meanwhile')
  other.exec('commit')
  other.close()
  t.strictSame(await waiting, E.right(undefined))
  await close()
})

t.test(
  'I3: only a write that says so waits for another process without end, and says once that it does',
  async (t) => {
    const LOCKED = 1100
    /** Is locked for longer than other writes wait. */
    const work = () => {
      let tried = 0
      return () => {
        tried += 1
        if (tried <= LOCKED) throw new Database.SqliteError('', 'SQLITE_BUSY')
        return tried
      }
    }
    let said = 0
    const waiting = whileBusy(work(), () => {
      said += 1
    })
    await t.rejects(whileBusy(work()), { code: 'SQLITE_BUSY' })
    t.equal(await waiting, LOCKED + 1)
    t.equal(said, 1)
  },
)

t.test('closing finishes writes; afterwards everything is Unavailable', async (t) => {
  const { libraryItems, database, close } = await storeOf(join(t.testdir(), 'almoner.db'))
  const writes = [1, 2, 3].map((n) =>
    libraryItems.add({ item: sampleLibraryItem(n, { id: sampleId(n) }), linksToImages: [] })(),
  )
  await Promise.race(writes)
  const closed = close()
  t.strictSame(await Promise.all(writes), [E.right(undefined), E.right(undefined), E.right(undefined)])
  await closed
  t.equal(await failure(libraryItems.find(item.id)), 'Unavailable')
  t.equal(await failure(libraryItems.add({ item, linksToImages: [] })), 'Unavailable')
  t.strictSame(await database.close(), undefined, 'closing twice has the effect of closing once')
})

t.test('row locks are left out of queries, because writers exclude each other', async (t) => {
  const { database, close } = await storeOf(join(t.testdir(), 'almoner.db'))
  const epoch = await done(
    database.read(async (db) => {
      const query = db.selectFrom('epoch').select('value').forUpdate().skipLocked()
      return { text: query.compile().sql, rows: await query.execute() }
    }),
  )
  t.strictSame(epoch, { text: 'select "value" from "epoch"', rows: [{ value: 1 }] })
  await close()
})
