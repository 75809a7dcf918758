import { stat } from 'node:fs/promises'
import type { PortfolioFault, PortfolioRefused } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Failure } from '../../cli/failure.ts'
import { whyUnread } from '../read-file.ts'
import { type FileFault, faultLines, fileFault } from './file-fault.ts'
import type { PortfolioFiles } from './portfolio-files.ts'
import { readFolder } from './read-folder.ts'
import { readOneFile } from './read-one-file.ts'

/** Where a fault of the domain stands in the files, and what it says there; nothing when the files' own faults say it. */
const placed =
  ({ tables, name, missing }: PortfolioFiles) =>
  ({ table, row, field, message }: PortfolioFault): ReadonlyArray<FileFault> => {
    const text = field === '' ? message : `${field} ${message}`
    if (table === undefined) return name === undefined ? [] : [fileFault(name.file, name.line, text)]
    const file = tables[table]
    if (file === undefined) return [missing(table)]
    if (row === undefined || file.lacking.includes(field)) return []
    return [fileFault(file.file, file.lineOf(row, field), text)]
  }

/** The lines for a portfolio that is refused: every bad row by file and line, and what is wrong with the files otherwise (H1). */
export const refusalLines = (files: PortfolioFiles, { faults }: PortfolioRefused): Failure =>
  faultLines([...faults.flatMap(placed(files)), ...files.faults])

/** Reads a portfolio from a folder or from one file. Failed, with a line that says why, when nothing of it can be read (H1). */
export const readFiles =
  (path: string): TE.TaskEither<Failure, PortfolioFiles> =>
  async () => {
    try {
      if ((await stat(path)).isDirectory()) return E.right(await readFolder(path))
      return E.mapLeft((fault: FileFault) => faultLines([fault]))(await readOneFile(path))
    } catch (cause) {
      return E.left(faultLines([fileFault(path, undefined, whyUnread(cause))]))
    }
  }
