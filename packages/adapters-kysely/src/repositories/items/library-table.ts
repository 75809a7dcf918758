import type { LibraryItem } from '@almoner/domain'
import { type LibraryQuery, libraryCursor, libraryFields, publishableImages } from '@almoner/domain/content'
import type { LocalDate } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { LIBRARY_COLUMNS, type LibraryItemRow } from '../../schema/item.table.ts'
import {
  assertRow,
  type ContentTable,
  imageOf,
  itemCore,
  itemRow,
  nameColumn,
  newestFirst,
  urlColumn,
} from './content-table.ts'
import { itemConditions, lowest } from './select-items.ts'
import { hasCounterpart } from './translations.ts'

const fromRow = (row: LibraryItemRow): LibraryItem => {
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
  fromRow,
  hasCounterpart,
  conditions: (query) => itemConditions(query, 'publication_date'),
  isFiltered: ({ filters }) => filters !== undefined,
  upperBound: ({ visibility, filters }) =>
    lowest(visibility.kind === 'published' ? visibility.until : O.none, filters?.until ?? O.none),
}
