import { type BadRow, readUsers, USER_COLUMNS, type User } from '@almoner/domain'
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

/** The users that the rows of a file describe, none when one is at fault, and everything that is wrong with any of them (F2). */
export const readRows = (
  columns: ReadonlyArray<string>,
  rows: ReadonlyArray<CsvRow>,
): { readonly users: ReadonlyArray<User>; readonly faults: ReadonlyArray<CsvFault> } => {
  const places = USER_COLUMNS.map((column) => [column, columns.indexOf(column)] as const)
  const raw = rows.map(({ cells }) => Object.fromEntries(places.map(([column, at]) => [column, cells[at]])))
  const read = readUsers(raw)
  const bad = E.isLeft(read) ? read.left.rows : []
  return {
    users: E.isLeft(read) ? [] : read.right,
    faults: [...rows.flatMap(tooLong(columns.length)), ...bad.flatMap(faultsIn(columns, rows))],
  }
}
