import type { FeedItem, Instant } from '@almoner/domain'
import {
  type FeedContent,
  type FeedQuery,
  feedCursor,
  feedFields,
  publishableContent,
} from '@almoner/domain/content'
import * as O from 'fp-ts/lib/Option.js'
import { condition } from '../../database/query.ts'
import { FEED_COLUMNS, type FeedItemRow } from '../../schema/item.table.ts'
import { assertRow, type ContentTable, itemCore, itemRow, newestFirst } from './content-table.ts'
import { makeRecordAuthor } from './record-author.ts'
import { itemConditions } from './select-items.ts'

/** The link that a row's kind promises to have; a row that breaks the promise is a bug. */
const given = <A>(link: O.Option<A>, row: FeedItemRow): O.Some<A> => {
  if (O.isNone(link)) throw new Error(`the row of item ${row.id} is a ${row.item_type} without its link`)
  return link
}

const contentOf = (row: FeedItemRow): FeedContent => {
  const link = O.fromNullable(row.link)
  const vlink = O.fromNullable(row.vlink)
  const image = O.fromNullable(row.image_name)
  switch (row.item_type) {
    case 'photo':
      return { kind: row.item_type, link, vlink, image }
    case 'link':
      return { kind: row.item_type, link: given(link, row), vlink, image }
    case 'vlink':
      return { kind: row.item_type, link, vlink: given(vlink, row), image }
  }
}

const fromRow = (row: FeedItemRow): FeedItem => {
  const content = contentOf(row)
  return row.status === 'Live'
    ? { ...itemCore(row), status: row.status, content: assertRow(publishableContent(content), row) }
    : { ...itemCore(row), status: row.status, content }
}

/** Feed items, ordered by their creation (C3). An embargo does not touch them: they have no publication date. */
export const feedTable: ContentTable<FeedItem, FeedItemRow, FeedQuery, Instant> = {
  contentType: 'feed',
  fieldsOf: feedFields,
  table: 'feed_item',
  columns: FEED_COLUMNS,
  order: () => newestFirst('created_at'),
  cursorOf: feedCursor,
  toRow: (item) => ({
    ...itemRow(item),
    item_type: item.content.kind,
    link: O.toNullable(item.content.link),
    vlink: O.toNullable(item.content.vlink),
    image_name: O.toNullable(item.content.image),
  }),
  fromRow,
  makeRecordAuthor,
  conditions: ({ kind, ...query }) => [
    ...itemConditions(query, 'created_at'),
    ...(O.isSome(kind) ? [condition('item_type = ?', kind.value)] : []),
  ],
  isFiltered: ({ filters }) => filters !== undefined,
  upperBound: ({ filters }) => filters?.until ?? O.none,
}
