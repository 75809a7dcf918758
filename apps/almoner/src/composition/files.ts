import * as files from '@almoner/adapters-node/files'
import type { User } from '@almoner/domain/people'
import {
  fileFaultOf,
  type OpenedPortfolio,
  type PortfolioFault,
  type UploadRefused,
} from '@almoner/domain/portfolio'
import { isUnavailable } from '@almoner/domain/ports'
import type { FieldError } from '@almoner/domain/values'
import { CommandFailed, failed, orFail } from '../failure.ts'

/** Opens the portfolio in a folder, in one JSON file, or in a zip archive. */
export const openPortfolio = (path: string): Promise<OpenedPortfolio> =>
  orFail(files.openPortfolioAt(path), (failure) =>
    isUnavailable(failure)
      ? failed(`${path} cannot be read: ${String(failure.cause)}`)
      : fileRefusal(failure),
  )

const refusal = ({ lines }: files.FilesRefused): CommandFailed => new CommandFailed(lines)

/** Reads the rows of an array in a JSON file (H4). */
export const readJsonTable = (file: string): Promise<files.JsonTable> =>
  orFail(files.readJsonTable(file), refusal)

/** Reads users from a CSV file (F2). */
export const readUserFile = (file: string, onRow: (rows: number) => void): Promise<ReadonlyArray<User>> =>
  orFail(files.readUserFile(file, onRow), refusal)

/** Makes the error for bad rows of a JSON file, by line. */
export const rowsRefusal = (
  file: string,
  table: files.JsonTable,
  errors: ReadonlyArray<FieldError>,
): CommandFailed => refusal(files.badRows(file, table, errors))

/** Makes the error for the errors of a portfolio's files and rows, by file and line (H1). */
export const portfolioRefusal = (faults: ReadonlyArray<PortfolioFault>): CommandFailed =>
  new CommandFailed(faults.map((fault) => files.faultLine(fileFaultOf(fault))))

/** Makes the error for a file that cannot be taken (H4). */
export const fileRefusal = ({ file, message }: UploadRefused): CommandFailed =>
  failed(file === undefined ? `The portfolio ${message}` : `${file}: ${message}`)
