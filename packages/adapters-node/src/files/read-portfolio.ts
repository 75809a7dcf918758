import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { UPLOAD_LIMIT } from '@almoner/domain/library'
import {
  type FileRefused,
  fileRefused,
  PORTFOLIO_TABLES,
  type PortfolioFault,
  type PortfolioTable,
  type ReadImageFile,
} from '@almoner/domain/portfolio'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import {
  aboutFiles,
  FileError,
  type FileFault,
  type FilesRefused,
  fileFault,
  filesRefused,
  readRowsText,
  sortedFaults,
} from './file-fault.ts'
import { jsonTable, readName } from './json-table.ts'
import { propertiesOf, readJson } from './json-tree.ts'
import { gather, type PortfolioFiles, type TableFiles } from './portfolio-files.ts'
import { NOT_THERE, readBytes, whyUnread } from './read-file.ts'
import { readFolder } from './read-folder.ts'

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

/** Returns the places of errors of the domain, and the other errors of the files, file by file (H1). */
export const portfolioFaults = (
  files: PortfolioFiles,
  faults: ReadonlyArray<PortfolioFault>,
): ReadonlyArray<FileFault> => sortedFaults([...faults.flatMap(placed(files)), ...files.faults])

/** Names every bad row of a refused portfolio by file and line, and the other errors of its files (H1). */
export const portfolioRefused = (
  files: PortfolioFiles,
  faults: ReadonlyArray<PortfolioFault>,
): FilesRefused => filesRefused(portfolioFaults(files, faults))

/** Reads images from the folders `logo` and `visual` of a folder. */
export const imagesIn =
  (folder: string): ReadImageFile =>
  (kind, file) =>
  async () =>
    E.mapLeft(
      (why: string): FileRefused =>
        fileRefused(why === NOT_THERE ? `names no file in ${kind}/` : `names ${kind}/${file}, which ${why}`),
    )(await readBytes(join(folder, kind, file), UPLOAD_LIMIT))

const isTable = (name: string): name is PortfolioTable => PORTFOLIO_TABLES.some((table) => table === name)

/** Reads a portfolio from one file of JSON. */
const readOneFile = async (file: string): Promise<PortfolioFiles> => {
  const tree = readJson(file, await readRowsText(file))
  const { root, lineOf } = tree
  if (root.type !== 'object')
    throw new FileError(file, lineOf(root), 'must be an object with name and tables')
  const read: TableFiles = propertiesOf(root).flatMap(({ name, value }) =>
    isTable(name) ? [[name, jsonTable(tree, value)] as const] : [],
  )
  return gather(read, {
    ...readName(tree, isTable, 'is no table of a portfolio'),
    images: dirname(file),
    missing: (table) => fileFault(file, lineOf(root), `${table} is required`),
  })
}

/** Reads a portfolio from a folder or from one file (H1). Errors in rows are left to the domain. */
export const readPortfolio = (path: string): TE.TaskEither<FilesRefused, PortfolioFiles> =>
  aboutFiles(async () => {
    try {
      return (await stat(path)).isDirectory() ? await readFolder(path) : await readOneFile(path)
    } catch (cause) {
      throw cause instanceof FileError ? cause : new FileError(path, undefined, whyUnread(cause))
    }
  })
