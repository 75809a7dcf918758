import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type FileRefused,
  fileRefused,
  type PortfolioFault,
  type ReadImageFile,
  UPLOAD_LIMIT,
} from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type FileFault, type FilesRefused, fileFault, filesRefused } from './file-fault.ts'
import type { PortfolioFiles } from './portfolio-files.ts'
import { NOT_THERE, readBytes, whyUnread } from './read-file.ts'
import { readFolder } from './read-folder.ts'
import { readOneFile } from './read-one-file.ts'

/** Finds the place of an error of the domain in the files. Returns nothing where the files' own errors already say it. */
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

/** Names every bad row of a refused portfolio by file and line, and the other errors of its files (H1). */
export const portfolioRefused = (
  files: PortfolioFiles,
  faults: ReadonlyArray<PortfolioFault>,
): FilesRefused => filesRefused([...faults.flatMap(placed(files)), ...files.faults])

/** Reads images from the folders `logo` and `visual` of a folder. */
export const imagesIn =
  (folder: string): ReadImageFile =>
  (kind, file) =>
  async () =>
    E.mapLeft(
      (why: string): FileRefused =>
        fileRefused(why === NOT_THERE ? `names no file in ${kind}/` : `names ${kind}/${file}, which ${why}`),
    )(await readBytes(join(folder, kind, file), UPLOAD_LIMIT))

/** Reads a portfolio from a folder or from one file (H1). Errors in rows are left to the domain. */
export const readPortfolio =
  (path: string): TE.TaskEither<FilesRefused, PortfolioFiles> =>
  async () => {
    try {
      if ((await stat(path)).isDirectory()) return E.right(await readFolder(path))
      return E.mapLeft((fault: FileFault) => filesRefused([fault]))(await readOneFile(path))
    } catch (cause) {
      return E.left(filesRefused([fileFault(path, undefined, whyUnread(cause))]))
    }
  }
