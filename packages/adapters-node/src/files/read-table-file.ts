import { cellSentence, PORTFOLIO_LIMITS, READING_STOPPED, shownValue } from '@almoner/domain/portfolio'
import type { FieldError } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import {
  aboutFiles,
  FileError,
  type FileFault,
  type FilesRefused,
  fileFault,
  filesRefused,
} from './file-fault.ts'
import type { JsonRows } from './json-containers.ts'
import { readJsonFile } from './json-rows.ts'
import { tableBytes } from './read-folder.ts'
import { FileTooLarge, makeReading, type Reading, TooManyFaults } from './reading.ts'

/** Names errors; if there are too many, the last one that is named says so (H4). */
export const namedFaults = (faults: ReadonlyArray<FileFault>): FilesRefused => {
  const last = faults[PORTFOLIO_LIMITS.faults - 1]
  if (last === undefined) return filesRefused(faults)
  const { lines } = filesRefused(faults.slice(0, PORTFOLIO_LIMITS.faults - 1))
  const [end = ''] = filesRefused([{ ...last, text: READING_STOPPED }]).lines
  return { _tag: 'FilesRefused', lines: [...lines, end] }
}

/** What reading a table gives: undefined when there are as many errors as are named, and the errors so far. */
export interface ReadTable<A> {
  readonly table: A | undefined
  readonly faults: ReadonlyArray<FileFault>
}

/** Reads one table from a file, within the bounds of H4. */
export const readTableFile =
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
