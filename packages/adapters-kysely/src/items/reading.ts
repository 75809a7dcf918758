import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Place } from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import type { Db } from '../engine.ts'
import type { OrderedTable } from './shelf-table.ts'
import { type Start, startConditions } from './start.ts'

/**
 * Rows read at once while a whole collection is walked: what bounds its memory (C12) and the time that others wait. With
 * several hundred the walk is no faster, and V8 comes to allocate the rows among its long-lived objects: 50 MB more at peak.
 */
const BATCH = 50

/** Index entries passed over at once: a hop takes a millisecond or two, during which nothing else runs. */
const HOP = 20_000

/** Reads of one ordered table. Every statement is answered in order by one index, seeking to its start. */
export interface Reading<Item, Query, K extends string | number> {
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
  const table = sql.table(ordering.table)
  const key = sql.ref(ordering.key)
  const columns = sql.join(ordering.columns.map((column) => sql.ref(column)))

  const ordered = (query: Query, start: Start<K>) => {
    const conditions = [...ordering.conditions(query), ...startConditions(ordering.key, start)]
    const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
    return sql`from ${table} ${where} order by ${key} desc, id desc`
  }

  const page: Reading<Item, Query, K>['page'] = async (db, query, start, most) => {
    const { rows } = await sql<Row>`select ${columns} ${ordered(query, start)} limit ${most}`.execute(db)
    return rows.map(ordering.fromRow)
  }

  const hop = async (db: Db, query: Query, start: Start<K>, rank: number): Promise<O.Option<Place<K>>> => {
    const places = sql<Place<K>>`select ${key} as key, id ${ordered(query, start)} limit 1 offset ${rank}`
    const { rows } = await places.execute(db)
    return O.fromNullable(rows[0])
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

  return { page, placeAt, walk }
}
