import * as files from '@almoner/adapters-node/files'
import type { User } from '@almoner/domain/notifications'
import { fileFaultOf, type PortfolioFault, type UploadRefused } from '@almoner/domain/portfolio'
import { CommandFailed, failed, orFail } from '../failure.ts'

export { openPortfolio } from '@almoner/adapters-node/files'

const refusal = ({ lines }: files.FilesRefused): CommandFailed => new CommandFailed(lines)

/** Reads the rows of an array in a JSON file (H4). */
export const readJsonTable = (file: string): Promise<ReadonlyArray<unknown>> =>
  orFail(files.readJsonTable(file), refusal)

/** Reads users from a CSV file (F2). */
export const readUserFile = (file: string, onRow: (rows: number) => void): Promise<ReadonlyArray<User>> =>
  orFail(files.readUserFile(file, onRow), refusal)

/** Makes the error for the errors of a portfolio's files and rows, by file and line (H1). */
export const portfolioRefusal = (faults: ReadonlyArray<PortfolioFault>): CommandFailed =>
  new CommandFailed(faults.map((fault) => files.faultLine(fileFaultOf(fault))))

/** Makes the error for a file that cannot be taken (H4). */
export const fileRefusal = ({ file, message }: UploadRefused): CommandFailed =>
  failed(file === undefined ? `The portfolio ${message}` : `${file}: ${message}`)
