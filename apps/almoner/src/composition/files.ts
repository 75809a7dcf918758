import { createReadStream, statSync } from 'node:fs'
import { basename } from 'node:path'
import * as files from '@almoner/adapters-node/files'
import type { User } from '@almoner/domain/notifications'
import {
  fileFaultOf,
  type OpenedPortfolio,
  type PortfolioFault,
  type UploadedFile,
  type UploadRefused,
} from '@almoner/domain/portfolio'
import { isUnavailable } from '@almoner/domain/ports'
import { cellSentence, type FieldError, shownValue } from '@almoner/domain/values'
import { CommandFailed, failed, orFail } from '../failure.ts'

const archiveAt = async function* (path: string): AsyncGenerator<UploadedFile> {
  yield { path: basename(path), content: createReadStream(path) }
}

/** Opens the portfolio in a folder, in one JSON file, or in a zip archive, which is read like an upload (H5). */
export const openPortfolio = async (path: string): Promise<OpenedPortfolio> => {
  if (!/\.zip$/i.test(path) || !statSync(path, { throwIfNoEntry: false })?.isFile())
    return files.openPortfolio(path)
  return orFail(files.openPortfolioUpload()(archiveAt(path)), (failure) =>
    isUnavailable(failure)
      ? failed(`${path} cannot be read: ${String(failure.cause)}`)
      : fileRefusal(failure),
  )
}

const refusal = ({ lines }: files.FilesRefused): CommandFailed => new CommandFailed(lines)

/** Reads the rows of an array in a JSON file (H4). */
export const readJsonTable = (file: string): Promise<files.JsonTable> =>
  orFail(files.readJsonTable(file), refusal)

/** The field of an error in an array: the place of the row, from 0, and its property. */
const IN_ARRAY = /^\[(\d+)\](?:\.(.+))?$/

/** Makes the error for bad rows of a JSON file, by line. */
export const rowsRefusal = (
  file: string,
  { rows, lineOf }: files.JsonTable,
  errors: ReadonlyArray<FieldError>,
): CommandFailed =>
  refusal(
    files.filesRefused(
      errors.map(({ field, message }) => {
        const [, at, column = ''] = IN_ARRAY.exec(field) ?? []
        if (at === undefined) return files.fileFault(file, undefined, cellSentence(field, undefined, message))
        const row = Number(at)
        const cells = rows[row] as Readonly<Record<string, unknown>> | null
        const value = shownValue(column === '' ? cells : cells?.[column])
        return files.fileFault(file, lineOf(row, column), cellSentence(column, value, message))
      }),
    ),
  )

/** Reads users from a CSV file (F2). */
export const readUserFile = (file: string, onRow: (rows: number) => void): Promise<ReadonlyArray<User>> =>
  orFail(files.readUserFile(file, onRow), refusal)

/** Makes the error for the errors of a portfolio's files and rows, by file and line (H1). */
export const portfolioRefusal = (faults: ReadonlyArray<PortfolioFault>): CommandFailed =>
  new CommandFailed(faults.map((fault) => files.faultLine(fileFaultOf(fault))))

/** Makes the error for a file that cannot be taken (H4). */
export const fileRefusal = ({ file, message }: UploadRefused): CommandFailed =>
  failed(file === undefined ? `The portfolio ${message}` : `${file}: ${message}`)
