import type { Cursor, ItemQuery } from '@almoner/domain'
import { matchesNothing } from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import { queryCache } from '../../database/compiled-query.ts'
import { type Cell, type Condition, condition, whereAll } from '../../database/conditions.ts'
import type { Db } from '../../database/database.ts'
import type { SearchIndex, SearchSource } from '../../database/search-index.ts'
import { makeSelectRows, type SelectRows, type Slice, startConditions } from '../collections/ordered-table.ts'
import type { ContentTable } from './content-table.ts'
import { lowest } from './visibility-sql.ts'

/** Reads and counts the items of queries. */
export interface SelectItems<Query, C> {
  readonly rows: SelectRows<Query, C>
  readonly count: (db: Db, query: Query) => Promise<number>
}

const needsSearch = ({ filters }: ItemQuery): boolean =>
  filters !== undefined && (filters.words.length > 0 || O.isSome(filters.labelId))

/**
 * Returns the condition that rows are no older than the block of the last row of a page. An engine that yields rows block by block then sorts
 * those of a page and not the whole result: it stops as soon as the page is full.
 */
const pageCondition = (
  { from, position }: SearchSource,
  { text, values }: Condition,
  { most, offset }: Pick<Slice<unknown>, 'most' | 'offset'>,
): ReadonlyArray<Condition> => {
  if (position === undefined) return []
  const { column, bits } = position
  const last = `select ${column} from ${from} ${text} order by ${column} desc limit 1 offset ?`
  return [
    condition(`${column} >= coalesce((${last}) >> ${bits} << ${bits}, 0)`, ...values, offset + most - 1),
  ]
}

/** Makes the reads of one content type: without words and labels by an index in the order of the items, else by the search index (J1, J2). */
export const makeSelectItems = <Item, Row, Query extends ItemQuery, K extends string | number>(
  search: SearchIndex,
  content: ContentTable<Item, Row, Query, K>,
): SelectItems<Query, Cursor<K>> => {
  const { contentType, table, order, conditions, upperBound = () => O.none } = content
  const plainRows = makeSelectRows(content)
  const run = queryCache()

  const sourceOf = async (db: Db, query: Query, after: O.Option<Cursor<K>>): Promise<SearchSource> => {
    const { filters } = query
    if (filters === undefined || !needsSearch(query)) return { from: table, conditions: [] }
    const { words, labelId, from } = filters
    const before = O.map(({ key }: Cursor<K>): string | number => key)(after)
    const until = lowest(upperBound(query), before)
    return search.find(db, { contentType, words, labelId, from, until })
  }

  const clauseOf = (
    source: SearchSource,
    query: Query,
    after: O.Option<Cursor<K>>,
  ): ReadonlyArray<Condition> => [
    ...source.conditions,
    ...conditions(query),
    ...startConditions(order(query), upperBound(query), after),
  ]

  const foundRows: SelectRows<Query, Cursor<K>> = async (db, columns, query, slice) => {
    const source = await sourceOf(db, query, slice.after)
    const clause = clauseOf(source, query, slice.after)
    const page = pageCondition(source, whereAll(clause), slice)
    const { text, values } = whereAll([...clause, ...page])
    const { columns: by, direction } = order(query)
    const sorted = by.map((column) => `${column} ${direction}`).join(', ')
    const bounded: ReadonlyArray<Cell> = [...values, slice.most, slice.offset]
    return run(
      db,
      `select ${columns} from ${source.from} ${text} order by ${sorted} limit ? offset ?`,
      bounded,
    )
  }

  return {
    rows: async (db, columns, query, slice) => {
      if (matchesNothing(query)) return []
      return needsSearch(query) ? foundRows(db, columns, query, slice) : plainRows(db, columns, query, slice)
    },
    count: async (db, query) => {
      if (matchesNothing(query)) return 0
      const source = await sourceOf(db, query, O.none)
      const { text, values } = whereAll(clauseOf(source, query, O.none))
      const counted = `select count(*) as items from ${source.from} ${text}`
      const [row] = await run<{ readonly items: number | string }>(db, counted, values)
      // PostgreSQL's driver returns counts as text.
      return Number(row?.items)
    },
  }
}
