import type { ItemId } from '@almoner/domain'
import type { ItemFields } from '@almoner/domain/history'
import type { Author, Cursor, ItemCore } from '@almoner/domain/library'
import * as E from 'fp-ts/lib/Either.js'
import type { Cell } from '../../database/conditions.ts'
import type { Db } from '../../database/database.ts'
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
