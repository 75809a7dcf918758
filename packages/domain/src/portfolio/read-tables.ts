import * as E from 'fp-ts/lib/Either.js'
import { noColumn } from '../values/file-messages.ts'
import { decode, type RawParameters } from '../values/parameters.ts'
import { columnsOf, PORTFOLIO_TABLES, type PortfolioRow, type PortfolioTable, ROWS } from './rows.ts'
import { PORTFOLIO_LIMITS, type PortfolioFault, type PortfolioSource, rowFault } from './source.ts'

/** The good rows of every table. */
export type ReadTables = { readonly [T in PortfolioTable]: ReadonlyArray<PortfolioRow<T>> }

/** Whether a value of a file can be a row at all. */
export const isRow = (row: unknown): row is RawParameters =>
  typeof row === 'object' && row !== null && !Array.isArray(row)

const unknownColumns = (
  table: PortfolioTable,
  at: number,
  row: RawParameters,
  columns: ReadonlySet<string>,
): ReadonlyArray<PortfolioFault> =>
  Object.keys(row)
    .filter((key) => !columns.has(key))
    .map((key) => rowFault(table, at, key, noColumn(key, table, [...columns])))

const readTable = <T extends PortfolioTable>(
  table: T,
  rows: ReadonlyArray<unknown>,
  faults: Array<PortfolioFault>,
): ReadonlyArray<PortfolioRow<T>> => {
  const columns = new Set(columnsOf(table))
  const read = decode<PortfolioRow<T>>(ROWS[table] as never)
  const good: Array<PortfolioRow<T>> = []
  for (const [at, row] of rows.entries()) {
    if (faults.length >= PORTFOLIO_LIMITS.faults) break
    if (!isRow(row)) {
      faults.push(rowFault(table, at, '', 'must be an object with the columns of the table'))
      continue
    }
    faults.push(...unknownColumns(table, at, row, columns))
    const result = read(row)
    if (E.isRight(result)) good.push(result.right)
    else faults.push(...result.left.errors.map(({ field, message }) => rowFault(table, at, field, message)))
  }
  return good
}

/** Reads every row by itself: the good ones, and all that is wrong with the others (H1), until there are too many errors to name (H4). */
export const readTables = ({
  tables,
  unread,
}: PortfolioSource): { readonly tables: ReadTables; readonly faults: ReadonlyArray<PortfolioFault> } => {
  const faults = unread.map((table) => rowFault(table, undefined, '', 'could not be read whole'))
  const read = PORTFOLIO_TABLES.map((table) => [table, readTable(table, tables[table] ?? [], faults)])
  return { tables: Object.fromEntries(read) as unknown as ReadTables, faults }
}
