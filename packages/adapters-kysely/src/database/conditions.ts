/** A value as a column holds it. */
export type Cell = string | number | null

/** Part of a `where` clause: its text, and the values for the `?` in it, in order. */
export interface Condition {
  readonly text: string
  readonly values: ReadonlyArray<Cell>
}

/** A condition with its values. */
export const condition = (text: string, ...values: ReadonlyArray<Cell>): Condition => ({ text, values })

/** All of the conditions as one clause; without any, of every row. */
export const whereAll = (conditions: ReadonlyArray<Condition>): Condition => ({
  text: conditions.length === 0 ? '' : `where ${conditions.map(({ text }) => text).join(' and ')}`,
  values: conditions.flatMap(({ values }) => values),
})

/** Names of columns, set apart by commas. */
export const columnList = (columns: ReadonlyArray<string>): string =>
  columns.map((column) => `"${column}"`).join(', ')

/** Returns this number of placeholders, separated by commas. */
export const placeholders = (values: ReadonlyArray<unknown>): string => values.map(() => '?').join(', ')
