import type { FeedItem, Instant, ItemId, LibraryItem } from '@almoner/domain'
import {
  type Author,
  type FeedContent,
  type FeedQuery,
  feedCursor,
  feedFields,
  type LibraryQuery,
  libraryCursor,
  libraryFields,
  publishableContent,
  publishableImages,
} from '@almoner/domain/content'
import type { LocalDate } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { compiledQuery, condition, type Db, param } from '../database/database.ts'
import type { FeedAuthorRow } from '../schema/author.table.ts'
import { FEED_COLUMNS, type FeedItemRow, LIBRARY_COLUMNS, type LibraryItemRow } from '../schema/item.table.ts'
import {
  assertRow,
  type ContentTable,
  imageOf,
  itemConditions,
  itemCore,
  itemRow,
  lowest,
  nameColumn,
  newestFirst,
  urlColumn,
} from './select-items.ts'
import { hasCounterpart } from './translations.ts'

/** Makes the function that records the author of a new post (L3). */
const makeRecordAuthor = () => {
  const insert = compiledQuery((db) =>
    db
      .insertInto('feed_author')
      .values({
        item_id: param<ItemId>(0),
        client_id: param<Author['clientId']>(1),
        email: param<FeedAuthorRow['email']>(2),
        posted_at: param<Instant>(3),
      })
      .compile(),
  )
  return async (db: Db, { id, createdAt }: FeedItem, { clientId, email }: Author): Promise<void> => {
    await insert(db, [id, clientId, O.toNullable(email), createdAt])
  }
}

const libraryItemOf = (row: LibraryItemRow): LibraryItem => {
  const content = { ...itemCore(row), link: row.link, publicationDate: row.publication_date }
  const images = {
    cover: imageOf(row.cover_name, row.cover_url),
    notification: imageOf(row.notification_name, row.notification_url),
  }
  return row.status === 'Live'
    ? { ...content, status: row.status, images: assertRow(publishableImages(images), row) }
    : { ...content, status: row.status, images }
}

/** Library items, ordered by their publication date (C3). */
export const libraryTable: ContentTable<LibraryItem, LibraryItemRow, LibraryQuery, LocalDate> = {
  contentType: 'library',
  fieldsOf: libraryFields,
  table: 'library_item',
  columns: LIBRARY_COLUMNS,
  order: () => newestFirst('publication_date'),
  cursorOf: libraryCursor,
  toRow: (item) => ({
    ...itemRow(item),
    link: item.link,
    publication_date: item.publicationDate,
    cover_name: nameColumn(item.images.cover),
    cover_url: urlColumn(item.images.cover),
    notification_name: nameColumn(item.images.notification),
    notification_url: urlColumn(item.images.notification),
  }),
  fromRow: libraryItemOf,
  hasCounterpart,
  conditions: (query) => itemConditions(query, 'publication_date'),
  isFiltered: ({ filters }) => filters !== undefined,
  upperBound: ({ visibility, filters }) =>
    lowest(visibility.kind === 'published' ? visibility.until : O.none, filters?.until ?? O.none),
}

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

const feedItemOf = (row: FeedItemRow): FeedItem => {
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
  fromRow: feedItemOf,
  makeRecordAuthor,
  conditions: ({ kind, ...query }) => [
    ...itemConditions(query, 'created_at'),
    ...(O.isSome(kind) ? [condition('item_type = ?', kind.value)] : []),
  ],
  isFiltered: ({ filters }) => filters !== undefined,
  upperBound: ({ filters }) => filters?.until ?? O.none,
}
