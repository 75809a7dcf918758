import {
  type CalendarDay,
  type LibraryItem,
  type LibraryQuery,
  libraryPlace,
  publishableImages,
} from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import type { LibraryItemRow } from '../../schema/schema.ts'
import { imageOf, nameColumn, urlColumn } from './image-columns.ts'
import { ITEM_COLUMNS, itemCore, itemRow } from './item-columns.ts'
import { promised, type ShelfTable } from './shelf-table.ts'
import { itemConditions } from './sight.ts'

const fromRow = (row: LibraryItemRow): LibraryItem => {
  const content = { ...itemCore(row), link: row.link, publicationDate: row.publication_date }
  const images = {
    cover: imageOf(row.cover_name, row.cover_url),
    notification: imageOf(row.notification_name, row.notification_url),
  }
  return row.status === 'Live'
    ? { ...content, status: row.status, images: promised(publishableImages(images), row.id) }
    : { ...content, status: row.status, images }
}

/** Library items, ordered by their publication date (C3). */
export const libraryTable = {
  shelf: 'library',
  table: 'library_item',
  columns: [
    ...ITEM_COLUMNS,
    'link',
    'publication_date',
    'cover_name',
    'cover_url',
    'notification_name',
    'notification_url',
  ],
  key: 'publication_date',
  placeOf: libraryPlace,
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
  conditions: itemConditions,
  until: ({ sight }) => (sight.kind === 'published' ? sight.until : O.none),
} satisfies ShelfTable<LibraryItem, LibraryItemRow, LibraryQuery, CalendarDay>
