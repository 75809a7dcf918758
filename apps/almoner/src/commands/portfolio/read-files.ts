import { stat } from 'node:fs/promises'
import type { PortfolioFault, PortfolioRefused } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, failed, messageOf } from '../../failure.ts'
import { type FileFault, faultLines, fileFault } from './file-fault.ts'
import type { PortfolioFiles } from './portfolio-files.ts'
import { readFolder } from './read-folder.ts'
import { readOneFile } from './read-one-file.ts'

/** Where a fault of the domain stands in the files, and what it says there. */
const placed =
  ({ tables, name, missing }: PortfolioFiles) =>
  ({ table, row, field, message }: PortfolioFault): FileFault => {
    const text = field === '' ? message : `${field} ${message}`
    if (table === undefined) return fileFault(name.file, name.line, text)
    const file = tables[table]
    if (file === undefined || row === undefined) return missing(table)
    return fileFault(file.file, file.lineOf(row, field), text)
  }

/** The lines for a portfolio that is refused: every bad row by file and line (H1). */
export const refusalLines = (
  files: PortfolioFiles,
  { faults: [first, ...rest] }: PortfolioRefused,
): Failure => faultLines([placed(files)(first), ...rest.map(placed(files)), ...files.faults])

/** The lines for files that are at fault though their rows are not; none when there are no such faults. */
export const fileLines = ({ faults: [first, ...rest] }: PortfolioFiles): E.Either<Failure, void> =>
  first === undefined ? E.right(undefined) : E.left(faultLines([first, ...rest]))

/** Reads a portfolio from a folder or from one file. Failed, with a line for each fault, when it cannot be read (H1). */
export const readFiles =
  (path: string): TE.TaskEither<Failure, PortfolioFiles> =>
  async () => {
    try {
      const read = (await stat(path)).isDirectory() ? await readFolder(path) : await readOneFile(path)
      if (E.isRight(read)) return read
      const [first, ...rest] = read.left
      return E.left(first === undefined ? failed(`${path} cannot be read`) : faultLines([first, ...rest]))
    } catch (cause) {
      return E.left(failed(`${path} cannot be read: ${messageOf(cause)}`))
    }
  }
