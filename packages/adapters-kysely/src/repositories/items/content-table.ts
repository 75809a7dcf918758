import type { ItemId } from '@almoner/domain'
import type { Author, Cursor, ItemCore, Status } from '@almoner/domain/content'
import type { ItemFields } from '@almoner/domain/history'
import { type ImageRef, linked, type MediaName, stored } from '@almoner/domain/media'
import type { WebUrl } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Db } from '../../database/database.ts'
import type { Cell } from '../../database/query.ts'
import { flag } from '../../schema/columns.ts'
import type { ItemRow } from '../../schema/item.table.ts'
import type { Tables } from '../../schema/schema.ts'
import type { Order, OrderedTable } from '../collections/ordered-table.ts'

/** What the item store of one content type needs to know of its table. */
export interface ContentTable<Item, Row, Query, K extends string | number>
  extends OrderedTable<Item, Row, Query, Cursor<K>>,
    ItemFields<Item> {
  readonly table: keyof Tables & `${ItemFields<Item>['contentType']}_item`
  /** Makes the function that records the author of a new item, for the content type that has authors (L3). */
  readonly makeRecordAuthor?: () => (db: Db, item: Item, author: Author) => Promise<void>
  /** Whether an item's language must stay, in the content type that has translations (J7). */
  readonly hasCounterpart?: (db: Db, id: ItemId) => Promise<boolean>
  readonly toRow: (item: Item) => Row & Readonly<Record<string, Cell>>
}

/** The order of items: by a date and then by id, both descending (C3). */
export const newestFirst = <K extends string | number>(date: string): Order<Cursor<K>> => ({
  columns: [date, 'id'],
  direction: 'desc',
  cells: ({ key, id }) => [key, id],
})

/** Returns what a row holds that its table's checks guarantee. A row that breaks them is a bug. */
export const assertRow = <A>(checked: E.Either<unknown, A>, { id }: Pick<ItemCore, 'id'>): A => {
  if (E.isLeft(checked)) throw new Error(`the row of item ${id} is Live without what that needs`)
  return checked.right
}

/** Returns an item's part of the columns that both content types share. */
export const itemRow = (item: ItemCore & { readonly status: Status }): ItemRow => ({
  id: item.id,
  status: item.status,
  restricted: flag(item.isDonorRestricted),
  lang: item.lang,
  title: item.title,
  description: item.description,
  created_at: item.createdAt,
  updated_at: item.updatedAt,
  revision: item.revision,
})

/** Returns the part of an item that the shared columns hold. */
export const itemCore = (row: ItemRow): ItemCore => ({
  id: row.id,
  isDonorRestricted: row.restricted === 1,
  lang: row.lang,
  title: row.title,
  description: row.description,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  revision: row.revision,
})

/** The name of an image that is stored here; null for any other. */
export const nameColumn = (image: O.Option<ImageRef>): MediaName | null =>
  O.isSome(image) && image.value.kind === 'stored' ? image.value.name : null

/** The address of an image that lives elsewhere; null for any other. */
export const urlColumn = (image: O.Option<ImageRef>): WebUrl | null =>
  O.isSome(image) && image.value.kind === 'linked' ? image.value.url : null

/** The image that a pair of columns stands for. */
export const imageOf = (name: MediaName | null, url: WebUrl | null): O.Option<ImageRef> => {
  if (name !== null) return O.some(stored(name))
  return url === null ? O.none : O.some(linked(url))
}
