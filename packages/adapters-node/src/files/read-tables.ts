import {
  type BadRows,
  type ImportedUser,
  REQUIRED_USER_COLUMNS,
  readUsers,
  USER_COLUMNS,
} from '@almoner/domain/people'
import { cellSentence, PORTFOLIO_LIMITS, READING_STOPPED, shownValue } from '@almoner/domain/portfolio'
import type { FieldError } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { csvTable } from './csv.ts'
import type { JsonRows } from './json.ts'
import { readJsonFile } from './json-rows.ts'
import type { TableFile } from './names.ts'
import { tableBytes } from './read-folder.ts'
import {
  aboutFiles,
  FileError,
  type FileFault,
  type FilesRefused,
  FileTooLarge,
  fileFault,
  filesRefused,
  makeReading,
  type Reading,
  TooManyFaults,
} from './reading.ts'

/** Names errors; if there are too many, the last one that is named says so (H4). */
const namedFaults = (faults: ReadonlyArray<FileFault>): FilesRefused => {
  const last = faults[PORTFOLIO_LIMITS.faults - 1]
  if (last === undefined) return filesRefused(faults)
  const { lines } = filesRefused(faults.slice(0, PORTFOLIO_LIMITS.faults - 1))
  const [end = ''] = filesRefused([{ ...last, text: READING_STOPPED }]).lines
  return { _tag: 'FilesRefused', lines: [...lines, end] }
}

/** What reading a table gives: undefined when there are as many errors as are named, and the errors so far. */
interface ReadTable<A> {
  readonly table: A | undefined
  readonly faults: ReadonlyArray<FileFault>
}

/** Reads one table from a file, within the bounds of H4. */
const readTableFile =
  <A>(
    file: string,
    read: (bytes: Buffer, reading: Reading) => A,
  ): TE.TaskEither<FilesRefused, ReadTable<A>> =>
  async () => {
    const reading = makeReading()
    const table = await aboutFiles(async () => {
      try {
        return read(await tableBytes(file, reading), reading)
      } catch (cause) {
        if (cause instanceof TooManyFaults) return undefined
        throw cause instanceof FileTooLarge ? new FileError(cause.file, undefined, cause.message) : cause
      }
    })()
    return E.map((rows: A | undefined) => ({ table: rows, faults: reading.faults }))(table)
  }

/** The rows of an array in a JSON file, with their lines. */
export type JsonTable = Pick<JsonRows, 'rows' | 'lineOf'>

const NO_ROWS: JsonTable = { rows: [], lineOf: () => 1 }

/** Reads the rows of an array in a JSON file, within the bounds of H4. What they hold is for others to check. */
export const readJsonTable =
  (file: string): TE.TaskEither<FilesRefused, JsonTable> =>
  async () => {
    const read = await readTableFile(file, (bytes, reading) => {
      const { rows, line } = readJsonFile(file, bytes, reading)
      if (rows === undefined) throw new FileError(file, line, 'must be an array of rows')
      return rows
    })()
    if (E.isLeft(read)) return read
    const { table = NO_ROWS, faults } = read.right
    return faults.length === 0 ? E.right(table) : E.left(namedFaults(faults))
  }

/** The field of an error in an array: the place of the row, from 0, and its property. */
const IN_ARRAY = /^\[(\d+)\](?:\.(.+))?$/

/** Names errors of the rows of an array, by line, at most a thousand (H4). */
export const badRows = (
  file: string,
  { rows, lineOf }: JsonTable,
  errors: ReadonlyArray<FieldError>,
): FilesRefused =>
  filesRefused(
    errors.slice(0, PORTFOLIO_LIMITS.faults).map(({ field, message }) => {
      const [, at, column = ''] = IN_ARRAY.exec(field) ?? []
      if (at === undefined) return fileFault(file, undefined, cellSentence(field, undefined, message))
      const row = Number(at)
      const cells = rows[row] as Readonly<Record<string, unknown>> | null
      const value = shownValue(column === '' ? cells : cells?.[column])
      return fileFault(file, lineOf(row, column), cellSentence(column, value, message))
    }),
  )

const COLUMNS = { table: 'users', all: USER_COLUMNS, required: REQUIRED_USER_COLUMNS }

/** The errors of rows of users, with their values. */
const userFaults = ({ file, rows, lacking, lineOf }: TableFile, bad: BadRows): ReadonlyArray<FileFault> =>
  bad.rows.slice(0, PORTFOLIO_LIMITS.faults).flatMap(({ row, errors }) =>
    errors
      .filter(({ field }) => !lacking.includes(field))
      .map(({ field, message }) => {
        const value = shownValue((rows[row] as Readonly<Record<string, unknown>>)[field])
        return fileFault(file, lineOf(row, field), cellSentence(field, value, message))
      }),
  )

/** The users in rows, or the errors of rows. */
const usersIn = (
  table: TableFile,
): readonly [users: ReadonlyArray<ImportedUser>, faults: ReadonlyArray<FileFault>] => {
  const users = readUsers(table.rows as Parameters<typeof readUsers>[0])
  return E.isRight(users) ? [users.right, []] : [[], userFaults(table, users.left)]
}

/** The users of a file. */
export interface UserFile {
  readonly users: ReadonlyArray<ImportedUser>
  /** Names rows that cannot be imported, each with its line. */
  readonly refusal: (rows: BadRows) => FilesRefused
}

/**
 * Reads users from a CSV file, or names its errors (F2), within the bounds of H4.
 * @param onRow called with the number of rows read so far
 */
export const readUserFile =
  (file: string, onRow: (rows: number) => void): TE.TaskEither<FilesRefused, UserFile> =>
  async () => {
    const read = await readTableFile(file, (bytes, reading) =>
      csvTable(file, bytes, COLUMNS, reading, onRow),
    )()
    if (E.isLeft(read)) return read
    const { table, faults } = read.right
    const [users, bad] = table === undefined ? [[], []] : usersIn(table)
    const all = [...faults, ...bad]
    if (all.length > 0) return E.left(namedFaults(all))
    const refusal = (rows: BadRows) => namedFaults(table === undefined ? [] : userFaults(table, rows))
    return E.right({ users, refusal })
  }
