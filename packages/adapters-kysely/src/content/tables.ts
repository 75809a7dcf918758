import type { FeedItem, Instant, ItemId, LibraryItem } from '@almoner/domain'
import {
  type Author,
  type Cursor,
  FEED_FIELDS,
  type FeedContent,
  type FeedQuery,
  type Field,
  type FieldSet,
  feedCursor,
  fieldTexts,
  LIBRARY_FIELDS,
  type LibraryQuery,
  libraryCursor,
  type OwnValues,
  ownFields,
  publishableContent,
  publishableImages,
} from '@almoner/domain/content'
import type { FeedAuthors, OwnPostsQuery } from '@almoner/domain/ports'
import type { LocalDate } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { compiledQuery, condition, type Database, type Db, param } from '../database/database.ts'
import { makeList, type OrderedTable } from '../database/ordered-table.ts'
import { findInLists } from '../database/writes.ts'
import type { FeedAuthorRow } from '../schema/author.table.ts'
import type { AllColumns } from '../schema/columns.ts'
import { columnOf, type FeedItemRow, type LibraryItemRow, type OwnCells } from '../schema/item.table.ts'
import {
  assertRow,
  type ContentTable,
  imageOf,
  itemConditions,
  lowest,
  nameColumn,
  newestFirst,
  urlColumn,
} from './select-items.ts'
import { hasCounterpart, makeKeepBase } from './translations.ts'

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

/** A column that holds a value of an item itself. */
interface OwnColumn {
  readonly column: string
  readonly property: string
  readonly toCell: (value: unknown) => unknown
  readonly fromCell: (cell: unknown) => unknown
}

const same = (value: unknown): unknown => value

const conversionOf = ({ kind, isOptional }: Field): Pick<OwnColumn, 'toCell' | 'fromCell'> => {
  if (kind === 'flag') return { toCell: (value) => (value === true ? 1 : 0), fromCell: (cell) => cell === 1 }
  return isOptional
    ? { toCell: (value) => O.toNullable(value as O.Option<unknown>), fromCell: O.fromNullable }
    : { toCell: same, fromCell: same }
}

/** The columns of a content type that its definition names. */
interface OwnColumns<S> {
  readonly names: ReadonlyArray<string>
  readonly cellsOf: (item: OwnValues<S>) => OwnCells<S>
  readonly valuesOf: (row: OwnCells<S>) => OwnValues<S>
}

/** Derives columns from a definition of fields: for each value that lies in an item itself, one of its name in snake case. */
const ownColumns = <S extends FieldSet>(fields: S): OwnColumns<S> => {
  const columns = ownFields(fields).map(
    ([, field]): OwnColumn => ({
      property: field.property,
      column: columnOf(field.property),
      ...conversionOf(field),
    }),
  )
  // V8 copies an object that has all properties faster than it adds them one after the other.
  const empty = Object.fromEntries(columns.map(({ property }) => [property, undefined]))
  return {
    names: columns.map(({ column }) => column),
    cellsOf: (item) => {
      const [values, cells] = [item as Readonly<Record<string, unknown>>, {} as Record<string, unknown>]
      for (const { column, property, toCell } of columns) cells[column] = toCell(values[property])
      return cells as OwnCells<S>
    },
    valuesOf: (row) => {
      const cells = row as Readonly<Record<string, unknown>>
      const values: Record<string, unknown> = { ...empty }
      for (const { column, property, fromCell } of columns) values[property] = fromCell(cells[column])
      return values as OwnValues<S>
    },
  }
}

/** The cells that are no fields of the interface's forms. */
const fixedCells = (item: LibraryItem | FeedItem) => ({
  id: item.id,
  status: item.status,
  created_at: item.createdAt,
  updated_at: item.updatedAt,
  revision: item.revision,
})

/** Columns of all items that no edit sets by a parameter. */
const FIXED = ['id', 'status', 'created_at', 'updated_at', 'revision']

/**
 * Makes the table of library items, ordered by their publication date (C3).
 * @param fields the definition of their fields
 */
export const libraryTableOf = <S extends typeof LIBRARY_FIELDS>(
  fields: S,
): ContentTable<LibraryItem, LibraryItemRow, LibraryQuery, LocalDate> => {
  const own = ownColumns<typeof LIBRARY_FIELDS>(fields)
  const images = ['cover_name', 'cover_url', 'notification_name', 'notification_url']
  return {
    contentType: 'library',
    fieldsOf: fieldTexts(fields),
    table: 'library_item',
    columns: [...FIXED, ...own.names, ...images] as ReadonlyArray<string> as AllColumns<LibraryItemRow>,
    order: () => newestFirst('publication_date'),
    cursorOf: libraryCursor,
    toRow: (item) => ({
      ...fixedCells(item),
      ...own.cellsOf(item),
      cover_name: nameColumn(item.images.cover),
      cover_url: urlColumn(item.images.cover),
      notification_name: nameColumn(item.images.notification),
      notification_url: urlColumn(item.images.notification),
    }),
    // One literal: a page has a hundred items, and each further spread takes a fifth of the time. What Live items need is asserted.
    fromRow: (row) => {
      const held = {
        cover: imageOf(row.cover_name, row.cover_url),
        notification: imageOf(row.notification_name, row.notification_url),
      }
      return {
        ...own.valuesOf(row),
        id: row.id,
        createdAt: row.created_at,
        updatedAt: row.updated_at,
        revision: row.revision,
        status: row.status,
        images: row.status === 'Live' ? assertRow(publishableImages(held), row) : held,
      } as LibraryItem
    },
    hasCounterpart,
    makeKeepBase,
    conditions: (query) => itemConditions(query, 'library_item', 'publication_date'),
    isFiltered: ({ filters }) => filters !== undefined,
    upperBound: ({ visibility, filters }) =>
      lowest(visibility.kind === 'published' ? visibility.until : O.none, filters?.until ?? O.none),
  }
}

/** Library items. */
export const libraryTable = libraryTableOf(LIBRARY_FIELDS)

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

/**
 * Makes the table of feed items, ordered by their creation (C3). An embargo does not touch them: they have no publication date.
 * @param fields the definition of their fields
 */
export const feedTableOf = <S extends typeof FEED_FIELDS>(
  fields: S,
): ContentTable<FeedItem, FeedItemRow, FeedQuery, Instant> => {
  const own = ownColumns<typeof FEED_FIELDS>(fields)
  const content = ['item_type', 'link', 'vlink', 'image_name']
  return {
    contentType: 'feed',
    fieldsOf: fieldTexts(fields),
    table: 'feed_item',
    columns: [...FIXED, ...own.names, ...content] as ReadonlyArray<string> as AllColumns<FeedItemRow>,
    order: () => newestFirst('created_at'),
    cursorOf: feedCursor,
    toRow: (item) => ({
      ...fixedCells(item),
      ...own.cellsOf(item),
      item_type: item.content.kind,
      link: O.toNullable(item.content.link),
      vlink: O.toNullable(item.content.vlink),
      image_name: O.toNullable(item.content.image),
    }),
    fromRow: (row) => {
      const held = contentOf(row)
      return {
        ...own.valuesOf(row),
        id: row.id,
        createdAt: row.created_at,
        updatedAt: row.updated_at,
        revision: row.revision,
        status: row.status,
        content: row.status === 'Live' ? assertRow(publishableContent(held), row) : held,
      } as FeedItem
    },
    makeRecordAuthor,
    conditions: ({ kind, ...query }) => [
      ...itemConditions(query, 'feed_item', 'created_at'),
      ...(O.isSome(kind) ? [condition('item_type = ?', kind.value)] : []),
    ],
    isFiltered: ({ filters }) => filters !== undefined,
    upperBound: ({ filters }) => filters?.until ?? O.none,
  }
}

/** Feed items. */
export const feedTable = feedTableOf(FEED_FIELDS)

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
