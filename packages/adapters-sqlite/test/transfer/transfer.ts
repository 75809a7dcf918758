import {
  type Database,
  type ImportBatch,
  makeTransferStore,
  type Row,
  TRANSFER_TABLES,
  type TransferTable,
} from '@almoner/adapters-kysely'
import { type ActedBy, commandActor } from '@almoner/domain/access'
import { instant } from '@almoner/domain/values'
import { done } from '@almoner/testkit/contracts'
import { sql } from 'kysely'

/** Rows as they would be moved, table by table. */
export async function* batchesFrom(database: Database): AsyncGenerator<ImportBatch> {
  yield* makeTransferStore(database).snapshot(async function* (snapshot) {
    for (const table of TRANSFER_TABLES)
      for await (const rows of snapshot.rows(table))
        yield { table, entry: table.name, rows: rows.map((row, n) => ({ line: n + 1, row })) }
  })
}

const IMPORTER: ActedBy = { actor: commandActor('import'), at: instant(0) }

/** Moves some rows into a database. */
export const importInto = (
  database: Database,
  batches: () => AsyncIterable<ImportBatch>,
  dryRun = false,
  maxErrors = 10,
) => makeTransferStore(database).load(batches, { dryRun, by: IMPORTER, maxErrors, onProgress: () => {} })

/** Everything that a database would move, by table. */
export const contentOf = async (
  database: Database,
): Promise<Readonly<Record<string, ReadonlyArray<Row>>>> => {
  const content: Record<string, Array<Row>> = {}
  for await (const { table, rows } of batchesFrom(database)) {
    const into = content[table.name] ?? []
    into.push(...rows.map(({ row }) => row))
    content[table.name] = into
  }
  return content
}

/** Every column of every row that a table has. */
export const allOf = (database: Database, { name, key }: TransferTable): Promise<ReadonlyArray<Row>> =>
  done(
    database.read(async (db) => {
      const order = sql.join(key.map((column) => sql.ref(column)))
      return (await sql<Row>`select * from ${sql.table(name)} order by ${order}`.execute(db)).rows
    }),
  )

export const tableOf = (name: string): TransferTable => {
  const table = TRANSFER_TABLES.find((one) => one.name === name)
  if (table === undefined) throw new Error(`there is no table ${name}`)
  return table
}

/** Rows that a test makes up, as one table's. */
export const made = async function* (
  ...parts: ReadonlyArray<readonly [string, ReadonlyArray<Row>]>
): AsyncGenerator<ImportBatch> {
  for (const [name, rows] of parts)
    yield {
      table: tableOf(name),
      entry: `${name}.ndjson`,
      rows: rows.map((row, n) => ({ line: n + 1, row })),
    }
}
