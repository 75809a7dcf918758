import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '@almoner/adapters-kysely'
import type { ItemDescription } from '@almoner/domain/values'
import { done, sampleId, sampleLibraryItem } from '@almoner/testkit/contracts'
import Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import t from 'tap'
import { storeOf } from './store-of.ts'

const sample = (n: number) => sampleLibraryItem(n, { id: sampleId(n) })

t.test('concurrent writes share a commit, and each resolves when it is on disk', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const { libraryItems, database, close } = await storeOf(file)
  const before = database.version()
  const seen: Array<boolean> = []
  const other = new Database(file, { readonly: true })
  const isThere = other.prepare<[string], number>('select count(*) from library_item where id = ?').pluck()
  const writes = Array.from({ length: 32 }, async (_, n) => {
    await done(libraryItems.add({ item: sample(n), linksToImages: [] }))
    seen.push(isThere.get(sampleId(n)) === 1)
  })
  await Promise.all(writes)
  t.equal(database.version() - before, 1, 'one commit for all')
  t.strictSame(seen, Array(32).fill(true), 'committed before any write resolves')
  other.close()
  await close()
})

const revise = (db: Db) => db.updateTable('library_item').set({ revision: 9 })

/** Statements that change rows: the driver counts the rows of one that returns them in another way. */
const CHANGES: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
  'an update': (db) => revise(db).execute(),
  'an update that returns rows': (db) => revise(db).returning('id').execute(),
}

for (const [how, rename] of Object.entries(CHANGES))
  t.test(`a failing write of a group rolls back only its own changes: ${how}`, async (t) => {
    const { libraryItems, database, close } = await storeOf(join(t.testdir(), 'almoner.db'))
    await done(libraryItems.add({ item: sample(1), linksToImages: [] }))
    const [before, left, thrown, broken, after] = await Promise.allSettled([
      libraryItems.add({ item: sample(2), linksToImages: [] })(),
      database.write(async (db) => {
        await rename(db)
        return E.left('no')
      })(),
      database.write(async (db) => {
        await rename(db)
        throw new Error('a bug')
      })(),
      libraryItems.add({ item: sample(1), linksToImages: [] })(),
      libraryItems.add({ item: sample(3), linksToImages: [] })(),
    ])
    t.strictSame(before, { status: 'fulfilled', value: E.right(undefined) })
    t.strictSame(left, { status: 'fulfilled', value: E.left('no') })
    t.match(thrown, { status: 'rejected', reason: /a bug/ })
    t.match(broken, { status: 'rejected', reason: /UNIQUE/ })
    t.strictSame(after, { status: 'fulfilled', value: E.right(undefined) })
    for (const n of [1, 2, 3]) t.strictSame(await done(libraryItems.find(sampleId(n))), O.some(sample(n)))
    await close()
  })

t.test('writes of a group that fail before their first change cost the others nothing', async (t) => {
  const { libraryItems, database, close } = await storeOf(join(t.testdir(), 'almoner.db'))
  let runs = 0
  const counted = database.write(async () => {
    runs += 1
    return E.right(runs)
  })()
  const [first, refused, repeated] = await Promise.all([
    counted,
    database.write(async () => E.left('no'))(),
    done(libraryItems.add({ item: sample(1), linksToImages: [] })),
  ])
  t.strictSame([first, refused, repeated], [E.right(1), E.left('no'), undefined])
  t.equal(runs, 1, 'nothing is run twice')
  await close()
})

t.test('if an error of one write ends the whole transaction, the others are still written', async (t) => {
  const { libraryItems, database, close } = await storeOf(join(t.testdir(), 'almoner.db'))
  const large = { ...sample(2), description: 'x'.repeat(5_000_000) as ItemDescription }
  const pages = await database.write(async (db) => {
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db)
    const room = (rows[0]?.page_count ?? 0) + 50
    await sql`pragma max_page_count = ${sql.raw(String(room))}`.execute(db)
    return E.right(room)
  })()
  t.ok(E.isRight(pages))
  const outcomes = await Promise.all([
    libraryItems.add({ item: sample(1), linksToImages: [] })(),
    libraryItems.add({ item: large, linksToImages: [] })(),
    libraryItems.add({ item: sample(3), linksToImages: [] })(),
  ])
  t.match(outcomes, [E.right(undefined), { _tag: 'Left', left: { _tag: 'Unavailable' } }, E.right(undefined)])
  t.strictSame(await done(libraryItems.find(sampleId(1))), O.some(sample(1)))
  t.strictSame(await done(libraryItems.find(sampleId(2))), O.none)
  t.strictSame(await done(libraryItems.find(sampleId(3))), O.some(sample(3)))
  await close()
})

t.test('concurrent writes wait together while another process holds the lock', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const { libraryItems, close } = await storeOf(file)
  const other = new Database(file)
  other.exec('begin immediate')
  let refused = 0
  const writes = Array.from({ length: 8 }, async (_, n) => {
    const outcome = await libraryItems.add({ item: sample(n), linksToImages: [] })()
    t.match(outcome, { _tag: 'Left', left: { _tag: 'Unavailable' } })
    refused += 1
  })
  await Promise.race(writes)
  await nextTurn()
  t.equal(refused, 8, 'all resolve at once')
  other.exec('rollback')
  other.close()
  await done(libraryItems.add({ item: sample(1), linksToImages: [] }))
  await close()
})
