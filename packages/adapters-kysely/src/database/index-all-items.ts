import type { ItemId } from '@almoner/domain'
import { searchTextOf } from '@almoner/domain/content'
import { CONTENT_TYPES, type ContentType } from '@almoner/domain/history'
import type { ItemDescription, ItemTitle } from '@almoner/domain/values'
import type { Db } from './database.ts'
import { queryCache } from './query.ts'
import type { ItemDate, SearchIndex } from './search-index.ts'

/** Items read at a time. */
const BATCH = 500

interface Row {
  readonly id: ItemId
  readonly date: ItemDate
  readonly title: ItemTitle
  readonly description: ItemDescription
}

const DATES: Readonly<Record<ContentType, string>> = { library: 'publication_date', feed: 'created_at' }

const indexType = async (db: Db, search: SearchIndex, contentType: ContentType): Promise<void> => {
  const run = queryCache()
  const text = `select id, ${DATES[contentType]} as date, title, description from ${contentType}_item
    where id > ? order by id limit ?`
  let last = ''
  for (;;) {
    const rows = await run<Row>(db, text, [last, BATCH])
    for (const { id, date, ...texts } of rows)
      await search.replace(db, contentType, { id, date, text: searchTextOf(texts) })
    if (rows.length < BATCH) return
    last = rows.at(-1)?.id ?? last
  }
}

/** Indexes all items in a transaction, for an index that is empty: after a migration or an import (J2). */
export const indexAllItems = async (db: Db, search: SearchIndex): Promise<void> => {
  for (const contentType of CONTENT_TYPES) await indexType(db, search, contentType)
}
