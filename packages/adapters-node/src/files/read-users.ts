import { readUsers, USER_COLUMNS, type User } from '@almoner/domain/people'
import { cellSentence, PORTFOLIO_LIMITS, shownValue } from '@almoner/domain/portfolio'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { csvTable } from './csv-table.ts'
import { type FileFault, type FilesRefused, fileFault } from './file-fault.ts'
import type { TableFile } from './portfolio-files.ts'
import { namedFaults, readTableFile } from './read-table-file.ts'

const COLUMNS = { table: 'users', all: USER_COLUMNS, required: USER_COLUMNS }

/** The users in rows, or the errors of rows. */
const usersIn = ({
  file,
  rows,
  lacking,
  lineOf,
}: TableFile): readonly [users: ReadonlyArray<User>, faults: ReadonlyArray<FileFault>] => {
  const users = readUsers(rows as Parameters<typeof readUsers>[0])
  if (E.isRight(users)) return [users.right, []]
  const faults = users.left.rows.slice(0, PORTFOLIO_LIMITS.faults).flatMap(({ row, errors }) =>
    errors
      .filter(({ field }) => !lacking.includes(field))
      .map(({ field, message }) => {
        const value = shownValue((rows[row] as Readonly<Record<string, unknown>>)[field])
        return fileFault(file, lineOf(row, field), cellSentence(field, value, message))
      }),
  )
  return [[], faults]
}

/**
 * Reads users from a CSV file, or names its errors (F2), within the bounds of H4.
 * @param onRow called with the number of rows read so far
 */
export const readUserFile =
  (file: string, onRow: (rows: number) => void): TE.TaskEither<FilesRefused, ReadonlyArray<User>> =>
  async () => {
    const read = await readTableFile(file, (bytes, reading) =>
      csvTable(file, bytes, COLUMNS, reading, onRow),
    )()
    if (E.isLeft(read)) return read
    const { table, faults } = read.right
    const [users, bad] = table === undefined ? [[], []] : usersIn(table)
    const all = [...faults, ...bad]
    return all.length === 0 ? E.right(users) : E.left(namedFaults(all))
  }
