/** Yes or no as every engine can hold it. */
export type Flag = 0 | 1

declare const COMPLETE: unique symbol

/** The names of all columns that a row has. Only {@link allColumnsOf} makes one. */
export type AllColumns<Row> = ReadonlyArray<keyof Row & string> & { readonly [COMPLETE]: Row }

/** Lists the columns of a row type, in this order. A column that is missing, or is none, does not compile. */
export const allColumnsOf = <Row>(columns: Readonly<Record<keyof Row & string, true>>): AllColumns<Row> =>
  Object.keys(columns) as ReadonlyArray<string> as AllColumns<Row>
