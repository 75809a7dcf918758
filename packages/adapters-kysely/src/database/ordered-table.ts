import { isDeepStrictEqual } from 'node:util'
import type { ResultSet, Unavailable } from '@almoner/domain'
import { listingOf, type PageRequest, RepeatableBatches } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { AllColumns } from '../schema/columns.ts'
import {
  attempt,
  type Cell,
  type Condition,
  columnList,
  condition,
  type Database,
  DatabaseUnavailable,
  type Db,
  placeholders,
  queryCache,
  ReadingBrokeOff,
  type ReadOptions,
  UNBOUNDED,
  whereAll,
} from './database.ts'
import { batchesOf, collection } from './writes.ts'

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
  /** Whether no index answers the query alone: a statement may pass over rows that others have left, in any number (I6). */
  readonly isFiltered?: (query: Query) => boolean
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

/** Offsets up to this are passed over in less than a millisecond. */
const NEAR = 1000

/** What of a collection comes before its rows. */
interface Head<C> {
  readonly total: number
  readonly next: O.Option<C>
}

/** Counts the rows of a query. */
type CountRows<Query> = (db: Db, query: Query) => Promise<number>

/** How the rows of a table are read, where that differs. */
interface Reading<Query, C> {
  /** Reads rows; by one statement unless given. */
  readonly select?: SelectRows<Query, C>
  readonly count?: CountRows<Query>
}

/**
 * Lists an ordered table: a page by one seek, a whole collection in batches from one unchanging state (C3, C9, C11, C12, H3). Statements that
 * filter, count or pass over an offset are unbounded (I6).
 */
export const makeList = <Item, Row, Query, C>(
  database: Database,
  table: OrderedTable<Item, Row, Query, C>,
  { select = makeSelectRows(table), count }: Reading<Query, C> = {},
) => {
  type Result = ResultSet<Item, C>
  const columns = columnList(table.columns)

  const read = async (db: Db, query: Query, slice: Slice<C>): Promise<ReadonlyArray<Item>> =>
    (await select<Row>(db, columns, query, slice)).map(table.fromRow)

  const workOf = (query: Query, offset: number): ReadOptions =>
    offset > NEAR || table.isFiltered?.(query) === true ? UNBOUNDED : {}

  const page = async (db: Db, query: Query, slice: Slice<C>): Promise<Result> => {
    // One row more shows whether there is a next page.
    const items = await read(db, query, { ...slice, most: slice.most + 1 })
    const last = items.at(slice.most - 1)
    const next = items.length > slice.most && last !== undefined ? O.some(table.cursorOf(last)) : O.none
    return listingOf(items.slice(0, slice.most), next)
  }

  const batchesIn = (db: Db, query: Query, { after, most: limit, offset }: Slice<C>) =>
    batchesOf<Item>(
      (last, most) =>
        last === undefined
          ? read(db, query, { after, most, offset })
          : read(db, query, { after: O.some(table.cursorOf(last)), most, offset: 0 }),
      limit,
    )

  /** Returns the cursor of a slice's last row, if another row follows. */
  const nextOf = async (db: Db, query: Query, { after, most, offset }: Slice<C>): Promise<Result['next']> => {
    const [last, beyond] = await read(db, query, { after, most: 2, offset: offset + most - 1 })
    return last === undefined || beyond === undefined ? O.none : O.some(table.cursorOf(last))
  }

  const isPage = ({ most }: Slice<C>): boolean => most <= PAGE

  const uncounted = (query: Query, slice: Slice<C>): TE.TaskEither<Unavailable, Result> => {
    const work = workOf(query, slice.offset)
    if (isPage(slice)) return database.read((db) => page(db, query, slice), work)
    const batches = collection(database, (db) => batchesIn(db, query, slice), work)
    if (slice.most === Infinity) return TE.right({ batches, next: O.none })
    return TE.map((next: Result['next']) => ({ batches, next }))(
      database.read((db) => nextOf(db, query, slice), workOf(query, slice.offset + slice.most)),
    )
  }

  /** As {@link uncounted}, with the number of all rows in the same state. */
  const counted = (
    query: Query,
    slice: Slice<C>,
    count: CountRows<Query>,
  ): TE.TaskEither<Unavailable, Result> => {
    if (isPage(slice))
      return database.readSnapshot(async (db) => {
        const total = await count(db, query)
        return { ...(await page(db, query, slice)), total }
      }, UNBOUNDED)
    const all = collection(database, (db) => headed(db, query, slice, count), UNBOUNDED)
    const begin = async () => {
      const walk = all[Symbol.asyncIterator]()
      const head = (await walk.next()).value as Head<C>
      return { head, rest: walk as AsyncGenerator<ReadonlyArray<Item>> }
    }
    return attempt(async () => {
      const first = await begin().catch((cause) => {
        if (cause instanceof ReadingBrokeOff) return begin()
        throw cause
      })
      let unread: typeof first | undefined = first
      const batches = new RepeatableBatches(async function* () {
        const { head, rest } = unread ?? (await begin())
        unread = undefined
        try {
          // The caller has the first head already.
          if (!isDeepStrictEqual(head, first.head))
            throw new DatabaseUnavailable('the collection has changed since it was counted')
          yield* rest
        } finally {
          await rest.return(undefined)
        }
      })
      return E.right({ ...first.head, batches })
    })
  }

  async function* headed(db: Db, query: Query, slice: Slice<C>, count: CountRows<Query>) {
    const next = slice.most === Infinity ? O.none : await nextOf(db, query, slice)
    yield { total: await count(db, query), next } satisfies Head<C>
    yield* batchesIn(db, query, slice)
  }

  /** @param isCounted whether the result has the `total` of the query (J5) */
  return (
    query: Query,
    { lim, offset, after }: PageRequest<C>,
    isCounted = false,
  ): TE.TaskEither<Unavailable, Result> => {
    // Without `lim` an offset is ignored (B4).
    const slice = O.isNone(lim) ? { after, most: Infinity, offset: 0 } : { after, most: lim.value, offset }
    return isCounted && count !== undefined ? counted(query, slice, count) : uncounted(query, slice)
  }
}
