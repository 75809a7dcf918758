import type { Place, Shelf } from '@almoner/domain'
import type { Either } from 'fp-ts/lib/Either.js'
import type { Option } from 'fp-ts/lib/Option.js'
import type { RawBuilder } from 'kysely'
import type { Tables } from '../tables.ts'

/** A value as a column holds it. */
export type Cell = string | number | null

/** Part of a `where` clause. */
export type Condition = RawBuilder<unknown>

/** What one shelf says for itself so that the rest can be written once: its table, its order, its rows. */
export interface ShelfTable<Item, Row, Query, K extends string | number> {
  readonly shelf: Shelf
  readonly table: keyof Tables & `${Shelf}_item`
  readonly columns: ReadonlyArray<keyof Row & string>
  /** The column of the order's key (C3). */
  readonly key: keyof Row & string
  readonly placeOf: (item: Item) => Place<K>
  readonly toRow: (item: Item) => Row & Readonly<Record<string, Cell>>
  readonly fromRow: (row: Row) => Item
  /** Which rows belong to a query, but for {@link until}. */
  readonly conditions: (query: Query) => ReadonlyArray<Condition>
  /** The greatest key that a query sees (C9). */
  readonly until: (query: Query) => Option<K>
}

/** The value of a row that its table's checks promise; a row that breaks the promise is a bug. */
export const promised = <A>(checked: Either<unknown, A>, id: string): A => {
  if (checked._tag === 'Left') throw new Error(`the row of item ${id} is Live without what that needs`)
  return checked.right
}
