import type { ImageFile } from '@almoner/domain/ports'
import type { Tables } from '../schema/schema.ts'
import type { Check, Row, Value } from './checks.ts'

export type TableName = keyof Tables & string

/** Columns that must stand together in a row of another table, unless the first is null. */
export interface Reference {
  readonly columns: ReadonlyArray<string>
  readonly table: TableName
  readonly to: ReadonlyArray<string>
  /** Columns of the referenced row that must have a certain value. */
  readonly having?: Row
  /** Selects the rows that it applies to; all when absent. */
  readonly when?: (row: Row) => boolean
}

/** An image that a row shows, and its size if the row has it. */
export interface NamedImage {
  readonly file: ImageFile
  readonly bytes?: number
}

/** What export and import have to know of a table beyond the columns in the database's schema. */
export interface TransferTable {
  readonly name: TableName
  /** The primary key: rows are exported in its order. */
  readonly key: ReadonlyArray<string>
  /** Another column whose values are unique. */
  readonly unique?: string
  /** Checks of columns for which type and name are not enough. */
  readonly checks: Readonly<Record<string, Check>>
  readonly references: ReadonlyArray<Reference>
  /** The database's checks of whole rows: returns a sentence about a row that fails. */
  readonly rule?: (row: Row) => string | undefined
  /** Columns that are not exported, but computed from the others. */
  readonly derived: Readonly<Record<string, (row: Row) => Value>>
  /** A value of a column whose rows are not exported. */
  readonly omits?: { readonly column: string; readonly value: string }
  /** Changes a row when it is exported. */
  readonly onExport?: (row: Row) => Row
  /** Images that a row shows. */
  readonly images?: (row: Row) => ReadonlyArray<NamedImage>
  /** Columns with numbers that a table has counted up, by that table. */
  readonly numbers: Readonly<Partial<Record<TableName, ReadonlyArray<string>>>>
  /** Whether migrations fill it: its rows are no content. */
  readonly isSeedData: boolean
}

type Columns<T extends TableName> = keyof Tables[T] & string

type Facts<T extends TableName> = Partial<Omit<TransferTable, 'name'>> & {
  readonly key: ReadonlyArray<Columns<T>>
  readonly checks?: Readonly<Partial<Record<Columns<T>, Check>>>
  readonly derived?: Readonly<Partial<Record<Columns<T>, (row: Row) => Value>>>
}

/** Makes a table's facts. */
export const table = <T extends TableName>(name: T, facts: Facts<T>): TransferTable => ({
  ...{ references: [], numbers: {}, isSeedData: false },
  ...facts,
  name,
  checks: { ...facts.checks },
  derived: { ...facts.derived },
})

/** Makes a reference by one column to another table's key. */
export const refersTo = (column: string, table: TableName, to = 'id'): Reference => ({
  columns: [column],
  table,
  to: [to],
})
