import { hash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  draftOf,
  PORTFOLIO_IMAGE_KINDS,
  PORTFOLIO_TABLES,
  type PortfolioDraft,
  type PortfolioFault,
  type PortfolioTable,
} from '@almoner/domain/portfolio'
import { FileError, type FileFault, sortedFaults } from './file-fault.ts'
import type { JsonProperty } from './json-containers.ts'
import { readJsonFile } from './json-rows.ts'
import { gather, type PortfolioFiles, type TableFiles, unreadTable } from './portfolio-files.ts'
import { whyUnread } from './read-file.ts'
import { nameIn, readFolder, tableBytes } from './read-folder.ts'
import {
  beyondBytes,
  beyondFiles,
  FileTooLarge,
  makeReading,
  type Reading,
  TABLE_BOUNDS,
  TooManyFaults,
} from './reading.ts'

const isTable = (name: string): name is PortfolioTable => PORTFOLIO_TABLES.some((table) => table === name)

const tableOf = (file: string, { name, line, rows }: JsonProperty, reading: Reading): TableFiles => {
  if (!isTable(name)) return []
  if (rows !== undefined) return [[name, { file, ...rows, isWhole: rows.isWhole, lacking: [] }]]
  reading.add(file, line, 'must be an array of rows')
  return [[name, unreadTable(file, line)]]
}

/** Reads a portfolio from one file of JSON. */
const readOneFile = async (file: string, reading: Reading): Promise<PortfolioFiles> => {
  const { line, properties } = readJsonFile(file, await tableBytes(file, reading), reading, isTable)
  if (properties === undefined) throw new FileError(file, line, 'must be an object with name and tables')
  return gather(
    properties.flatMap((property) => tableOf(file, property, reading)),
    {
      name: nameIn(file, properties, line, reading, {
        isKnown: isTable,
        stranger: 'is no table of a portfolio',
      }),
      images: dirname(file),
      missing: (table) => ({ file, line, text: `${table} is required` }),
    },
  )
}

const ofFile = ({ file, line, text }: FileFault): PortfolioFault => ({
  table: undefined,
  row: undefined,
  field: '',
  message: text,
  place: { file, line },
})

/** Finds the place of an error of the domain in the files. Returns nothing where the files' own errors already say it. */
const placed =
  ({ tables, name, missing }: PortfolioFiles) =>
  (fault: PortfolioFault): ReadonlyArray<PortfolioFault> => {
    const { table, row, field } = fault
    if (table === undefined)
      return name === undefined ? [] : [{ ...fault, place: { file: name.file, line: name.line } }]
    const file = tables[table]
    if (file === undefined) return [ofFile(missing(table))]
    if (row === undefined || file.lacking.includes(field)) return []
    return [{ ...fault, place: { file: file.file, line: file.lineOf(row, field) } }]
  }

/** Sorts errors file by file, those of rows first, and from top to bottom. */
const sorted =
  (own: ReadonlySet<PortfolioFault>) =>
  (faults: ReadonlyArray<PortfolioFault>): ReadonlyArray<PortfolioFault> =>
    sortedFaults(
      [...faults.filter((fault) => !own.has(fault)), ...faults.filter((fault) => own.has(fault))].map(
        (fault) => ({ file: fault.place?.file ?? '', line: fault.place?.line, text: '', fault }),
      ),
    ).map(({ fault }) => fault)

/** Checks the number and the bytes of the files in folders (H4), and returns their paths below the first. */
const filesBelow = async (folder: string, folders: ReadonlyArray<string>): Promise<ReadonlySet<string>> => {
  const files = new Set<string>()
  let bytes = 0
  for (const kind of folders)
    for (const name of await readdir(join(folder, kind)).catch((): Array<string> => [])) {
      const path = join(kind, name)
      const stats = await stat(join(folder, path)).catch(() => undefined)
      if (stats?.isFile() === true) bytes += stats.size
      files.add(path)
      if (files.size > TABLE_BOUNDS.files) throw new FileTooLarge(join(folder, path), beyondFiles())
      if (bytes > TABLE_BOUNDS.allBytes) throw new FileTooLarge(join(folder, path), beyondBytes())
    }
  return files
}

/** Runs reading, which ends early when there are as many errors as are named. */
const untilTooMany = async (read: () => Promise<PortfolioFiles>): Promise<PortfolioFiles | undefined> => {
  try {
    return await read()
  } catch (cause) {
    if (cause instanceof TooManyFaults) return undefined
    throw cause
  }
}

const NOTHING: PortfolioFiles = gather([], {
  name: undefined,
  images: '',
  missing: (table) => ({ file: '', line: undefined, text: `${table} is required` }),
})

const sha256 = (text: string): string => hash('sha256', text, 'hex')

const isFolder = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isDirectory()
  } catch (cause) {
    throw new FileError(path, undefined, whyUnread(cause))
  }
}

/**
 * Reads a portfolio from a folder or from one file (H1), bounded (H4). For the thread that reads.
 * @param onFile called before each table is read
 * @throws FileError where the folder or the one file cannot be read; FileTooLarge
 */
export const readDraft = async (
  path: string,
  onFile: (file: string) => void = () => {},
): Promise<PortfolioDraft> => {
  const reading = makeReading(onFile)
  const [folder, read] = (await isFolder(path)) ? [path, readFolder] : [dirname(path), readOneFile]
  const existing = await filesBelow(folder, [...(folder === path ? [''] : []), ...PORTFOLIO_IMAGE_KINDS])
  const files = (await untilTooMany(() => read(path, reading))) ?? NOTHING
  const faults = reading.faults.map(ofFile)
  return draftOf(files.source, sha256, {
    faults,
    placed: placed(files),
    sorted: sorted(new Set(faults)),
    whyMissing: ({ kind, file }) =>
      existing.has(join(kind, file)) ? undefined : `names no file in ${kind}/`,
  })
}
