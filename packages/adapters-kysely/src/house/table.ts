import type { ImageFile } from '@almoner/domain'
import type { Tables } from '../tables.ts'
import type { Column, Row, Value } from './columns.ts'

export type TableName = keyof Tables & string

/** Columns that must stand together in a row of another table, unless the first holds nothing. */
export interface Reference {
  readonly columns: ReadonlyArray<string>
  readonly table: TableName
  readonly to: ReadonlyArray<string>
  /** Which rows it is about: all, when left out. */
  readonly when?: (row: Row) => boolean
}

/** An image that a row shows, and its size where the row tells it. */
export interface NamedImage {
  readonly file: ImageFile
  readonly bytes?: number
}

/** What moving house has to know of a table. */
export interface HouseTable {
  readonly name: TableName
  /** Columns that are moved, in the order in which they are written. */
  readonly columns: Readonly<Record<string, Column>>
  /** The primary key: rows are moved in its order. */
  readonly key: ReadonlyArray<string>
  /** Another column in which no two rows hold the same. */
  readonly unique?: string
  readonly references: ReadonlyArray<Reference>
  /** What else the database asks of a row, as a sentence about one that is not so. */
  readonly rule?: (row: Row) => string | undefined
  /** Columns that follow from the others. */
  readonly derived?: (row: Row) => Row
  /** What a row is like in its next house, where that differs. */
  readonly moved?: (row: Row) => Row
  /** Images that a row shows. */
  readonly images?: (row: Row) => ReadonlyArray<NamedImage>
  /** Columns that hold numbers which a table counts up, by that table. */
  readonly numbers: Readonly<Partial<Record<TableName, ReadonlyArray<string>>>>
  /** Whether a new database has rows of it already, which are no content. */
  readonly isGiven: boolean
}

type Optional = Pick<HouseTable, 'unique' | 'rule' | 'moved' | 'images'>

type Rest<T extends TableName, D extends string> = Optional & {
  /** A column of the table that is missing here does not pass the type check. */
  readonly columns: { readonly [C in Exclude<keyof Tables[T], D>]: Column }
  readonly key: ReadonlyArray<Exclude<keyof Tables[T], D> & string>
  readonly references?: ReadonlyArray<Reference>
  readonly derived?: (row: Row) => Readonly<Record<D, Value>>
  readonly numbers?: HouseTable['numbers']
  readonly isGiven?: true
}

/** A table of the house. `D` names the columns that are derived instead of moved. */
export const table = <T extends TableName, D extends string = never>(
  name: T,
  rest: Rest<T, D>,
): HouseTable => ({ references: [], numbers: {}, isGiven: false, ...rest, name })

/** A reference by one column to another table's key. */
export const refersTo = (column: string, table: TableName, to: string): Reference => ({
  columns: [column],
  table,
  to: [to],
})
