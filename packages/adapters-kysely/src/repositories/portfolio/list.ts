import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Listing, listingOf, type PortfolioList } from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { collection } from '../../database/collection.ts'
import { makeStatements } from '../../database/compiled-query.ts'
import { condition, namesOf, placesFor, whereAll } from '../../database/conditions.ts'
import type { Db } from '../../database/database.ts'
import type { Runner } from '../../database/runner.ts'
import type { AscendingTable } from './ascending-table.ts'

/** The largest `lim` that is answered at once; a larger one is walked like a whole collection. */
const PAGE = 500

/** Rows read at once while a whole collection is walked, which bounds its memory (C12). */
const BATCH = 50

/** Returns this number of rows in order, after a cursor and the offset `skip`. */
interface PartOf<P> {
  readonly after: O.Option<P>
  readonly skip: number
  readonly most: number
}

/**
 * Lists a table of the portfolio: a page by one seek, a whole collection in batches from one snapshot (C11, C12).
 */
export const makePortfolioList = <A, Row, Query, P>(
  runner: Runner,
  described: AscendingTable<A, Row, Query, P>,
): PortfolioList<Query, A, P> => {
  const columns = namesOf(described.columns)
  const run = makeStatements()

  const read = async (db: Db, query: Query, { after, skip, most }: PartOf<P>): Promise<ReadonlyArray<A>> => {
    const order = described.order(query)
    const key = namesOf(order.columns)
    const place = O.isNone(after) ? [] : order.cells(after.value)
    const behind = O.isNone(after) ? [] : [condition(`(${key}) > (${placesFor(place)})`, ...place)]
    const { text, values } = whereAll([...described.conditions(query), ...behind])
    const selected = `select ${columns} from ${described.table} ${text} order by ${key} limit ?`
    const bounds = skip === 0 ? [most] : [most, skip]
    const rows = await run<Row>(db, skip === 0 ? selected : `${selected} offset ?`, [...values, ...bounds])
    return rows.map(described.fromRow)
  }

  async function* walk(db: Db, query: Query, part: PartOf<P>) {
    let { after, skip, most: left } = part
    while (left > 0) {
      const items = await read(db, query, { after, skip, most: Math.min(BATCH, left) })
      const last = items.at(-1)
      if (last === undefined) return
      yield items
      if (items.length < BATCH) return
      after = O.some(described.placeOf(last))
      skip = 0
      left -= items.length
      await nextTurn()
    }
  }

  const walked = (query: Query, part: PartOf<P>) => collection(runner, (db) => walk(db, query, part))

  const page = async (db: Db, query: Query, part: PartOf<P>): Promise<Listing<A, P>> => {
    // One row more shows whether there is a next page.
    const items = await read(db, query, { ...part, most: part.most + 1 })
    const last = items.at(part.most - 1)
    const next = items.length > part.most && last !== undefined ? O.some(described.placeOf(last)) : O.none
    return listingOf(items.slice(0, part.most), next)
  }

  /** The place of a part's last row, if another row follows. */
  const placeBefore = async (
    db: Db,
    query: Query,
    { after, skip, most }: PartOf<P>,
  ): Promise<O.Option<P>> => {
    const [last, beyond] = await read(db, query, { after, skip: skip + most - 1, most: 2 })
    return last === undefined || beyond === undefined ? O.none : O.some(described.placeOf(last))
  }

  return (query, { lim, offset, after }) => {
    // Without `lim` an offset is ignored (B4).
    if (O.isNone(lim))
      return TE.right({ batches: walked(query, { after, skip: 0, most: Infinity }), next: O.none })
    const part = { after, skip: offset, most: lim.value }
    return lim.value <= PAGE
      ? runner.read((db) => page(db, query, part))
      : TE.map((next: O.Option<P>) => ({ batches: walked(query, part), next }))(
          runner.read((db) => placeBefore(db, query, part)),
        )
  }
}
