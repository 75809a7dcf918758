import type { ItemId, LibraryItem } from '@almoner/domain'
import {
  type ItemFilters,
  matchesNothing,
  type PublicationCursor,
  type PublicationOrder,
  type PublicationQuery,
  publicationCursor,
  publicationOf,
  STATE_RANKS,
  TITLE_KEY,
} from '@almoner/domain/content'
import type { Translations } from '@almoner/domain/ports'
import type { LocalDate } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import {
  type Condition,
  columnList,
  condition,
  type Database,
  type Db,
  placeholders,
  queryCache,
  type SearchSource,
  UNBOUNDED,
  whereAll,
} from '../database/database.ts'
import { type Order, startConditions } from '../database/ordered-table.ts'
import { findInLists } from '../database/writes.ts'
import type { LibraryItemRow } from '../schema/item.table.ts'
import { itemConditions } from './select-items.ts'
import { libraryTable } from './tables.ts'

/** Each publication once for each side: the side in `lead`, its counterpart in `other`, and the row of their link. */
const SIDES = `library_item as lead
  left join translation as of_en on of_en.en_id = lead.id
  left join translation as of_fr on of_fr.fr_id = lead.id
  left join library_item as other on other.id = coalesce(of_en.fr_id, of_fr.en_id)`

/** Selects the side at which a publication stands: the newer one. */
const IS_NEWER = condition(
  '(other.id is null or (lead.publication_date, lead.id) > (other.publication_date, other.id))',
)

const IS_LIVE = "lead.status = 'Live' and other.status = 'Live'"

/** The conditions under which a side lacks something, in the words of {@link SIDES} (J7, J8). The base lies on the newer words. */
const GAPS = {
  lead: {
    missing: "lead.status = 'Live' and coalesce(other.status, '') <> 'Live'",
    older: `${IS_LIVE} and coalesce(of_en.fr_base, of_fr.en_base) is not null`,
  },
  other: {
    missing: "other.status = 'Live' and lead.status <> 'Live'",
    older: `${IS_LIVE} and coalesce(of_en.en_base, of_fr.fr_base) is not null`,
  },
} as const

const RANK = `case lead.status ${Object.entries(STATE_RANKS)
  .map(([status, rank]) => `when '${status}' then '${rank}'`)
  .join(' ')} end`

const descending = (key: string): Order<PublicationCursor> => ({
  columns: [key, 'lead.id'],
  direction: 'desc',
  cells: (cursor) => [cursor.key, cursor.id],
})

/** The orders of publications, and the tables that they need besides {@link SIDES}. */
const ORDERS: Readonly<Record<PublicationOrder, Order<PublicationCursor> & { readonly tables: string }>> = {
  date: { ...descending('lead.publication_date'), tables: '' },
  state: { ...descending(`${RANK} || lead.publication_date`), tables: '' },
  title: {
    ...descending(`substr(texts.words, 1, ${TITLE_KEY})`),
    direction: 'asc',
    tables: ' join library_search as texts on texts.item_id = lead.id',
  },
}

const NO_SEARCH: SearchSource = { from: 'library_item', conditions: [] }

/** Returns the conditions that the items of a query meet, apart from their counterparts. */
const itemsOf = (
  { lang, filters }: PublicationQuery,
  { conditions, position }: SearchSource,
): ReadonlyArray<Condition> => {
  const until = filters?.until ?? O.none
  return [
    ...conditions,
    ...(position?.bounds ?? []),
    ...itemConditions(
      { visibility: { kind: 'everything' }, lang, filters },
      'library_item',
      'publication_date',
    ),
    ...(O.isSome(until) ? [condition('publication_date <= ?', until.value)] : []),
  ]
}

/** Lists publications, both languages as one (J7): by an index in the order of dates, else sorted. */
export const makePublications = (database: Database): Pick<Translations, 'publications'> => {
  const run = queryCache()
  const { search } = database.dialect

  const sourceOf = async (db: Db, filters: ItemFilters<LocalDate>): Promise<SearchSource> => {
    const { words, labelId, from, until } = filters
    if (words.length === 0 && O.isNone(labelId)) return NO_SEARCH
    return search.find(db, { contentType: 'library', words, labelId, from, until })
  }

  /** Returns the condition that a side matches, or undefined if every side does. */
  const sideCondition = (
    side: 'lead' | 'other',
    query: PublicationQuery,
    source: SearchSource,
  ): Condition | undefined => {
    const of = itemsOf(query, source)
    // A search is done once; other conditions are looked at for one item after the other, until a page is full.
    const isSearch = source !== NO_SEARCH
    const { text, values } = whereAll(isSearch ? of : [condition(`library_item.id = ${side}.id`), ...of])
    const found = isSearch
      ? `${side}.id in (select library_item.id from ${source.from} ${text})`
      : `exists (select 1 from library_item ${text})`
    const all = [
      ...(of.length === 0 ? [] : [condition(found, ...values)]),
      ...(O.isSome(query.gap) ? [condition(GAPS[side][query.gap.value])] : []),
    ]
    if (all.length === 0) return undefined
    return condition(all.map((one) => one.text).join(' and '), ...all.flatMap((one) => one.values))
  }

  /** Returns the conditions that one side of a publication matches a query. */
  const matchConditions = async (db: Db, query: PublicationQuery): Promise<ReadonlyArray<Condition>> => {
    const source = query.filters === undefined ? NO_SEARCH : await sourceOf(db, query.filters)
    const [lead, other] = (['lead', 'other'] as const).map((side) => sideCondition(side, query, source))
    if (lead === undefined || other === undefined) return [IS_NEWER]
    return [IS_NEWER, condition(`(${lead.text} or ${other.text})`, ...lead.values, ...other.values)]
  }

  const count = async (db: Db, conditions: ReadonlyArray<Condition>): Promise<number> => {
    const { text, values } = whereAll(conditions)
    const counted =
      conditions.length === 1
        ? 'select (select count(*) from library_item) - (select count(*) from translation) as publications'
        : `select count(*) as publications from ${SIDES} ${text}`
    const [row] = await run<{ readonly publications: number | string }>(db, counted, values)
    // PostgreSQL's driver returns counts as text.
    return Number(row?.publications)
  }

  const columns = columnList(libraryTable.columns)
  const readItems = async (db: Db, ids: ReadonlyArray<ItemId>): Promise<ReadonlyMap<ItemId, LibraryItem>> => {
    const rows = await findInLists(ids, (list) =>
      run<LibraryItemRow>(
        db,
        `select ${columns} from library_item where id in (${placeholders(list)})`,
        list,
      ),
    )
    return new Map(rows.map((row) => [row.id, libraryTable.fromRow(row)]))
  }

  return {
    publications: (query, { lim, offset, after, isCounted }) =>
      database.readSnapshot(async (db) => {
        if (matchesNothing({ visibility: { kind: 'everything' }, filters: query.filters }))
          return { publications: [], next: O.none, ...(isCounted && { total: 0 }) }
        const { tables, ...order } = ORDERS[query.order]
        const conditions = await matchConditions(db, query)
        const { text, values } = whereAll([...conditions, ...startConditions(order, O.none, after)])
        const by = order.columns.map((column) => `${column} ${order.direction}`).join(', ')
        // One row more shows whether there is a next page.
        const rows = await run<{ readonly id: ItemId; readonly other: ItemId | null }>(
          db,
          `select lead.id as id, other.id as other from ${SIDES}${tables} ${text} order by ${by} limit ? offset ?`,
          [...values, lim + 1, offset],
        )
        const page = rows.slice(0, lim)
        const items = await readItems(
          db,
          page.flatMap(({ id, other }) => (other === null ? [id] : [id, other])),
        )
        const publications = page.flatMap(({ id, other }) => {
          const item = items.get(id)
          return item === undefined
            ? []
            : [publicationOf(item, other === null ? undefined : items.get(other))]
        })
        const last = rows.length > lim ? publications.at(-1) : undefined
        return {
          publications,
          next: O.map((one: typeof last & object) => publicationCursor(query.order, one))(
            O.fromNullable(last),
          ),
          ...(isCounted && { total: await count(db, conditions) }),
        }
      }, UNBOUNDED),
  }
}
