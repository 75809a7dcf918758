import type { Unavailable } from '@almoner/domain'
import type { ActedBy } from '@almoner/domain/access'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { sql } from 'kysely'
import { epochStatements, fillChanges } from '../changes.ts'
import { holdImported } from '../content/proposals.ts'
import { forgetLostBases } from '../content/translations.ts'
import { type Database, DatabaseUnavailable, type Db, type SqlDialect } from '../database/database.ts'
import { indexAllItems, insertChunks } from '../database/writes.ts'
import { recordAct } from '../history.ts'
import { repeatTopics } from '../people/topics.ts'
import { markNeverLive } from '../schema/migrations/0014-drafts.ts'
import { composeIds } from '../schema/migrations/compose-ids.ts'
import { mergeDevices } from '../schema/migrations/merge-devices.ts'
import { mergeAddresses } from '../schema/migrations/merge-people.ts'
import { CONTENT_TABLES, HISTORY_TABLES } from './content-tables.ts'
import {
  countOf,
  existingRows,
  makeRowReader,
  type NumberedRow,
  type RowError,
  type RowReader,
  rowErrors,
  rowsOf,
  type TableRows,
} from './rows.ts'
import { SENDING_TABLES } from './sending-tables.ts'
import type { Row, TableName, TransferTable, Value } from './table.ts'

/**
 * The exported tables, each after the tables that its rows reference; images first. Access tokens, last uses of clients, idempotency keys, nodes
 * and the identity of the image storage are not exported.
 */
export const TRANSFER_TABLES: ReadonlyArray<TransferTable> = [
  ...CONTENT_TABLES,
  ...SENDING_TABLES,
  ...HISTORY_TABLES,
]

/** Compares keys as the engines order them: numbers by size, text by its bytes. */
export const compareKeys = (a: ReadonlyArray<Value>, b: ReadonlyArray<Value>): number => {
  for (const [i, one] of a.entries()) {
    const other = b[i]
    if (one === other) continue
    return typeof one === 'number' && typeof other === 'number'
      ? one - other
      : Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)))
  }
  return 0
}

/** Rows of one table to be imported. */
export interface ImportBatch {
  readonly table: TransferTable
  /** The archive's entry that they come from, for errors. */
  readonly entry: string
  readonly rows: ReadonlyArray<NumberedRow>
}

/** An error in a line of an entry. */
interface EntryError extends RowError {
  readonly entry: string
}

/** Why nothing was imported. */
export type LoadRefused =
  | { readonly _tag: 'NotEmpty'; readonly existing: ReadonlyArray<TableRows> }
  | { readonly _tag: 'RowsRefused'; readonly errors: ReadonlyArray<EntryError> }
  /** Everything could be imported. */
  | { readonly _tag: 'DryRunPassed' }

interface LoadOptions {
  /** Rolls everything back in the end. */
  readonly dryRun: boolean
  /** The greatest number of errors that are reported. */
  readonly maxErrors: number
  /** Under whose name the import is recorded (K1). */
  readonly by: ActedBy
  /** Called with the number of rows that are loaded. */
  readonly onProgress: (rows: number) => void
}

const withDerived = ({ derived }: TransferTable, row: Row): Row => ({
  ...row,
  ...Object.fromEntries(Object.entries(derived).map(([column, derive]) => [column, derive(row)])),
})

/** Inserts the rows with which nothing is wrong. `isOver` when the database refused some: then the transaction is aborted. */
const loadBatch = async (db: Db, { table, rows: given }: ImportBatch) => {
  const rows = given.map(({ line, row }) => ({ line, row: withDerived(table, row) }))
  const errors = await rowErrors(db, table, rows)
  const bad = new Set(errors.map(({ line }) => line))
  const good = rows.filter(({ line }) => !bad.has(line))
  try {
    for (const block of insertChunks(good)) {
      const values = block.map(({ row }) => row)
      // Nothing but the table's name is known to the type checker here.
      await db
        .insertInto(table.name)
        .values(values as never)
        .execute()
    }
    return { errors, isOver: false }
  } catch (cause) {
    if (cause instanceof DatabaseUnavailable) throw cause
    const message = `or a line behind it is refused by the database: ${String(cause)}`
    return { errors: [...errors, { line: good[0]?.line ?? 0, message }], isOver: true }
  }
}

const greatestIn = async (db: Db, table: TableName, column: string): Promise<number> => {
  const query = sql<{ most: number | null }>`select max(${sql.ref(column)}) as most from ${sql.table(table)}`
  return Number((await query.execute(db)).rows[0]?.most)
}

/** Makes tables count on after the greatest numbers that any row names: a device that was deleted may still be in the ledger. */
const raiseCounters = async (db: Db, dialect: SqlDialect): Promise<void> => {
  const all = TRANSFER_TABLES.flatMap(({ name, numbers }) =>
    Object.entries(numbers).flatMap(([counted, columns]) =>
      columns.map((column) => ({ name, counted, column })),
    ),
  )
  for (const counted of new Set(all.map(({ counted }) => counted))) {
    let most = 0
    for (const { name, column } of all.filter((one) => one.counted === counted))
      most = Math.max(most, await greatestIn(db, name, column))
    if (most > 0)
      for (const statement of dialect.countBehind(counted, most)) await sql.raw(statement).execute(db)
  }
}

const deleteSeedData = async (db: Db): Promise<void> => {
  for (const { name, isSeedData } of TRANSFER_TABLES)
    if (isSeedData) await sql`delete from ${sql.table(name)}`.execute(db)
}

type Batches = () => AsyncIterable<ImportBatch>

/** Loads batches until they end or there are enough errors. */
const loadAll = async (db: Db, batches: Batches, { maxErrors, onProgress }: LoadOptions) => {
  const errors: Array<EntryError> = []
  let count = 0
  for await (const batch of batches()) {
    const loaded = await loadBatch(db, batch)
    for (const error of loaded.errors) errors.push({ entry: batch.entry, ...error })
    if (loaded.isOver || errors.length >= maxErrors) return { errors: errors.slice(0, maxErrors), count }
    count += batch.rows.length
    onProgress(count)
  }
  return { errors, count }
}

/**
 * Imports rows into an empty database, in the order of {@link TRANSFER_TABLES}, in one transaction: readers see nothing or all of it, and an
 * interruption leaves nothing.
 * @param batches returns the rows from the start at each call, because the transaction may be retried
 */
const load =
  (database: Database) =>
  (batches: Batches, options: LoadOptions): TE.TaskEither<LoadRefused | Unavailable, number> =>
    database.write(
      async (db): Promise<E.Either<LoadRefused, number>> => {
        const existing = await existingRows(db, TRANSFER_TABLES)
        if (existing.length > 0) return E.left({ _tag: 'NotEmpty', existing })
        await deleteSeedData(db)
        const { errors, count } = await loadAll(db, batches, options)
        if (errors.length > 0) return E.left({ _tag: 'RowsRefused', errors })
        // An export of an unreleased state may hold several forms of an address or identifier, and several texts of one device.
        await mergeAddresses(db)
        await mergeDevices(db)
        await composeIds(db)
        await repeatTopics(db)
        await forgetLostBases(db)
        await raiseCounters(db, database.dialect)
        await indexAllItems(db, database.dialect.search)
        await holdImported(db)
        const statements = [
          // Images that only a deletion held, which is not exported (C18).
          `delete from media where released_at is null
            and not exists (select 1 from media_reference where media_reference.name = media.name)
            and not exists (select 1 from working_copy_image where working_copy_image.name = media.name)

            and not exists (select 1 from media_hold where media_hold.name = media.name)`,
          ...markNeverLive,
          ...fillChanges(database.dialect.positions),
          ...epochStatements(database.dialect, { shift: 'max(shift)' }),
        ]
        for (const statement of statements) await sql.raw(statement).execute(db)
        await recordAct(db, { ...options.by, action: 'import-archive' }, { kind: 'archive', id: '' })
        return options.dryRun ? E.left({ _tag: 'DryRunPassed' }) : E.right(count)
      },
      { timeout: 'none' },
    )

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
