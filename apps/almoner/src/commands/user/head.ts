import { USER_COLUMNS } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { type Failure, failed } from '../../failure.ts'
import type { CsvRow } from '../csv.ts'

const faultsOf = (columns: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...USER_COLUMNS.filter((column) => !columns.includes(column)).map((column) => `lacks the column ${column}`),
  ...columns
    .filter((column) => !USER_COLUMNS.includes(column))
    .map((column) => `has an unknown column ${JSON.stringify(column)}`),
  ...USER_COLUMNS.filter((column) => columns.indexOf(column) < columns.lastIndexOf(column)).map(
    (column) => `has the column ${column} more than once`,
  ),
]

/** The columns of a file of users, in its own order; Failed with every one that is missing, unknown or there twice (F2). */
export const readHead = (
  name: string,
  head: CsvRow | undefined,
): E.Either<Failure, ReadonlyArray<string>> => {
  const columns = head?.cells ?? []
  const [first, ...rest] = faultsOf(columns).map((fault) => `${name}:${head?.line ?? 1}: ${fault}`)
  return first === undefined ? E.right(columns) : E.left(failed(first, ...rest))
}
