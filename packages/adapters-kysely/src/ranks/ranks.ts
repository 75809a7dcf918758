import type { AtEnd } from '../endings.ts'
import { makeRows, type Rows, steppedRows } from '../items/rows.ts'
import type { ShelfTable } from '../items/shelf-table.ts'
import type { Runner } from '../runner.ts'
import type { ItemRow } from '../tables.ts'
import { makeChangeLog } from './change-log.ts'
import { rankedRows } from './ranked-rows.ts'
import { makeViews } from './views.ts'

/** Places in a block: passing over half of them takes no longer than asking for it, which over a network is a trip. */
const BLOCK = { embedded: 32, remote: 256 }

/** How a shelf finds its rows by their rank. */
export interface Ranks<Row, Query, K extends string | number> {
  readonly rows: Rows<Query, K>
  /** What resolves once the rank can be found for the same cost as any other; undefined where it can. */
  ready(query: Query, offset: number): Promise<void> | undefined
  /** Has a change of an item's row written down, as the last thing in its transaction. A new one was undefined. */
  record(atEnd: AtEnd, was: Row | undefined, becomes: Row): void
}

/** The ranks of one shelf. `size` is how many places a block should have. */
export const makeRanks = <Item, Row extends ItemRow, Query, K extends string | number>(
  runner: Runner,
  shelf: ShelfTable<Item, Row, Query, K>,
  size: number = runner.dialect.isEmbedded ? BLOCK.embedded : BLOCK.remote,
): Ranks<Row, Query, K> => {
  const log = makeChangeLog<Row>(shelf.shelf, shelf.standing)
  const rows = makeRows(shelf)
  const views = makeViews(runner, shelf.conditions, { table: shelf, rows, log, size })
  return {
    rows: rankedRows({
      rows,
      stepped: steppedRows(rows, shelf.key),
      views,
      log,
      state: runner.state,
      near: size,
    }),
    ready: (query, offset) => (offset > size ? views.ready(query) : undefined),
    record: (atEnd, was, becomes) => log.record(atEnd, { id: becomes.id, was, becomes }),
  }
}
