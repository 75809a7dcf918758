import { join } from 'node:path'
import { makeStore } from '@almoner/adapters-kysely'
import { type ItemFilters, type LibraryQuery, STATUSES } from '@almoner/domain/content'
import type { ItemTitle, LabelId, LocalDate } from '@almoner/domain/values'
import { collect } from '@almoner/domain/values'
import { done, sampleDay, sampleFeedItem, sampleId, sampleLibraryItem } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import t from 'tap'
import { idsOf } from './live-items.ts'
import { spiedDatabase } from './spied-database.ts'
import { storeOf } from './store-of.ts'
import { batchesFrom, importInto } from './transfer/transfer.ts'

const WATER = { labelId: 'water' as LabelId, en: 'Water' as never, fr: 'Eau' as never }

const query = (over: Partial<ItemFilters<LocalDate>>): LibraryQuery => ({
  visibility: { kind: 'everything' },
  lang: O.none,
  filters: {
    ...{ words: [], labelId: O.none, status: O.none },
    ...{ isDonorRestricted: O.none, isScheduled: O.none, from: O.none, until: O.none },
    ...over,
  },
})

type Store = Awaited<ReturnType<typeof storeOf>>

const found = async ({ libraryItems }: Store, over: Partial<ItemFilters<LocalDate>>) =>
  idsOf(await collect(await done(libraryItems.list(query(over), { lim: O.none, offset: 0, after: O.none }))))

const write = <Item>(item: Item) => E.right({ item, storesImages: [], displaysImages: [], linksToImages: [] })

/** Returns the faults that SQLite finds in both indexes, and the rows that the tables of an index do not have in common. */
const faultsOf = ({ database }: Store) =>
  done(
    database.write(async (db) => {
      const faults: Array<unknown> = []
      for (const type of ['library', 'feed']) {
        await sql.raw(`insert into ${type}_words (${type}_words) values ('integrity-check')`).execute(db)
        const stray = `select item_id from ${type}_search where item_id not in (select id from ${type}_item)
          union all select id from ${type}_item where id not in (select item_id from ${type}_search)
          union all select id from ${type}_words_docsize where id not in (select position from ${type}_search)
          union all select position from ${type}_search where position not in (select id from ${type}_words_docsize)`
        faults.push(...(await sql.raw(stray).execute(db)).rows)
      }
      return E.right(faults)
    }),
  )

t.test('J2: an import indexes what it brings: words, dates and labels', async (t) => {
  const folder = t.testdir()
  const [old, fresh] = [await storeOf(join(folder, 'old.db')), await storeOf(join(folder, 'new.db'))]
  await done(old.labels.replaceAll([WATER]))
  for (let n = 0; n < 3; n += 1) {
    const title = `Eau ${n}` as ItemTitle
    await done(old.libraryItems.add({ item: sampleLibraryItem(n, { title }), linksToImages: [] }))
    await done(old.feedItems.add({ item: sampleFeedItem(n, { title }), linksToImages: [] }))
  }
  await done(old.labels.attach('library', sampleId(1), WATER.labelId))
  await done(importInto(fresh.database, () => batchesFrom(old.database)))
  for (const store of [old, fresh]) {
    t.strictSame(await found(store, { words: ['eau'] }), [2, 1, 0].map(sampleId))
    t.strictSame(await found(store, { words: ['eau', '1'], labelId: O.some(WATER.labelId) }), [sampleId(1)])
    t.strictSame(await faultsOf(store), [])
    await store.close()
  }
})

t.test('J2: the index follows its item through changes of words, dates and labels', async (t) => {
  const store = await storeOf(join(t.testdir(), 'almoner.db'))
  await done(store.labels.replaceAll([WATER]))
  const item = sampleLibraryItem(1, { title: 'Eau' as ItemTitle })
  await done(store.libraryItems.add({ item, linksToImages: [] }))
  await done(store.labels.attach('library', item.id, WATER.labelId))
  const labelled = { labelId: O.some(WATER.labelId) }
  const changed = { ...item, title: 'Air' as ItemTitle, publicationDate: sampleDay(900) }
  await done(store.libraryItems.change<never>(item.id, () => write(changed)))
  t.strictSame(await found(store, { words: ['eau'] }), [])
  t.strictSame(await found(store, { words: ['air'], ...labelled, from: O.some(sampleDay(900)) }), [item.id])
  await done(store.labels.detach('library', item.id, WATER.labelId))
  t.strictSame(await found(store, labelled), [])
  t.strictSame(await found(store, { words: ['air'] }), [item.id])
  const refused = await store.libraryItems.change(item.id, () => E.left({ _tag: 'No' as const }))()
  t.ok(E.isLeft(refused))
  t.strictSame(await faultsOf(store), [])
  await store.close()
})

t.test(
  'J2: beyond the first rows, a search in a range of dates reads only the rest of the last block',
  async (t) => {
    const store = await storeOf(join(t.testdir(), 'almoner.db'))
    const spy = spiedDatabase(store.database)
    const { libraryItems } = makeStore(spy.database)
    const asked = query({ words: ['eau'], from: O.some(sampleDay(1)), until: O.some(sampleDay(900)) })
    await collect(await done(libraryItems.list(asked, { lim: O.some(20), offset: 0, after: O.none })))
    const [plan] = (await spy.plans()).filter(({ text }) => text.includes('with first'))
    const rest = plan?.text.split('union all')[1] ?? ''
    for (const side of ['rowid <', 'rowid >=']) t.equal(rest.split(`library_words.${side} `).length, 2, side)
    await store.close()
  },
)

t.test('J1: a list of one status is read in order from an index of that status', async (t) => {
  const store = await storeOf(join(t.testdir(), 'almoner.db'))
  const spy = spiedDatabase(store.database)
  const { libraryItems } = makeStore(spy.database)
  for (const status of STATUSES) {
    const page = { lim: O.some(20), offset: 0, after: O.some({ key: sampleDay(9), id: sampleId(9) }) }
    const dates = { from: O.some(sampleDay(1)), until: O.some(sampleDay(20)) }
    await collect(await done(libraryItems.list(query({ status: O.some(status), ...dates }), page)))
    const [plan] = await spy.plans()
    t.match(
      plan?.steps.join('; '),
      new RegExp(`USING INDEX library_item_${status.toLowerCase()} \\(`),
      status,
    )
    t.notMatch(plan?.steps.join('; '), /TEMP B-TREE/)
  }
  await store.close()
})
