import type { Place, Shelf } from '@almoner/domain'
import type { Either } from 'fp-ts/lib/Either.js'
import type { Option } from 'fp-ts/lib/Option.js'
import type { Cell, Condition } from '../../database/conditions.ts'
import type { Tables } from '../../schema/schema.ts'

/** What a table says for itself so that listing it can be written once: its order and its rows. */
export interface OrderedTable<Item, Row, Query, K extends string | number> {
  readonly table: keyof Tables
  readonly columns: ReadonlyArray<keyof Row & string>
  /** The column of the order's key; ties are broken by `id` (C3). */
  readonly key: keyof Row & string
  readonly placeOf: (item: Item) => Place<K>
  readonly fromRow: (row: Row) => Item
  /** The condition of a query, without {@link until}. */
  readonly conditions: (query: Query) => ReadonlyArray<Condition>
  /** The greatest key that a query sees (C9). */
  readonly until: (query: Query) => Option<K>
}

/** What one shelf says for itself so that its store can be written once. */
export interface ShelfTable<Item, Row, Query, K extends string | number>
  extends OrderedTable<Item, Row, Query, K> {
  readonly shelf: Shelf
  readonly table: keyof Tables & `${Shelf}_item`
  readonly toRow: (item: Item) => Row & Readonly<Record<string, Cell>>
}

/** The value of a row that its table's checks promise; a row that breaks the promise is a bug. */
export const promised = <A>(checked: Either<unknown, A>, id: string): A => {
  if (checked._tag === 'Left') throw new Error(`the row of item ${id} is Live without what that needs`)
  return checked.right
}
