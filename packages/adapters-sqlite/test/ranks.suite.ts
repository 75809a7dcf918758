import { join } from 'node:path'
import { collect, done, sampleId } from '@almoner/domain/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import t from 'tap'
import { idsOf } from './live-items.ts'
import { storeOf } from './store-of.ts'

const ITEMS = 50_000

/** Many items of one day: their identifiers alone order them. */
const many = sql`
  insert into library_item
    (id, status, restricted, lang, title, description, created_at, updated_at, revision, link, publication_date)
  with recursive numbers (n) as (select 0 union all select n + 1 from numbers limit ${ITEMS})
  select
    printf('0190aaaa-0000-7000-8000-%012x', n), 'Draft', 0, 'en', 'Title', 'Text', 0, 0, 1,
    'https://example.org/', '2025-01-01'
  from numbers`

const QUERY = { sight: { kind: 'everything' as const }, lang: O.none }

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
