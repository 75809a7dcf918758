import { type BadRow, type RawParameters, readUsers } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { type Failure, failed } from '../../failure.ts'
import type { CsvRow } from '../csv.ts'

/** Something wrong with one row, counted from 0. */
interface RowFault {
  readonly row: number
  readonly text: string
}

/** A row that is too short lacks what its missing fields would say; one that is too long must not pass unseen. */
const tooLong =
  (width: number) =>
  ({ cells: { length } }: CsvRow, row: number): ReadonlyArray<RowFault> =>
    length > width ? [{ row, text: `has ${length} fields where the head has ${width}` }] : []

const faultsIn = ({ row, faults }: BadRow): ReadonlyArray<RowFault> =>
  faults.map(({ field, message }) => ({ row, text: `${field} ${message}` }))

/** The rows of a file of users as parameters, or Failed with a line for everything that is wrong with any of them (F2). */
export const readRows = (
  name: string,
  columns: ReadonlyArray<string>,
  rows: ReadonlyArray<CsvRow>,
): E.Either<Failure, ReadonlyArray<RawParameters>> => {
  const raw = rows.map(({ cells }) => Object.fromEntries(columns.map((column, n) => [column, cells[n]])))
  const users = readUsers(raw)
  const faults = [
    ...rows.flatMap(tooLong(columns.length)),
    ...(E.isLeft(users) ? users.left.rows.flatMap(faultsIn) : []),
  ].toSorted((a, b) => a.row - b.row)
  const [first, ...rest] = faults.map(({ row, text }) => `${name}:${rows[row]?.line}: ${text}`)
  return first === undefined ? E.right(raw) : E.left(failed(first, ...rest))
}
