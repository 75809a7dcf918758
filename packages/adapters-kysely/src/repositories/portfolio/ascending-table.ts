import type { Condition } from '../../database/conditions.ts'
import type { Tables } from '../../schema/schema.ts'

/** Where a query's rows stand: the columns of its order, ascending, and a place as their values. */
export interface Order<P> {
  readonly columns: ReadonlyArray<string>
  readonly cells: (place: P) => ReadonlyArray<string | number>
}

/** What one table of the portfolio says for itself so that reading it in order can be written once (H3). */
export interface AscendingTable<A, Row, Query, P> {
  readonly table: keyof Tables & `portfolio_${string}`
  readonly columns: ReadonlyArray<keyof Row & string>
  readonly fromRow: (row: Row) => A
  readonly placeOf: (item: A) => P
  /** Total among the rows of a query, and served by an index behind the columns that the query holds fixed. */
  readonly order: (query: Query) => Order<P>
  readonly conditions: (query: Query) => ReadonlyArray<Condition>
}
