import { type BadRow, type RawParameters, readUsers, USER_COLUMNS } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { CsvFault, CsvRow } from '../csv.ts'

/** A row that is too short lacks what its missing fields would say; one that is too long must not pass unseen. */
const tooLong =
  (width: number) =>
  ({ line, cells: { length } }: CsvRow): ReadonlyArray<CsvFault> =>
    length > width ? [{ line, message: `has ${length} fields where the head has ${width}` }] : []

/** The faults of a row, but for columns that the whole file lacks: the head has them. */
const faultsIn =
  (columns: ReadonlyArray<string>, rows: ReadonlyArray<CsvRow>) =>
  ({ row, faults }: BadRow): ReadonlyArray<CsvFault> =>
    faults
      .filter(({ field }) => columns.includes(field))
      .map(({ field, message }) => ({ line: rows[row]?.line ?? 1, message: `${field} ${message}` }))

/** The rows of a file of users as parameters, and everything that is wrong with any of them (F2). */
export const readRows = (
  columns: ReadonlyArray<string>,
  rows: ReadonlyArray<CsvRow>,
): { readonly raw: ReadonlyArray<RawParameters>; readonly faults: ReadonlyArray<CsvFault> } => {
  const places = USER_COLUMNS.map((column) => [column, columns.indexOf(column)] as const)
  const raw = rows.map(({ cells }) => Object.fromEntries(places.map(([column, at]) => [column, cells[at]])))
  const users = readUsers(raw)
  const bad = E.isLeft(users) ? users.left.rows : []
  return { raw, faults: [...rows.flatMap(tooLong(columns.length)), ...bad.flatMap(faultsIn(columns, rows))] }
}
