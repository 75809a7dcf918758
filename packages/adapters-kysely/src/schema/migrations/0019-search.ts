import { CONTENT_TYPES, type ContentType } from '@almoner/domain/history'
import { indexAllItems } from '../../database/batches.ts'
import type { Migration } from './migration.ts'

/** The filters that have indexes in the order of the collection. */
const FILTERS: Readonly<Record<ContentType, ReadonlyArray<ReadonlyArray<string>>>> = {
  library: [[], ['lang']],
  feed: [[], ['lang'], ['item_type'], ['lang', 'item_type']],
}
const DATES: Readonly<Record<ContentType, string>> = { library: 'publication_date', feed: 'created_at' }

const statusIndexes = (contentType: ContentType): ReadonlyArray<string> =>
  ['Draft', 'Archived'].flatMap((status) =>
    FILTERS[contentType].map((columns) => {
      const name = [`${contentType}_item`, status.toLowerCase(), ...columns].join('_')
      const keys = [...columns, DATES[contentType], 'id'].join(', ')
      return `create index ${name} on ${contentType}_item (${keys}) where status = '${status}'`
    }),
  )

/** Adds the index of the words of items, and indexes for lists of one status (J1, J2). Live items have theirs already. */
export const search: Migration = {
  name: '0019-search',
  statements: ({ search }) => [
    ...CONTENT_TYPES.flatMap((contentType) => search.tables(contentType)),
    ...CONTENT_TYPES.flatMap(statusIndexes),
  ],
  fill: (db, { search }) => indexAllItems(db, search),
}
