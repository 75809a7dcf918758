import * as files from '@almoner/adapters-node/files'
import type { User } from '@almoner/domain/notifications'
import type { PortfolioFault } from '@almoner/domain/portfolio'
import { CommandFailed, failed, orFail, orThrow } from '../failure.ts'

export { imagesIn, type PortfolioFiles } from '@almoner/adapters-node/files'

const refusal = ({ lines }: files.FilesRefused): CommandFailed => new CommandFailed(lines)

/** Reads a text in UTF-8. */
export const readText = async (file: string): Promise<string> =>
  orThrow(await files.readText(file), (why) => failed(`${file}: ${why}`))

/** Reads users from a CSV file (F2). */
export const readUserFile = (file: string, onRow: (rows: number) => void): Promise<ReadonlyArray<User>> =>
  orFail(files.readUserFile(file, onRow), refusal)

/** Reads a portfolio from a folder or a file (H1). */
export const readPortfolio = (path: string): Promise<files.PortfolioFiles> =>
  orFail(files.readPortfolio(path), refusal)

/** Makes the error for the errors of a portfolio's files, and of its rows by file and line (H1). */
export const portfolioRefusal = (
  portfolio: files.PortfolioFiles,
  faults: ReadonlyArray<PortfolioFault> = [],
): CommandFailed => refusal(files.portfolioRefused(portfolio, faults))
