import type { ItemId } from '@almoner/domain'
import {
  type Author,
  type Cursor,
  type ItemCore,
  type ItemFilters,
  type ItemQuery,
  matchesNothing,
  type Visibility,
} from '@almoner/domain/content'
import type { ItemFields } from '@almoner/domain/history'
import { type ImageRef, linked, type MediaName, stored } from '@almoner/domain/media'
import type { WebUrl } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import {
  type Cell,
  type Condition,
  condition,
  type Db,
  type ItemDate,
  queryCache,
  type SearchIndex,
  type SearchSource,
  type SqlDialect,
  whereAll,
} from '../database/database.ts'
import {
  makeSelectRows,
  type Order,
  type OrderedTable,
  type SelectRows,
  type Slice,
  startConditions,
} from '../database/ordered-table.ts'
import type { Tables } from '../schema/schema.ts'

/** What the item store of one content type needs to know of its table. */
export interface ContentTable<Item, Row, Query, K extends string | number>
  extends OrderedTable<Item, Row, Query, Cursor<K>>,
    ItemFields<Item> {
  readonly table: keyof Tables & `${ItemFields<Item>['contentType']}_item`
  /** Makes the function that records the author of a new item, for the content type that has authors (L3). */
  readonly makeRecordAuthor?: () => (db: Db, item: Item, author: Author) => Promise<void>
  /** Whether an item's language must stay, in the content type that has translations (J7). */
  readonly hasCounterpart?: (db: Db, id: ItemId) => Promise<boolean>
  /** Makes the function that keeps the base of an item's pair through a write, in the content type that has translations (J8). */
  readonly makeKeepBase?: (dialect: SqlDialect) => (db: Db, before: Item, after: Item) => Promise<void>
  readonly toRow: (item: Item) => Row & Readonly<Record<string, Cell>>
}

/** The order of items: by a date and then by id, both descending (C3). */
export const newestFirst = <K extends string | number>(date: string): Order<Cursor<K>> => ({
  columns: [date, 'id'],
  direction: 'desc',
  cells: ({ key, id }) => [key, id],
})

/** Returns what a row holds that its table's checks guarantee. A row that breaks them is a bug. */
export const assertRow = <A>(checked: E.Either<unknown, A>, { id }: Pick<ItemCore, 'id'>): A => {
  if (E.isLeft(checked)) throw new Error(`the row of item ${id} is Live without what that needs`)
  return checked.right
}

/** The name of an image that is stored here; null for any other. */
export const nameColumn = (image: O.Option<ImageRef>): MediaName | null =>
  O.isSome(image) && image.value.kind === 'stored' ? image.value.name : null

/** The address of an image that lives elsewhere; null for any other. */
export const urlColumn = (image: O.Option<ImageRef>): WebUrl | null =>
  O.isSome(image) && image.value.kind === 'linked' ? image.value.url : null

/** The image that a pair of columns stands for. */
export const imageOf = (name: MediaName | null, url: WebUrl | null): O.Option<ImageRef> => {
  if (name !== null) return O.some(stored(name))
  return url === null ? O.none : O.some(linked(url))
}

/**
 * `isVisible` in SQL, without the embargo (A3). The values are literals: an engine uses a partial index only if the statement's text implies the
 * condition of the index.
 */
const visibilityConditions = (visibility: Visibility): ReadonlyArray<Condition> => {
  if (visibility.kind === 'everything') return []
  const live = condition("status = 'Live'")
  return visibility.restricted ? [live] : [live, condition('restricted = 0')]
}

/**
 * The condition of a schedule (C15). Few items have a moment, and partial indexes list these: reading in the order of a list would pass over nearly all
 * items. SQLite takes these indexes for a comparison alone.
 */
const scheduleCondition = (table: string, isScheduled: boolean): Condition => {
  const withMoment = ['publish_at', 'archive_at'].map((at) => `select id from ${table} where ${at} >= 0`)
  return condition(
    isScheduled ? `id in (${withMoment.join(' union all ')})` : 'publish_at is null and archive_at is null',
  )
}

/** The filters whose values are few, as literals (J1). Words, labels and dates are not among them. */
const filterConditions = (
  table: string,
  { status, isDonorRestricted, isScheduled }: ItemFilters<ItemDate>,
): ReadonlyArray<Condition> => [
  ...(O.isSome(isScheduled) ? [scheduleCondition(table, isScheduled.value)] : []),
  ...(O.isSome(status) ? [condition(`status = '${status.value}'`)] : []),
  ...(O.isSome(isDonorRestricted) ? [condition(`restricted = ${isDonorRestricted.value ? 1 : 0}`)] : []),
]

const lowerBound = (date: string, { from }: ItemFilters<ItemDate>): ReadonlyArray<Condition> =>
  O.isSome(from) ? [condition(`${date} >= ?`, from.value)] : []

/** Returns whether the items with a moment are read, of which the index of a language would read all others too. */
const isListedByMoment = (filters: ItemFilters<ItemDate> | undefined): boolean =>
  filters !== undefined && O.isSome(filters.isScheduled) && filters.isScheduled.value

/** The conditions that the queries of both content types have. `date` is the column that orders the items of the table. */
export const itemConditions = (
  { visibility, lang, filters }: ItemQuery,
  table: string,
  date: string,
): ReadonlyArray<Condition> => [
  ...visibilityConditions(visibility),
  ...(O.isSome(lang)
    ? [condition(`${isListedByMoment(filters) ? "lang || ''" : 'lang'} = ?`, lang.value)]
    : []),
  ...(filters === undefined ? [] : [...filterConditions(table, filters), ...lowerBound(date, filters)]),
]

/** Returns the lower of two upper bounds. */
export const lowest = <K extends ItemDate>(a: O.Option<K>, b: O.Option<K>): O.Option<K> => {
  if (O.isNone(a)) return b
  return O.isNone(b) || a.value < b.value ? a : b
}

/** Reads and counts the items of queries. */
interface SelectItems<Query, C> {
  readonly rows: SelectRows<Query, C>
  readonly count: (db: Db, query: Query) => Promise<number>
}

const needsSearch = ({ filters }: ItemQuery): boolean =>
  filters !== undefined && (filters.words.length > 0 || O.isSome(filters.labelId))

/**
 * Returns a table of the rows of a search and its values. Where the engine yields rows block by block, it has the first rows and the rest of the
 * last one's block: among them is the page, and no others have to be sorted. The rest has the limits of that block alone, because SQLite seeks
 * by one limit on each side and would read all dates asked for.
 * @param most the rows up to the end of the page
 */
const foundTable = (
  columns: string,
  { from, position }: SearchSource,
  clause: ReadonlyArray<Condition>,
  most: number,
): Condition => {
  const { text, values } = whereAll(clause)
  if (position === undefined) return condition(`(select ${columns} from ${from} ${text}) as found`, ...values)
  const { column, bits, bounds } = position
  const bounded = whereAll([...clause, ...bounds])
  const last = '(select min(position) from first)'
  const block = [condition(`${column} < ${last}`), condition(`${column} >= ${last} >> ${bits} << ${bits}`)]
  const first = `select ${columns}, ${column} as position from ${from} ${bounded.text} order by ${column} desc limit ?`
  const rest = `select ${columns}, ${column} from ${from} ${whereAll([...clause, ...block]).text}`
  const both = `with first as materialized (${first}) select * from first union all ${rest}`
  return condition(`(${both}) as found`, ...bounded.values, most, ...values)
}

/**
 * Returns the statement of a page behind an offset, for an engine that yields rows block by block. The rows before the block in which the page
 * begins are only counted, by their positions: reading and sorting them would take most of the time.
 */
const pageBehind = (
  columns: string,
  from: string,
  { column, bits, bounds }: Required<SearchSource>['position'],
  clause: ReadonlyArray<Condition>,
  { most, offset, sorted }: Pick<Slice<never>, 'most' | 'offset'> & { readonly sorted: string },
): Condition => {
  const bounded = whereAll([...clause, ...bounds])
  const start = '(select block from start)'
  const { text, values } = whereAll([
    ...clause,
    condition(`${column} < (${start} + 1) << ${bits}`),
    condition(`${column} >= (select min(position) from places) >> ${bits} << ${bits}`),
  ])
  return condition(
    `with places as materialized (
        select ${column} as position from ${from} ${bounded.text} order by ${column} desc limit ?
      ), start as materialized (
        select position >> ${bits} as block from places order by position desc limit 1 offset ?
      )
      select ${columns} from (select ${columns} from ${from} ${text}) as found order by ${sorted}
      limit ? offset ? - (select count(*) from places where position >> ${bits} > ${start})`,
    ...[...bounded.values, offset + most, offset, ...values, most, offset],
  )
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
    const { columns: by, direction } = order(query)
    const sorted = by.map((column) => `${column} ${direction}`).join(', ')
    const { from, position } = source
    if (position !== undefined && slice.offset > 0) {
      const { text, values } = pageBehind(columns, from, position, clause, { ...slice, sorted })
      return run(db, text, values)
    }
    const { text, values } = foundTable(columns, source, clause, slice.offset + slice.most)
    const bounded: ReadonlyArray<Cell> = [...values, slice.most, slice.offset]
    return run(db, `select ${columns} from ${text} order by ${sorted} limit ? offset ?`, bounded)
  }

  return {
    rows: async (db, columns, query, slice) => {
      if (matchesNothing(query)) return []
      return needsSearch(query) ? foundRows(db, columns, query, slice) : plainRows(db, columns, query, slice)
    },
    count: async (db, query) => {
      if (matchesNothing(query)) return 0
      const source = await sourceOf(db, query, O.none)
      const bounds = source.position?.bounds ?? []
      const { text, values } = whereAll([...clauseOf(source, query, O.none), ...bounds])
      const counted = `select count(*) as items from ${source.from} ${text}`
      const [row] = await run<{ readonly items: number | string }>(db, counted, values)
      // PostgreSQL's driver returns counts as text.
      return Number(row?.items)
    },
  }
}
