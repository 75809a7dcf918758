import { namesOf } from '../conditions.ts'
import type { SqlDialect } from '../engine.ts'
import { type KnownItems, VERSION } from './known-items.ts'
import type { Reading } from './reading.ts'
import type { Rows } from './rows.ts'
import type { OrderedTable } from './shelf-table.ts'

const VERSIONS = `${VERSION} as version`

/**
 * Pages of items that are remembered. Within the process, reading the versions alone and the rows only when one of them is not
 * known takes less than half of what whole rows take; both statements see one state each, so the second reads the whole page
 * again. Over a network it is the trip that counts, and there is only one.
 */
export const knownPages = <Item, Row, Query, K extends string | number>(
  { isEmbedded }: SqlDialect,
  table: Pick<OrderedTable<Item, Row, Query, K>, 'columns'>,
  known: KnownItems<Item, Row>,
  rows: Rows<Query, K>,
): Reading<Item, Query, K>['page'] => {
  const columns = namesOf(table.columns)
  return async (db, query, start, cut) => {
    if (isEmbedded) {
      const found = await rows<{ readonly version: string }>(db, { columns: VERSIONS, query, start }, cut)
      const items = known.all(found.map(({ version }) => version))
      if (items !== undefined) return items
    }
    return (await rows<Row>(db, { columns, query, start }, cut)).map(known.of)
  }
}
