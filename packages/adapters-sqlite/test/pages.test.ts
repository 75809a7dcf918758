import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '@almoner/adapters-kysely'
import type { ItemTitle } from '@almoner/domain/values'
import { collect } from '@almoner/domain/values'
import { done, sampleDay, sampleId, sampleLibraryItem } from '@almoner/testkit/contracts'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { type Opened, storeOf } from './store-of.ts'

const QUERY = { visibility: { kind: 'everything' as const }, lang: O.none }
const ITEMS = 5

const page = async ({ libraryItems }: Opened) =>
  (await collect(await done(libraryItems.list(QUERY, { lim: O.some(3), offset: 1, after: O.none })))).map(
    ({ id, title, publicationDate }) => ({ id, title, publicationDate }),
  )

const rewrite = ({ libraryItems }: Opened, n: number, title: ItemTitle, day: number) =>
  done(
    libraryItems.change<never>(sampleId(n), (item) =>
      E.right({
        item: { ...item, title, publicationDate: sampleDay(day), revision: item.revision + 1 },
        storesImages: [],
        displaysImages: [],
        linksToImages: [],
      }),
    ),
  )

t.test('C11: a page has every item as written last, by any process', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const stores = [await storeOf(file), await storeOf(file)] as const
  for (let n = 0; n < ITEMS; n += 1)
    await done(stores[0].libraryItems.add({ item: sampleLibraryItem(n), linksToImages: [] }))
  const one = fc.constantFrom(0 as const, 1 as const)
  const step = fc.record({ by: one, item: fc.nat(ITEMS - 1), day: fc.nat(3), asked: fc.nat(2), of: one })
  let titles = 0
  const written = new Map(
    Array.from({ length: ITEMS }, (_, n) => {
      const { id, title, publicationDate } = sampleLibraryItem(n)
      return [id, { id, title, publicationDate }] as const
    }),
  )
  const expected = () =>
    [...written.values()]
      .toSorted((a, b) => (`${a.publicationDate} ${a.id}` < `${b.publicationDate} ${b.id}` ? 1 : -1))
      .slice(1, 4)
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      for (const { by, item, day, asked, of } of steps) {
        titles += 1
        const title = `Title ${titles}` as ItemTitle
        await rewrite(stores[by], item, title, day)
        written.set(sampleId(item), { id: sampleId(item), title, publicationDate: sampleDay(day) })
        t.strictSame(await page(stores[by]), expected(), 'at once in the process that wrote it')
        await nextTurn()
        for (let times = asked; times > 0; times -= 1)
          t.strictSame(
            await page(stores[of]),
            expected(),
            'in other processes from the next event-loop iteration on',
          )
      }
    }),
    { numRuns: 30 },
  )
  for (const { close } of stores) await close()
})

t.test('a statement sees all commits of all processes before it', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const [store, other] = [await storeOf(file), await storeOf(file)]
  const { database } = store
  await done(store.libraryItems.add({ item: sampleLibraryItem(0), linksToImages: [] }))
  const revision = () =>
    done(
      database.read(
        async (db) => (await db.selectFrom('library_item').select('revision').execute())[0]?.revision,
      ),
    )
  const raise = async (db: Db) => {
    const raised = db.updateTable('library_item').set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
    return E.right(await raised.execute())
  }
  t.equal(await revision(), 1)
  await done(other.database.write(raise))
  t.equal(await revision(), 2, 'a commit of another process')
  await done(
    database.write(async (db) => {
      const raised = await raise(db)
      t.equal(await revision(), 2, 'before the commit')
      return raised
    }),
  )
  t.equal(await revision(), 3, 'its own commit')
  await store.close()
  await other.close()
  await t.rejects(revision(), { cause: { cause: { message: /closed/ } } })
})
