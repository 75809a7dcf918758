import { readUsers, USER_COLUMNS, type User } from '@almoner/domain/notifications'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { csvTable } from './csv-table.ts'
import { aboutFiles, type FilesRefused, fileFault, filesRefused, readRowsText } from './file-fault.ts'

const COLUMNS = { table: 'users', all: USER_COLUMNS, required: USER_COLUMNS }

/**
 * Reads users from a CSV file, or names everything that is wrong with it (F2).
 * @param onRow called with the number of rows read so far
 */
export const readUserFile =
  (file: string, onRow: (rows: number) => void): TE.TaskEither<FilesRefused, ReadonlyArray<User>> =>
  async () => {
    const text = await aboutFiles(() => readRowsText(file))()
    if (E.isLeft(text)) return text
    const { rows, faults, lacking, lineOf } = csvTable(file, text.right, COLUMNS, onRow)
    const users = readUsers(rows as Parameters<typeof readUsers>[0])
    const bad = (E.isLeft(users) ? users.left.rows : []).flatMap((one) =>
      one.errors
        .filter(({ field }) => !lacking.includes(field))
        .map(({ field, message }) => fileFault(file, lineOf(one.row, field), `${field} ${message}`)),
    )
    const all = [...faults, ...bad]
    return E.isRight(users) && all.length === 0 ? users : E.left(filesRefused(all))
  }
