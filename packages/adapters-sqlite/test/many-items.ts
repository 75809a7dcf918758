import type { Database, Store } from '@almoner/adapters-kysely'
import type { Visibility } from '@almoner/domain/content'
import { collect } from '@almoner/domain/values'
import { done } from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import { idsOf } from './live-items.ts'

/** How many {@link many} makes. */
export const ITEMS = 50_000

/** Many items of one day: their identifiers alone order them. */
export const many = sql`
  insert into library_item
    (id, status, restricted, lang, title, description, created_at, updated_at, revision, link, publication_date)
  with recursive numbers (n) as (select 0 union all select n + 1 from numbers limit ${ITEMS})
  select
    printf('0190aaaa-0000-7000-8000-%012x', n), 'Draft', 0, 'en', 'Title', 'Text', 0, 0, 1,
    'https://example.org/', '2025-01-01'
  from numbers`

/** All of them. */
export const QUERY = { visibility: { kind: 'everything' as const }, lang: O.none }

/** Returns the identifier of the item after this number of others, as a list of one. */
export const behind =
  ({ libraryItems }: Pick<Store, 'libraryItems'>) =>
  async (offset: number, visibility: Visibility = QUERY.visibility) => {
    const window = { lim: O.some(1), offset, after: O.none }
    return idsOf(await collect(await done(libraryItems.list({ ...QUERY, visibility }, window))))
  }

/** Counts the snapshots that a database is asked for; `ended` resolves once none is read any more. */
export const counting = (database: Database) => {
  let snapshots = 0
  const reading = new Set<Promise<unknown>>()
  const counted: Database = {
    ...database,
    readSnapshot: (work, options) => async () => {
      snapshots += 1
      const read = database.readSnapshot(work, options)()
      reading.add(read)
      return read.finally(() => reading.delete(read))
    },
  }
  const ended = async () => {
    while (reading.size > 0) await Promise.allSettled(reading)
  }
  return { counted, snapshots: () => snapshots, ended }
}
