import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { makeStore } from '@almoner/adapters-kysely'
import { done, sampleDay, sampleId, sampleLibraryItem } from '@almoner/domain/contracts'
import * as E from 'fp-ts/lib/Either.js'
import { sql } from 'kysely'
import t from 'tap'
import { behind, counting, ITEMS, many } from './many-items.ts'
import { storeOf } from './store-of.ts'

t.test(
  'B4: changes are written down from when somebody asks for a rank, as far as he can use them',
  async (t) => {
    const { engine, close } = await storeOf(join(t.testdir(), 'almoner.db'))
    const { counted, snapshots } = counting(engine)
    const { libraryItems } = makeStore(counted)
    await engine.write(async (db) => E.right(await many.execute(db)))
    const first = behind({ libraryItems })
    let last = ITEMS
    const add = () => {
      const item = sampleLibraryItem(last, { publicationDate: sampleDay(9) })
      last += 1
      return done(libraryItems.add({ item, mentions: [] }))
    }
    const expected = [sampleId(9999)]
    const rank = () => last - 1 - 9999
    const kept = async () =>
      (await engine.read((db) => db.selectFrom('library_change').selectAll().execute())).length
    /** Behind whatever waits to be written. */
    const shelf = async () => {
      await engine.write(async () => E.right(undefined))
      return engine.read((db) =>
        db.selectFrom('shelf').selectAll().where('name', '=', 'library').executeTakeFirstOrThrow(),
      )
    }
    const wantUpTo = (wanted: number) =>
      engine.write(async (db) =>
        E.right(await db.updateTable('shelf').set({ wanted }).where('name', '=', 'library').execute()),
      )

    await add()
    await add()
    t.equal(await kept(), 0, 'nobody has asked')
    t.strictSame(await first(rank()), expected)
    t.match(await shelf(), { seq: 2, wanted: 10_002 })
    await add()
    t.strictSame(await first(rank()), expected)
    t.equal(await kept(), 2, 'the state that was counted, and what came then')
    t.equal(snapshots(), 1)

    // As if ten thousand others had come.
    await wantUpTo(3)
    await add()
    t.equal(await kept(), 2)
    t.strictSame(await first(rank()), expected, 'right though what came is not known')
    t.strictSame(await first(rank()), expected)
    t.equal(snapshots(), 2, 'by a new count')
    t.match(await shelf(), { seq: 4, wanted: 10_004 })

    // Another process asks behind changes that nobody had asked for.
    await wantUpTo(4)
    await add()
    t.strictSame(await behind(makeStore(engine))(rank()), expected)
    await add()
    for (const _ of ['while the count is lost', 'by a new one']) t.strictSame(await first(rank()), expected)
    t.equal(snapshots(), 3, 'what lies between is missed')
    await close()
  },
)

t.test('B4: who reads by rank goes on asking for changes', async (t) => {
  const { engine, close, libraryItems } = await storeOf(join(t.testdir(), 'almoner.db'))
  await engine.write(async (db) => E.right(await many.execute(db)))
  const page = () => behind({ libraryItems })(30_000)
  const wanted = () =>
    engine.read((db) =>
      db.selectFrom('shelf').select('wanted').where('name', '=', 'library').executeTakeFirstOrThrow(),
    )
  await page()
  // Changes of place, as many as half of what was asked for.
  const changes = JSON.stringify(
    Array(5001).fill({ id: sampleId(1), was: null, becomes: { status: 'none' } }),
  )
  await engine.write(async (db) => {
    await sql`update shelf set seq = 5001, mark = 7 where name = 'library'`.execute(db)
    return E.right(await sql`insert into library_change values (5001, 7, ${changes})`.execute(db))
  })
  await page()
  t.match(await wanted(), { wanted: 10_000 })
  await page()
  while ((await wanted()).wanted !== 15_001) await nextTurn()
  t.pass('asked again')
  await close()
})
