import { type BadRow, readUsers, USER_COLUMNS, type User } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type CsvFault, type CsvFile, type CsvRow, readCsv } from './csv.ts'
import { type FilesRefused, fileFault, filesRefused, readRowsText } from './file-fault.ts'

/** Columns that are missing, unknown or repeated (F2). */
const headFaults = ({ line, cells }: CsvRow): ReadonlyArray<CsvFault> =>
  [
    ...USER_COLUMNS.filter((column) => !cells.includes(column)).map((column) => `lacks the column ${column}`),
    ...cells
      .filter((column) => !USER_COLUMNS.includes(column))
      .map((column) => `has an unknown column ${JSON.stringify(column)}`),
    ...USER_COLUMNS.filter((column) => cells.indexOf(column) < cells.lastIndexOf(column)).map(
      (column) => `has the column ${column} more than once`,
    ),
  ].map((message) => ({ line, message }))

/** A row that is too short lacks its missing fields; one that is too long has an error of its own. */
const tooLong =
  (width: number) =>
  ({ line, cells: { length } }: CsvRow): ReadonlyArray<CsvFault> =>
    length > width ? [{ line, message: `has ${length} fields where the head has ${width}` }] : []

/** The errors of a row, except for columns that the whole file lacks: the head has them. */
const rowFaults =
  (columns: ReadonlyArray<string>, rows: ReadonlyArray<CsvRow>) =>
  ({ row, faults }: BadRow): ReadonlyArray<CsvFault> =>
    faults
      .filter(({ field }) => columns.includes(field))
      .map(({ field, message }) => ({ line: rows[row]?.line ?? 1, message: `${field} ${message}` }))

const usersIn = (
  file: string,
  { head, rows, faults }: CsvFile,
): E.Either<FilesRefused, ReadonlyArray<User>> => {
  const columns = head?.cells ?? []
  const places = USER_COLUMNS.map((column) => [column, columns.indexOf(column)] as const)
  const raw = rows.map(({ cells }) => Object.fromEntries(places.map(([column, at]) => [column, cells[at]])))
  const read = readUsers(raw)
  const all = [
    // A head that cannot be read is among the faults.
    ...(head === undefined && faults.length > 0 ? [] : headFaults(head ?? { line: 1, cells: [] })),
    ...faults,
    ...rows.flatMap(tooLong(columns.length)),
    ...(E.isLeft(read) ? read.left.rows : []).flatMap(rowFaults(columns, rows)),
  ]
  if (E.isRight(read) && all.length === 0) return read
  return E.left(filesRefused(all.map(({ line, message }) => fileFault(file, line, message))))
}

/**
 * Reads users from a CSV file, or names everything that is wrong with it (F2).
 * @param onRow called with the number of rows read so far
 */
export const readUserFile =
  (file: string, onRow: (rows: number) => void): TE.TaskEither<FilesRefused, ReadonlyArray<User>> =>
  async () => {
    const text = await readRowsText(file)
    if (E.isLeft(text)) return E.left(filesRefused([text.left]))
    return usersIn(file, readCsv(text.right, onRow))
  }
