import { STATUSES } from '@almoner/domain/content'
import { CONTENT_TYPES } from '@almoner/domain/history'
import type { ImageFile } from '@almoner/domain/ports'
import { isStorable, LANGUAGES } from '@almoner/domain/values'
import type { Tables } from '../schema/schema.ts'

/** A column's value. */
export type Value = string | number | null

/** A row by its columns. */
export type Row = Readonly<Record<string, Value>>

/** Returns the error of a non-null value as the end of a sentence; undefined if it is valid. */
export type Check = (value: unknown) => string | undefined

/** Accepts text that every engine can store. */
export const text: Check = (value) => {
  if (typeof value !== 'string') return 'must be text'
  return isStorable(value) ? undefined : 'must not contain U+0000 or lone surrogates'
}

const nonEmpty: Check = (value) => text(value) ?? (value === '' ? 'must not be empty' : undefined)

/** Accepts text that a rule of the domain accepts. */
export const matching =
  (is: (text: string) => boolean, what: string): Check =>
  (value) =>
    typeof value === 'string' && is(value) ? undefined : `must be ${what}`

/** Accepts integers that JSON and every engine store exactly. */
export const integer =
  (least: number): Check =>
  (value) =>
    Number.isSafeInteger(value) && Number(value) >= least
      ? undefined
      : `must be a whole number from ${least} on`

/** Accepts one of a few texts. */
export const oneOf =
  (...texts: ReadonlyArray<string>): Check =>
  (value) =>
    typeof value === 'string' && texts.includes(value) ? undefined : `must be one of ${texts.join(', ')}`

const flag: Check = (value) => (value === 0 || value === 1 ? undefined : 'must be 0 or 1')
const FLAGS = [
  ...['restricted', 'subscribed', 'disabled', 'started', 'sending', 'closed', 'is_latest'],
  ...['for_people', 'public', 'was_live'],
]

/** Epoch milliseconds, which may be negative. */
const instant = integer(Number.MIN_SAFE_INTEGER)
const INSTANT = /(?:_at|_until|_since)$|^(?:at|until|counted_from)$/

/** Checks of columns that mean the same in every table. */
const COMMON: Readonly<Record<string, Check>> = {
  status: oneOf(...STATUSES),
  lang: oneOf(...LANGUAGES),
  content_type: oneOf(...CONTENT_TYPES),
  ...Object.fromEntries(FLAGS.map((name) => [name, flag])),
}

/** The check of a column that its table says nothing about. Text is not empty, and a number not negative unless it is an instant. */
export const defaultCheck = (column: string, isText: boolean): Check => {
  if (isText) return COMMON[column] ?? nonEmpty
  return COMMON[column] ?? (INSTANT.test(column) ? instant : integer(0))
}

export type TableName = keyof Tables & string

/** Columns that must stand together in a row of another table, unless the first is null. */
export interface Reference {
  readonly columns: ReadonlyArray<string>
  readonly table: TableName
  readonly to: ReadonlyArray<string>
  /** Columns of the referenced row that must have a certain value. */
  readonly having?: Row
  /** Whether the column is a JSON array, each of whose values refers to a row. */
  readonly isList?: true
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
