import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Place } from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import { namesOf } from '../../database/conditions.ts'
import type { Db } from '../../database/database.ts'
import type { Rows } from './rows.ts'
import type { OrderedTable } from './shelf-table.ts'
import type { Start } from './start.ts'

/**
 * Rows read at once while a whole collection is walked: what bounds its memory (C12) and the time that others wait. With
 * several hundred the walk is no faster, and V8 comes to allocate the rows among its long-lived objects: 50 MB more at peak.
 */
const BATCH = 50

/** A range of the items after a start: a limit and an offset. */
export interface Cut {
  readonly most: number
  readonly offset: number
}

/** Reads of one ordered table. */
export interface Reading<Item, Query, K extends string | number> {
  page(db: Db, query: Query, start: Start<K>, cut: Cut): Promise<ReadonlyArray<Item>>
  /** The place of the item that has this rank from a start, by the index alone. */
  placeAt(db: Db, query: Query, start: Start<K>, rank: number): Promise<O.Option<Place<K>>>
  /** At most `most` items from a start, in batches. */
  walk(db: Db, query: Query, start: Start<K>, most: number): AsyncGenerator<ReadonlyArray<Item>>
}

/** Reads that find their rows by `rows`. */
export const makeReading = <Item, Row, Query, K extends string | number>(
  ordering: OrderedTable<Item, Row, Query, K>,
  rows: Rows<Query, K>,
): Reading<Item, Query, K> => {
  const columns = namesOf(ordering.columns)

  const page: Reading<Item, Query, K>['page'] = async (db, query, start, cut) =>
    (await rows<Row>(db, { columns, query, start }, cut)).map(ordering.fromRow)

  const placeAt: Reading<Item, Query, K>['placeAt'] = async (db, query, start, rank) => {
    const place = { columns: `${ordering.key} as key, id`, query, start }
    const [found] = await rows<Place<K>>(db, place, { most: 1, offset: rank })
    return O.fromNullable(found && { key: found.key, id: found.id })
  }

  async function* walk(db: Db, query: Query, start: Start<K>, most: number) {
    let from = start
    let left = most
    while (left > 0) {
      const items = await page(db, query, from, { most: Math.min(BATCH, left), offset: 0 })
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
