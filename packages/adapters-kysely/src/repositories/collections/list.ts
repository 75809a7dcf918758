import type { ResultSet, Unavailable } from '@almoner/domain'
import { listingOf, type PageRequest } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { batchesOf, collection } from '../../database/batches.ts'
import { columnList } from '../../database/conditions.ts'
import type { Database, Db } from '../../database/database.ts'
import { makeSelectRows, type OrderedTable, type SelectRows, type Slice } from './ordered-table.ts'

/** The largest `lim` that is answered at once; a larger one is read like a whole collection. */
export const PAGE = 500

/**
 * Lists an ordered table: a page by one seek, a whole collection in batches from one unchanging state (C3, C9, C11, C12, H3).
 * @param select reads its rows; by one statement unless given
 */
export const makeList = <Item, Row, Query, C>(
  database: Database,
  table: OrderedTable<Item, Row, Query, C>,
  select: SelectRows<Query, C> = makeSelectRows(table),
) => {
  type Result = ResultSet<Item, C>
  const columns = columnList(table.columns)

  const read = async (db: Db, query: Query, slice: Slice<C>): Promise<ReadonlyArray<Item>> =>
    (await select<Row>(db, columns, query, slice)).map(table.fromRow)

  const page = async (db: Db, query: Query, slice: Slice<C>): Promise<Result> => {
    // One row more shows whether there is a next page.
    const items = await read(db, query, { ...slice, most: slice.most + 1 })
    const last = items.at(slice.most - 1)
    const next = items.length > slice.most && last !== undefined ? O.some(table.cursorOf(last)) : O.none
    return listingOf(items.slice(0, slice.most), next)
  }

  const batches = (query: Query, { after, most: limit, offset }: Slice<C>): Result['batches'] =>
    collection(database, (db) =>
      batchesOf<Item>(
        (last, most) =>
          last === undefined
            ? read(db, query, { after, most, offset })
            : read(db, query, { after: O.some(table.cursorOf(last)), most, offset: 0 }),
        limit,
      ),
    )

  /** Returns the cursor of a slice's last row, if another row follows. */
  const nextOf = async (db: Db, query: Query, { after, most, offset }: Slice<C>): Promise<Result['next']> => {
    const [last, beyond] = await read(db, query, { after, most: 2, offset: offset + most - 1 })
    return last === undefined || beyond === undefined ? O.none : O.some(table.cursorOf(last))
  }

  return (query: Query, { lim, offset, after }: PageRequest<C>): TE.TaskEither<Unavailable, Result> => {
    // Without `lim` an offset is ignored (B4).
    if (O.isNone(lim))
      return TE.right({ batches: batches(query, { after, most: Infinity, offset: 0 }), next: O.none })
    const slice = { after, most: lim.value, offset }
    if (lim.value <= PAGE) return database.read((db) => page(db, query, slice))
    return TE.map((next: Result['next']) => ({ batches: batches(query, slice), next }))(
      database.read((db) => nextOf(db, query, slice)),
    )
  }
}
