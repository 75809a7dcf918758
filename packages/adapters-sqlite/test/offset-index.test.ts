import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { makeStore, withOffsetIndexes } from '@almoner/adapters-kysely'
import { collect } from '@almoner/domain/values'
import { done, failure, sampleDay, sampleId, sampleLibraryItem } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { idsOf } from './live-items.ts'
import { behind, counting, ITEMS, many, QUERY } from './many-items.ts'
import { storeOf } from './store-of.ts'
import { batchesFrom, importInto } from './transfer/transfer.ts'

/** A store with an offset index on a file of many items, whose snapshots are counted. */
const indexed = async (file: string) => {
  const { database, close, libraryItems: plain } = await storeOf(file)
  const { counted, snapshots, ended } = counting(database)
  const watching = { ...counted, othersWrites: database.othersWrites }
  const { libraryItems } = withOffsetIndexes(makeStore(counted), watching)
  /** Waits until nothing is counted any more. */
  const settled = async () => {
    for (let before = -1; before !== snapshots(); ) {
      before = snapshots()
      await ended()
      // What waits for the snapshot goes on, and may ask for another.
      for (let turns = 0; turns < 20; turns += 1) await nextTurn()
    }
  }
  return { database, close, snapshots, libraryItems, plain, first: behind({ libraryItems }), settled }
}

const newItem = (n: number) => ({
  item: sampleLibraryItem(ITEMS + n, { publicationDate: sampleDay(9) }),
  linksToImages: [],
})

t.test('B4: the offset index is built at the first large offset, and follows own writes', async (t) => {
  const { database, close, snapshots, libraryItems, first, settled } = await indexed(
    join(t.testdir(), 'almoner.db'),
  )
  await done(database.write(async (db) => E.right(await many.execute(db))))
  t.strictSame(await first(10), [sampleId(ITEMS - 11)])
  await settled()
  t.equal(snapshots(), 0, 'small offsets need no index')
  const ranks = [300, 40_000, 49_999]
  const expected = ranks.map((rank) => [sampleId(ITEMS - 1 - rank)])
  t.strictSame(
    await Promise.all(ranks.map((rank) => first(rank))),
    expected,
    'right while the index is built',
  )
  await settled()
  t.equal(snapshots(), 1)
  for (let n = 0; n < 300; n += 1) {
    await done(libraryItems.add(newItem(n)))
    t.strictSame(await first(40_001 + n), expected[1])
  }
  await done(
    libraryItems.change<never>(sampleId(ITEMS), (item) =>
      E.right({
        item: { ...item, publicationDate: sampleDay(-1000) },
        storesImages: [],
        displaysImages: [],
        linksToImages: [],
      }),
    ),
  )
  t.strictSame(await first(40_299), expected[1], 'a moved item')
  t.equal(snapshots(), 1, 'without building it again for a write')
  await close()
})

t.test('B4: writes during the build of the offset index are counted once', async (t) => {
  const { database, close, libraryItems, first, settled, snapshots } = await indexed(
    join(t.testdir(), 'almoner.db'),
  )
  await done(database.write(async (db) => E.right(await many.execute(db))))
  const writes = Array.from({ length: 40 }, (_, n) => done(libraryItems.add(newItem(n))))
  const pages = [first(40_000)]
  for (let n = 40; n < 60; n += 1) {
    await nextTurn()
    writes.push(done(libraryItems.add(newItem(n))))
    pages.push(first(40_000))
  }
  await Promise.all([...writes, ...pages])
  await settled()
  t.equal(snapshots(), 1)
  for (const rank of [400, 40_000, 50_059])
    t.strictSame(await first(rank), [sampleId(ITEMS - 1 - (rank - 60))], `offset ${rank}`)
  t.equal(snapshots(), 1)
  await close()
})

t.test('B4: after a write of another process the database skips the offset itself', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const { database, close, libraryItems, first, settled, snapshots } = await indexed(file)
  await done(database.write(async (db) => E.right(await many.execute(db))))
  await first(40_000)
  await settled()
  const other = await storeOf(file)
  await done(other.libraryItems.add(newItem(0)))
  t.strictSame(await first(40_001), [sampleId(ITEMS - 1 - 40_000)])
  await done(libraryItems.add(newItem(1)))
  t.strictSame(await first(40_002), [sampleId(ITEMS - 1 - 40_000)])
  await settled()
  t.ok(snapshots() <= 2, 'writes of others do not rebuild the index each time')
  await other.close()
  await close()
})

t.test('B4: an index built on an empty table counts items that are moved in', async (t) => {
  const folder = t.testdir()
  const [old, fresh] = [await storeOf(join(folder, 'old.db')), await indexed(join(folder, 'new.db'))]
  await done(old.database.write(async (db) => E.right(await many.execute(db))))
  t.strictSame(await fresh.first(30_000), [])
  await done(importInto(fresh.database, () => batchesFrom(old.database)))
  await done(fresh.libraryItems.add(newItem(0)))
  t.strictSame(await fresh.first(30_001), [sampleId(ITEMS - 1 - 30_000)])
  await old.close()
  await fresh.close()
})

t.test(
  'B4, C11: large offsets and the end of a collection are exact, with and without the index',
  async (t) => {
    const { libraryItems, plain, database, close, settled } = await indexed(join(t.testdir(), 'almoner.db'))
    await done(database.write(async (db) => E.right(await many.execute(db))))
    for (const items of [plain, libraryItems]) {
      const list = (lim: number, offset: number) =>
        done(items.list(QUERY, { lim: O.some(lim), offset, after: O.none }))
      const nextId = async (lim: number, offset: number) => {
        const { next } = await list(lim, offset)
        return O.isSome(next) ? next.value.id : 'none'
      }
      await list(1, 20_000)
      await settled()
      for (const rank of [19_999, 20_000, 20_001, 40_000, 45_678, ITEMS - 1]) {
        const page = await list(1, rank)
        t.strictSame(idsOf(await collect(page)), [sampleId(ITEMS - 1 - rank)], `the item at offset ${rank}`)
        t.strictSame(await nextId(rank, 0), sampleId(ITEMS - rank), `the items after the first ${rank}`)
      }
      t.strictSame(await nextId(20, 20_000), sampleId(ITEMS - 20_020))
      t.strictSame(await nextId(ITEMS, 0), 'none')
      t.strictSame(await nextId(ITEMS - 20_000, 20_000), 'none')
      t.strictSame(await nextId(ITEMS - 20_001, 20_000), sampleId(1))
      t.strictSame(await collect(await list(1, ITEMS)), [])
      t.equal((await collect(await list(ITEMS, 0))).length, ITEMS)
    }
    await close()
  },
)

t.test('a page at a large offset of a closed database is Unavailable, like every other page', async (t) => {
  const { database, close, libraryItems, first, settled } = await indexed(join(t.testdir(), 'almoner.db'))
  await done(database.write(async (db) => E.right(await many.execute(db))))
  await first(40_000)
  await settled()
  await close()
  const page = libraryItems.list(QUERY, { lim: O.some(1), offset: 40_000, after: O.none })
  t.equal(await failure(page), 'Unavailable')
})
