import type { FeedItem, Instant } from '@almoner/domain'
import { type Cursor, feedCursor } from '@almoner/domain/content'
import type { FeedAuthors, OwnPostsQuery } from '@almoner/domain/ports'
import * as O from 'fp-ts/lib/Option.js'
import { findInLists } from '../../database/chunks.ts'
import type { Database } from '../../database/database.ts'
import { condition } from '../../database/query.ts'
import type { FeedItemRow } from '../../schema/item.table.ts'
import { makeList, type OrderedTable } from '../collections/ordered-table.ts'
import { feedTable } from './feed-table.ts'

/** Posts by their authors: in the order of the feed, by the index of authors. */
export const ownPosts: OrderedTable<FeedItem, FeedItemRow, OwnPostsQuery, Cursor<Instant>> = {
  table: 'feed_author join feed_item on feed_item.id = feed_author.item_id',
  columns: feedTable.columns,
  fromRow: feedTable.fromRow,
  cursorOf: feedCursor,
  order: () => ({
    columns: ['posted_at', 'item_id'],
    direction: 'desc',
    cells: ({ key, id }) => [key, id],
  }),
  conditions: ({ email, lang }) => [
    condition('email = ?', email),
    ...(O.isSome(lang) ? [condition('lang = ?', lang.value)] : []),
  ],
  isFiltered: ({ lang }) => O.isSome(lang),
}

/** The authors of posts (L3). */
export const makeFeedAuthors = (database: Database): FeedAuthors => ({
  list: makeList(database, ownPosts),
  ofPosts: (ids) =>
    database.read(async (db) => {
      const rows = await findInLists([...new Set(ids)], (list) =>
        db.selectFrom('feed_author').selectAll().where('item_id', 'in', list).execute(),
      )
      return new Map(
        rows.map(({ item_id, client_id, email }) => [
          item_id,
          { clientId: client_id, email: O.fromNullable(email) },
        ]),
      )
    }),
})
