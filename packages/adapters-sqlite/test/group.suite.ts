import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db, Ending } from '@almoner/adapters-kysely'
import type { ItemDescription } from '@almoner/domain'
import { done, sampleId, sampleLibraryItem } from '@almoner/domain/contracts'
import Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import t from 'tap'
import { storeOf } from './store-of.ts'

const sample = (n: number) => sampleLibraryItem(n, { id: sampleId(n) })

t.test('writes that come together share a commit, and each is told when that is on the disk', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const { libraryItems, engine, close } = await storeOf(file)
  const before = engine.version()
  const seen: Array<boolean> = []
  const other = new Database(file, { readonly: true })
  const isThere = other.prepare<[string], number>('select count(*) from library_item where id = ?').pluck()
  const writes = Array.from({ length: 32 }, async (_, n) => {
    await done(libraryItems.add({ item: sample(n), mentions: [] }))
    seen.push(isThere.get(sampleId(n)) === 1)
  })
  await Promise.all(writes)
  t.equal(engine.version() - before, 1, 'one commit for all')
  t.strictSame(seen, Array(32).fill(true), 'committed before anybody is told')
  other.close()
  await close()
})

t.test('of writes that come together, one that fails undoes only what it wrote itself', async (t) => {
  const { libraryItems, engine, close } = await storeOf(join(t.testdir(), 'almoner.db'))
  await done(libraryItems.add({ item: sample(1), mentions: [] }))
  const version = engine.version()
  const rename = (db: Db) => db.updateTable('library_item').set({ revision: 9 }).execute()
  const [before, left, thrown, broken, after] = await Promise.allSettled([
    libraryItems.add({ item: sample(2), mentions: [] })(),
    engine.write(async (db) => {
      await rename(db)
      return E.left('no')
    }),
    engine.write(async (db) => {
      await rename(db)
      throw new Error('a bug')
    }),
    libraryItems.add({ item: sample(1), mentions: [] })(),
    libraryItems.add({ item: sample(3), mentions: [] })(),
  ])
  t.strictSame(before, { status: 'fulfilled', value: E.right(undefined) })
  t.strictSame(left, { status: 'fulfilled', value: E.left('no') })
  t.match(thrown, { status: 'rejected', reason: /a bug/ })
  t.match(broken, { status: 'rejected', reason: /UNIQUE/ })
  t.strictSame(after, { status: 'fulfilled', value: E.right(undefined) })
  for (const n of [1, 2, 3]) t.strictSame(await done(libraryItems.find(sampleId(n))), O.some(sample(n)))
  t.equal(engine.version() - version, 1, 'one commit for all')
  await close()
})

t.test(
  'of writes that come together, those that fail before they write anything cost the others nothing',
  async (t) => {
    const { libraryItems, engine, close } = await storeOf(join(t.testdir(), 'almoner.db'))
    let runs = 0
    const counted = engine.write(async () => {
      runs += 1
      return E.right(runs)
    })
    const [first, refused, repeated] = await Promise.all([
      counted,
      engine.write(async () => E.left('no')),
      done(libraryItems.add({ item: sample(1), mentions: [] })),
    ])
    t.strictSame([first, refused, repeated], [E.right(1), E.left('no'), undefined])
    t.equal(runs, 1, 'nothing is run twice')
    await close()
  },
)

t.test(
  'what writes leave to the end of their transaction is done once, but for those that fail',
  async (t) => {
    const { engine, close } = await storeOf(join(t.testdir(), 'almoner.db'))
    const rename = (db: Db) => db.updateTable('library_item').set({ revision: 9 }).execute()
    const ends: Array<ReadonlyArray<number>> = []
    const end: Ending<number> = async (_, numbers) => {
      if (numbers.includes(5)) throw new Error('not five')
      ends.push(numbers)
    }
    const leaving = (number: number, work: (db: Db) => Promise<E.Either<string, void>>) =>
      engine.write((db, atEnd) => {
        atEnd(end, number)
        return work(db)
      })
    const well = async () => E.right(undefined)
    await Promise.all([leaving(1, well), leaving(2, async () => E.left('no')), leaving(3, well)])
    t.strictSame(ends.splice(0), [[1, 3]])
    const broken = async (db: Db) => {
      await rename(db)
      return E.left('no')
    }
    await Promise.all([leaving(1, well), leaving(2, broken), leaving(3, well)])
    t.strictSame(ends.splice(0), [[1, 3]], 'once, though the group was run again')
    const [first, fifth, last] = await Promise.allSettled([1, 5, 6].map((number) => leaving(number, well)))
    t.match([first?.status, fifth, last?.status], ['fulfilled', { reason: /not five/ }, 'fulfilled'])
    t.strictSame(ends, [[1], [6]], 'where it fails each is tried by itself')
    await close()
  },
)

t.test(
  'B4: changes of places that are committed together have numbers without gaps, and each row of them a mark of its own',
  async (t) => {
    const { libraryItems, engine, close } = await storeOf(join(t.testdir(), 'almoner.db'))
    await engine.write(async (db) => E.right(await db.updateTable('shelf').set({ wanted: 100 }).execute()))
    await done(libraryItems.add({ item: sample(0), mentions: [] }))
    const adding = Array.from({ length: 40 }, (_, n) =>
      libraryItems.add({ item: sample(n + 1), mentions: [] })(),
    )
    await Promise.all([
      ...adding,
      libraryItems
        .add({ item: sample(0), mentions: [] })()
        .catch(() => {}),
    ])
    const { rows, shelf } = await engine.read(async (db) => ({
      rows: await db.selectFrom('library_change').select(['seq', 'mark', 'changes']).orderBy('seq').execute(),
      shelf: await db.selectFrom('shelf').selectAll().where('name', '=', 'library').executeTakeFirstOrThrow(),
    }))
    const steps = rows.map(({ changes }) => JSON.parse(changes) as ReadonlyArray<{ readonly id: string }>)
    t.strictSame(
      steps.flatMap((changes) => changes.map(({ id }) => id)),
      Array.from({ length: 41 }, (_, n) => sampleId(n)),
    )
    let last = 0
    for (const [n, { length }] of steps.entries()) {
      last += length
      t.equal(rows[n]?.seq, last, 'the number of its last change')
    }
    t.equal(Math.max(...steps.map(({ length }) => length)), 16, 'many share a row')
    t.equal(new Set(rows.map(({ mark }) => mark)).size, rows.length)
    t.match(shelf, { seq: 41, mark: rows.at(-1)?.mark })
    await close()
  },
)

t.test(
  'where the fault of one ends the whole transaction, the others are written all the same',
  async (t) => {
    const { libraryItems, engine, close } = await storeOf(join(t.testdir(), 'almoner.db'))
    const large = { ...sample(2), description: 'x'.repeat(5_000_000) as ItemDescription }
    const pages = await engine.write(async (db) => {
      const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db)
      const room = (rows[0]?.page_count ?? 0) + 50
      await sql`pragma max_page_count = ${sql.raw(String(room))}`.execute(db)
      return E.right(room)
    })
    t.ok(E.isRight(pages))
    const outcomes = await Promise.all([
      libraryItems.add({ item: sample(1), mentions: [] })(),
      libraryItems.add({ item: large, mentions: [] })(),
      libraryItems.add({ item: sample(3), mentions: [] })(),
    ])
    t.match(outcomes, [
      E.right(undefined),
      { _tag: 'Left', left: { _tag: 'Unavailable' } },
      E.right(undefined),
    ])
    t.strictSame(await done(libraryItems.find(sampleId(1))), O.some(sample(1)))
    t.strictSame(await done(libraryItems.find(sampleId(2))), O.none)
    t.strictSame(await done(libraryItems.find(sampleId(3))), O.some(sample(3)))
    await close()
  },
)

t.test('writes that come together while another process holds the lock wait for it together', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const { libraryItems, close } = await storeOf(file)
  const other = new Database(file)
  other.exec('begin immediate')
  let refused = 0
  const writes = Array.from({ length: 8 }, async (_, n) => {
    const outcome = await libraryItems.add({ item: sample(n), mentions: [] })()
    t.match(outcome, { _tag: 'Left', left: { _tag: 'Unavailable' } })
    refused += 1
  })
  await Promise.race(writes)
  await nextTurn()
  t.equal(refused, 8, 'all are told at once')
  other.exec('rollback')
  other.close()
  await done(libraryItems.add({ item: sample(1), mentions: [] }))
  await close()
})
