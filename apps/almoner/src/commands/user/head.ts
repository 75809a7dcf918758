import { USER_COLUMNS } from '@almoner/domain'
import type { CsvFault, CsvRow } from '../csv.ts'

/** Everything that is wrong with the columns of a file of users: what is missing, unknown or there twice (F2). */
export const headFaults = ({ line, cells }: CsvRow): ReadonlyArray<CsvFault> =>
  [
    ...USER_COLUMNS.filter((column) => !cells.includes(column)).map((column) => `lacks the column ${column}`),
    ...cells
      .filter((column) => !USER_COLUMNS.includes(column))
      .map((column) => `has an unknown column ${JSON.stringify(column)}`),
    ...USER_COLUMNS.filter((column) => cells.indexOf(column) < cells.lastIndexOf(column)).map(
      (column) => `has the column ${column} more than once`,
    ),
  ].map((message) => ({ line, message }))
