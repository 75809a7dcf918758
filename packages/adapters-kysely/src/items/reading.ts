import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Place } from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import { namesOf, whereAll } from '../conditions.ts'
import type { Db } from '../engine.ts'
import { makeStatements } from '../statement.ts'
import type { OrderedTable } from './shelf-table.ts'
import { type Start, startConditions } from './start.ts'

/**
 * Rows read at once while a whole collection is walked: what bounds its memory (C12) and the time that others wait. With
 * several hundred the walk is no faster, and V8 comes to allocate the rows among its long-lived objects: 50 MB more at peak.
 */
const BATCH = 50

/** Index entries passed over at once: a hop takes a millisecond or two, during which nothing else runs. */
const HOP = 20_000

/** Some columns of the rows from a start on, in order, at most so many and behind an offset. */
export type Rows<Query, K extends string | number> = <Row>(
  db: Db,
  part: { readonly columns: string; readonly query: Query; readonly start: Start<K> },
  bounds: { readonly most: number; readonly offset?: number },
) => Promise<ReadonlyArray<Row>>

/** Reads of one ordered table. Every statement is answered in order by one index, seeking to its start. */
export interface Reading<Item, Query, K extends string | number> {
  readonly rows: Rows<Query, K>
  /** At most `most` items from a start. */
  page(db: Db, query: Query, start: Start<K>, most: number): Promise<ReadonlyArray<Item>>
  /** The place of the item that has this rank from a start, by the index alone. */
  placeAt(db: Db, query: Query, start: Start<K>, rank: number): Promise<O.Option<Place<K>>>
  /** At most `most` items from a start, in batches. */
  walk(db: Db, query: Query, start: Start<K>, most: number): AsyncGenerator<ReadonlyArray<Item>>
}

export const makeReading = <Item, Row, Query, K extends string | number>(
  ordering: OrderedTable<Item, Row, Query, K>,
): Reading<Item, Query, K> => {
  const { table, key } = ordering
  const columns = namesOf(ordering.columns)
  const place = `${key} as key, id`
  const order = `order by ${key} desc, id desc`
  const run = makeStatements()

  const rows: Rows<Query, K> = (db, { columns, query, start }, { most, offset }) => {
    const { text, values } = whereAll([...ordering.conditions(query), ...startConditions(key, start)])
    const selected = `select ${columns} from ${table} ${text} ${order} limit ?`
    return offset === undefined
      ? run(db, selected, [...values, most])
      : run(db, `${selected} offset ?`, [...values, most, offset])
  }

  const page: Reading<Item, Query, K>['page'] = async (db, query, start, most) =>
    (await rows<Row>(db, { columns, query, start }, { most })).map(ordering.fromRow)

  const hop = async (db: Db, query: Query, start: Start<K>, offset: number): Promise<O.Option<Place<K>>> => {
    const [found] = await rows<Place<K>>(db, { columns: place, query, start }, { most: 1, offset })
    return O.fromNullable(found)
  }

  const placeAt: Reading<Item, Query, K>['placeAt'] = async (db, query, start, rank) => {
    let from = start
    let left = rank
    while (left > HOP) {
      const place = await hop(db, query, from, HOP - 1)
      if (O.isNone(place)) return O.none
      from = { kind: 'after', place: place.value }
      left -= HOP
      await nextTurn()
    }
    return hop(db, query, from, left)
  }

  async function* walk(db: Db, query: Query, start: Start<K>, most: number) {
    let from = start
    let left = most
    while (left > 0) {
      const items = await page(db, query, from, Math.min(BATCH, left))
      const last = items.at(-1)
      if (last === undefined) return
      yield items
      if (items.length < BATCH) return
      from = { kind: 'after', place: ordering.placeOf(last) }
      left -= items.length
      await nextTurn()
    }
  }

  return { rows, page, placeAt, walk }
}
