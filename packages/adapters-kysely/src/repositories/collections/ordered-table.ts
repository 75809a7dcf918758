import type { ResultSet, Unavailable } from '@almoner/domain'
import { listingOf, type PageRequest } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { batchesOf, collection } from '../../database/batches.ts'
import type { Database, Db } from '../../database/database.ts'
import {
  type Cell,
  type Condition,
  columnList,
  condition,
  placeholders,
  queryCache,
  whereAll,
} from '../../database/query.ts'
import type { AllColumns } from '../../schema/columns.ts'

/** The order of a query's rows, and a cursor as the values of its columns. */
export interface Order<C> {
  readonly columns: readonly [string, ...Array<string>]
  readonly direction: 'asc' | 'desc'
  readonly cells: (cursor: C) => ReadonlyArray<string | number>
}

/** What reading a table in order needs to know of it (C3, H3). */
export interface OrderedTable<Item, Row, Query, C> {
  /** A table, or several joined. Their columns have distinct names. */
  readonly table: string
  readonly columns: AllColumns<Row>
  readonly fromRow: (row: Row) => Item
  readonly cursorOf: (item: Item) => C
  /** Total among the rows of a query, and served by an index after the columns that the query holds fixed. */
  readonly order: (query: Query) => Order<C>
  /** Selects the rows of a query, except for its {@link upperBound}. */
  readonly conditions: (query: Query) => ReadonlyArray<Condition>
  /** The greatest value of the first column of a descending order that a query sees (C9); none when absent. */
  readonly upperBound?: (query: Query) => O.Option<string | number>
}

/**
 * Returns where reading begins, as a condition that an index answers by one seek. An embargo and a cursor are both upper bounds: only the
 * lower of the two is used, because an engine seeks by one and would filter row by row with the other, at a cost that grows with the offset
 * (C9, C11).
 */
export const startConditions = <C>(
  { columns, direction, cells }: Order<C>,
  upperBound: O.Option<string | number>,
  after: O.Option<C>,
): ReadonlyArray<Condition> => {
  const values = O.isSome(after) ? cells(after.value) : []
  const [first] = values
  if (O.isSome(upperBound) && (first === undefined || upperBound.value < first))
    return [condition(`${columns[0]} <= ?`, upperBound.value)]
  if (first === undefined) return []
  const comparison = direction === 'asc' ? '>' : '<'
  return [condition(`(${columns.join(', ')}) ${comparison} (${placeholders(values)})`, ...values)]
}

/** A range of the rows of a query: after a cursor, with a limit and an offset. */
export interface Slice<C> {
  readonly after: O.Option<C>
  readonly most: number
  readonly offset: number
}

/** Reads columns of the rows of a query in their order. */
export type SelectRows<Query, C> = <Row>(
  db: Db,
  columns: string,
  query: Query,
  slice: Slice<C>,
) => Promise<ReadonlyArray<Row>>

/** Reads rows by one statement, which one index answers in order. */
export const makeSelectRows = <Query, C>({
  table,
  order,
  conditions,
  upperBound = () => O.none,
}: Pick<OrderedTable<never, never, Query, C>, 'table' | 'order' | 'conditions' | 'upperBound'>): SelectRows<
  Query,
  C
> => {
  const run = queryCache()
  return (db, columns, query, { after, most, offset }) => {
    const ordered = order(query)
    const start = startConditions(ordered, upperBound(query), after)
    const { text, values } = whereAll([...conditions(query), ...start])
    const by = ordered.columns.map((column) => `${column} ${ordered.direction}`).join(', ')
    const compiledQuery = `select ${columns} from ${table} ${text} order by ${by} limit ?`
    const bounded: ReadonlyArray<Cell> = [...values, most]
    return offset === 0
      ? run(db, compiledQuery, bounded)
      : run(db, `${compiledQuery} offset ?`, [...bounded, offset])
  }
}

/** The largest `lim` that is answered at once; a larger one is read like a whole collection. */
export const PAGE = 500

/**
 * Lists an ordered table: a page by one seek, a whole collection in batches from one unchanging state (C3, C9, C11, C12, H3).
 * @param select reads its rows; by one statement unless given
 */
export const makeList = <Item, Row, Query, C>(
  database: Database,
  table: OrderedTable<Item, Row, Query, C>,
  select: SelectRows<Query, C> = makeSelectRows(table),
) => {
  type Result = ResultSet<Item, C>
  const columns = columnList(table.columns)

  const read = async (db: Db, query: Query, slice: Slice<C>): Promise<ReadonlyArray<Item>> =>
    (await select<Row>(db, columns, query, slice)).map(table.fromRow)

  const page = async (db: Db, query: Query, slice: Slice<C>): Promise<Result> => {
    // One row more shows whether there is a next page.
    const items = await read(db, query, { ...slice, most: slice.most + 1 })
    const last = items.at(slice.most - 1)
    const next = items.length > slice.most && last !== undefined ? O.some(table.cursorOf(last)) : O.none
    return listingOf(items.slice(0, slice.most), next)
  }

  const batches = (query: Query, { after, most: limit, offset }: Slice<C>): Result['batches'] =>
    collection(database, (db) =>
      batchesOf<Item>(
        (last, most) =>
          last === undefined
            ? read(db, query, { after, most, offset })
            : read(db, query, { after: O.some(table.cursorOf(last)), most, offset: 0 }),
        limit,
      ),
    )

  /** Returns the cursor of a slice's last row, if another row follows. */
  const nextOf = async (db: Db, query: Query, { after, most, offset }: Slice<C>): Promise<Result['next']> => {
    const [last, beyond] = await read(db, query, { after, most: 2, offset: offset + most - 1 })
    return last === undefined || beyond === undefined ? O.none : O.some(table.cursorOf(last))
  }

  return (query: Query, { lim, offset, after }: PageRequest<C>): TE.TaskEither<Unavailable, Result> => {
    // Without `lim` an offset is ignored (B4).
    if (O.isNone(lim))
      return TE.right({ batches: batches(query, { after, most: Infinity, offset: 0 }), next: O.none })
    const slice = { after, most: lim.value, offset }
    if (lim.value <= PAGE) return database.read((db) => page(db, query, slice))
    return TE.map((next: Result['next']) => ({ batches: batches(query, slice), next }))(
      database.read((db) => nextOf(db, query, slice)),
    )
  }
}
