import type { ItemId } from '@almoner/domain'
import { namesOf } from '../conditions.ts'
import type { State } from '../engine.ts'
import type { Runner } from '../runner.ts'
import { type KnownItems, VERSION } from './known-items.ts'
import type { Reading } from './reading.ts'
import type { Rows } from './rows.ts'
import type { OrderedTable } from './shelf-table.ts'

const VERSIONS = `${VERSION} as version`

/**
 * Pages of items that are remembered. Within the process, reading which items there are, which an index alone answers, and that nobody has
 * written since they were read, takes less than half of what their versions take; where somebody has, these take less than half of whole rows. Each statement
 * sees one state, and whatever does not fit together is read anew as whole rows. Over a network it is the trip that counts, and there is only one.
 */
export const knownPages = <Item, Row, Query, K extends string | number>(
  runner: Pick<Runner, 'state'>,
  table: Pick<OrderedTable<Item, Row, Query, K>, 'columns'>,
  known: KnownItems<Item, Row>,
  rows: Rows<Query, K>,
): Reading<Item, Query, K>['page'] => {
  const columns = namesOf(table.columns)
  const whole =
    (state: State | undefined): Reading<Item, Query, K>['page'] =>
    async (db, query, start, cut) =>
      (await rows<Row>(db, { columns, query, start }, cut)).map((row) => known.of(row, state))

  return async (db, query, start, cut) => {
    if (runner.state() === undefined) return whole(undefined)(db, query, start, cut)
    const there = await rows<{ readonly id: ItemId }>(db, { columns: 'id', query, start }, cut)
    // Asked behind them: if it is the state in which the items were known, it was so when these were read.
    const state = runner.state()
    const unchanged = state && known.present(there, state)
    if (unchanged !== undefined) return unchanged
    const found = await rows<{ readonly version: string }>(db, { columns: VERSIONS, query, start }, cut)
    return (
      known.all(
        found.map(({ version }) => version),
        state,
      ) ?? whole(state)(db, query, start, cut)
    )
  }
}
