import { join } from 'node:path'
import { makeStore } from '@almoner/adapters-kysely'
import { collect, done, sampleDay, sampleId, sampleLibraryItem } from '@almoner/domain/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import t from 'tap'
import { idsOf } from './live-items.ts'
import { behind, counting, ITEMS, many, QUERY } from './many-items.ts'
import { storeOf } from './store-of.ts'
import { batchesFrom, importInto } from './transfer/transfer.ts'

t.test('B4: ranks are counted once for all who wait, and anew where changes are not known', async (t) => {
  const { engine, close } = await storeOf(join(t.testdir(), 'almoner.db'))
  const { counted, snapshots } = counting(engine)
  const { libraryItems } = makeStore(counted)
  await engine.write(async (db) => E.right(await many.execute(db)))
  const first = behind({ libraryItems })

  const add = (number: number) =>
    done(
      libraryItems.add({ item: sampleLibraryItem(number, { publicationDate: sampleDay(9) }), mentions: [] }),
    )
  // What was written past the log has no state of its own to go on from.
  await add(ITEMS)
  const ranks = [100, 300, 40_000, 49_999]
  const expected = ranks.map((rank) => [sampleId(ITEMS - rank)])
  t.strictSame(await Promise.all(ranks.map((rank) => first(rank))), expected)
  t.equal(snapshots(), 1)
  t.strictSame(await first(10, { kind: 'published', restricted: true, until: O.none }), [])
  t.equal(snapshots(), 1, 'what is near needs no count')
  await add(ITEMS + 1)
  for (const [n, rank] of ranks.entries()) t.strictSame(await first(rank + 1), expected[n])
  t.equal(snapshots(), 1, 'a change is taken in')

  await add(ITEMS + 2)
  await engine.write(async (db) => E.right(await sql`delete from library_change`.execute(db)))
  t.strictSame(await first(40_002), [sampleId(ITEMS - 40_000)], 'right while the count is lost')
  t.strictSame(await first(40_002), [sampleId(ITEMS - 40_000)])
  t.equal(snapshots(), 2)
  await close()
})

t.test('B4: many changes, alone and together, are taken in part by part, without a new count', async (t) => {
  const { engine, close } = await storeOf(join(t.testdir(), 'almoner.db'))
  const { counted, snapshots } = counting(engine)
  const { libraryItems } = makeStore(counted)
  await engine.write(async (db) => E.right(await many.execute(db)))
  const first = behind({ libraryItems })
  const add = (n: number) =>
    done(
      libraryItems.add({
        item: sampleLibraryItem(ITEMS + n, { publicationDate: sampleDay(9) }),
        mentions: [],
      }),
    )
  const addTogether = (from: number, many: number) =>
    Promise.all(Array.from({ length: many }, (_, n) => add(from + n)))
  await addTogether(0, 20)
  t.strictSame(await first(40_000), [sampleId(ITEMS - 1 - 39_980)])
  for (let n = 20; n < 250; n += 1) await add(n)
  await addTogether(250, 50)
  t.strictSame(await first(40_300), [sampleId(ITEMS - 1 - 40_000)])
  t.strictSame(await first(299), [sampleId(ITEMS)])
  t.equal(snapshots(), 1)
  await close()
})

t.test('B4: changes are kept until ten thousand others have come, and go by the hundred', async (t) => {
  const { engine, close, libraryItems } = await storeOf(join(t.testdir(), 'almoner.db'))
  const kept = async () => {
    const { rows } = await engine.read((db) =>
      sql<{ seq: number }>`select seq from library_change order by seq`.execute(db),
    )
    return rows.map(({ seq }) => seq)
  }
  const arriveAt = (seq: number) =>
    engine.write(async (db) =>
      E.right(await sql`update shelf set seq = ${seq} where name = 'library'`.execute(db)),
    )
  const add = (n: number) => done(libraryItems.add({ item: sampleLibraryItem(n), mentions: [] }))
  await engine.write(async (db) => E.right(await sql`update shelf set wanted = 20000`.execute(db)))
  for (const n of [1, 2, 3]) await add(n)
  await arriveAt(10_001)
  await add(4)
  t.strictSame(await kept(), [1, 2, 3, 10_002], 'none is due')
  await arriveAt(10_099)
  await add(5)
  t.strictSame(await kept(), [10_002, 10_100])
  await close()
})

t.test('B4: a snapshot that began before a change is told by its own state', async (t) => {
  const { engine, close, libraryItems } = await storeOf(join(t.testdir(), 'almoner.db'))
  await engine.write(async (db) => E.right(await many.execute(db)))
  const list = (lim: number, offset: number) =>
    done(libraryItems.list(QUERY, { lim: O.some(lim), offset, after: O.none }))
  const large = await list(600, 30_000)
  const batches = large.batches[Symbol.asyncIterator]()
  const begun = await batches.next()
  await done(
    libraryItems.add({ item: sampleLibraryItem(ITEMS, { publicationDate: sampleDay(9) }), mentions: [] }),
  )
  t.strictSame(idsOf(await collect(await list(1, 30_001))), [sampleId(ITEMS - 1 - 30_000)])
  t.strictSame(idsOf(begun.value ?? []).slice(0, 1), [sampleId(ITEMS - 1 - 30_000)])
  let last = begun.value?.at(-1)
  for (let more = await batches.next(); !more.done; more = await batches.next()) last = more.value.at(-1)
  t.equal(last?.id, sampleId(ITEMS - 1 - 30_599))
  await close()
})

t.test('B4: where there was nothing, ranks are those of what is moved in', async (t) => {
  const folder = t.testdir()
  const [old, fresh] = [await storeOf(join(folder, 'old.db')), await storeOf(join(folder, 'new.db'))]
  await old.engine.write(async (db) => E.right(await many.execute(db)))
  const first = behind(fresh)
  t.strictSame(await first(30_000), [])
  await done(importInto(fresh.engine, () => batchesFrom(old.engine)))
  for (const _ of ['while the count is lost', 'by a new one'])
    t.strictSame(await first(30_000), [sampleId(ITEMS - 1 - 30_000)])
  await old.close()
  await fresh.close()
})

t.test('B4, C11: ranks and ends far down a collection are found exactly', async (t) => {
  const { libraryItems, engine, close } = await storeOf(join(t.testdir(), 'almoner.db'))
  await engine.write(async (db) => E.right(await many.execute(db)))
  const list = (lim: number, offset: number) =>
    done(libraryItems.list(QUERY, { lim: O.some(lim), offset, after: O.none }))
  const nextId = async (lim: number, offset: number) => {
    const { next } = await list(lim, offset)
    return O.isSome(next) ? next.value.id : 'none'
  }

  for (const rank of [19_999, 20_000, 20_001, 40_000, 45_678, ITEMS - 1]) {
    const page = await list(1, rank)
    t.strictSame(idsOf(await collect(page)), [sampleId(ITEMS - 1 - rank)], `the item of rank ${rank}`)
    t.strictSame(await nextId(rank, 0), sampleId(ITEMS - rank), `what comes after the first ${rank}`)
  }
  t.strictSame(await nextId(ITEMS, 0), 'none')
  t.strictSame(await nextId(ITEMS - 20_000, 20_000), 'none')
  t.strictSame(await nextId(ITEMS - 20_001, 20_000), sampleId(1))
  t.strictSame(await collect(await list(1, ITEMS)), [])
  t.equal((await collect(await list(ITEMS, 0))).length, ITEMS)
  await close()
})
