import type { Unavailable } from '@almoner/domain'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Database } from '../database/database.ts'
import type { Row } from './checks.ts'
import { load } from './load.ts'
import { makeRowReader, type RowReader } from './read-row.ts'
import { countOf, existingRows, rowsOf, type TableRows } from './rows.ts'
import type { TransferTable } from './table.ts'
import { TRANSFER_TABLES } from './tables.ts'

/** One unchanging state of a database. */
export interface TransferSnapshot {
  /** Counts the rows of a table. */
  count(table: TransferTable): Promise<number>
  /** Reads its rows as they are exported, in the order of its key, in batches. */
  rows(table: TransferTable): AsyncIterable<ReadonlyArray<Row>>
}

/** Export from and import into a database whose schema is current. */
export interface TransferStore {
  /** Returns the tables that hold more than migrations put there. */
  existingRows(): TE.TaskEither<Unavailable, ReadonlyArray<TableRows>>
  /** Returns a reader of rows to be imported. */
  rowReader(): TE.TaskEither<Unavailable, RowReader>
  /** Reads from one unchanging state, while writes go on; throws `DatabaseUnavailable`. */
  snapshot<A>(work: (snapshot: TransferSnapshot) => AsyncIterable<A>): AsyncIterable<A>
  /** Imports rows into an empty database, all or none. */
  readonly load: ReturnType<typeof load>
}

/** Makes the transfer store of an engine's database. */
export const makeTransferStore = (database: Database): TransferStore => {
  return {
    existingRows: () => database.read((db) => existingRows(db, TRANSFER_TABLES)),
    rowReader: () => database.read((db) => makeRowReader(db, TRANSFER_TABLES)),
    snapshot: (work) =>
      database.streamSnapshot((db) =>
        work({ count: (table) => countOf(db, table), rows: (table) => rowsOf(db, table) }),
      ),
    load: load(database),
  }
}
