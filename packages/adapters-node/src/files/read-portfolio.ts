import { hash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PORTFOLIO_IMAGE_KINDS } from '@almoner/domain/media'
import {
  draftOf,
  type NamedImage,
  nearestOf,
  PORTFOLIO_TABLES,
  type PortfolioDraft,
  type PortfolioFault,
  type PortfolioTable,
} from '@almoner/domain/portfolio'
import type { JsonProperty } from './json.ts'
import { readJsonFile } from './json-rows.ts'
import { listFiles, whyUnread } from './list-files.ts'
import {
  gather,
  HOLDS_NONE,
  type NamedFiles,
  namedFiles,
  type PortfolioFiles,
  rootOf,
  type TableFiles,
  unreadTable,
} from './names.ts'
import { nameIn, readFolder, tableBytes } from './read-folder.ts'
import {
  FileError,
  type FileFault,
  makeReading,
  type Reading,
  sortedFaults,
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
    nameIn(file, properties, line, reading, {
      isKnown: isTable,
      stranger: (name) =>
        `is no table of a portfolio: the nearest known name is ${nearestOf(name, [...PORTFOLIO_TABLES])}`,
    }),
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
  ({ tables, name }: PortfolioFiles) =>
  (fault: PortfolioFault): ReadonlyArray<PortfolioFault> => {
    const { table, row, field } = fault
    if (table === undefined)
      return name === undefined ? [] : [{ ...fault, place: { file: name.file, line: name.line } }]
    const file = tables[table]
    if (file === undefined || file.lacking.includes(field) || (row === undefined && !file.isWhole)) return []
    const line = row === undefined ? undefined : file.lineOf(row, field)
    return [{ ...fault, place: { file: file.file, line } }]
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

/** Runs reading, which ends early when there are as many errors as are named. */
const untilTooMany = async (read: () => Promise<PortfolioFiles>): Promise<PortfolioFiles | undefined> => {
  try {
    return await read()
  } catch (cause) {
    if (cause instanceof TooManyFaults) return undefined
    throw cause
  }
}

const NOTHING: PortfolioFiles = gather([], undefined)

const sha256 = (text: string): string => hash('sha256', text, 'hex')

const isFolder = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isDirectory()
  } catch (cause) {
    throw new FileError(path, undefined, whyUnread(cause))
  }
}

/** The folder of a portfolio, and its files. */
interface Found {
  readonly root: string
  readonly files: NamedFiles
}

/** Finds the portfolio below a folder: a folder around everything is passed over (H5). */
const findIn = async (folder: string): Promise<Found> => {
  const paths = await listFiles(folder)
  const root = rootOf(paths)
  if (root === undefined) throw new FileError(folder, undefined, HOLDS_NONE)
  const start = root === '' ? '' : `${root}/`
  const own = paths.filter((path) => path.startsWith(start)).map((path) => path.slice(start.length))
  const outside = paths.filter((path) => !path.startsWith(start))
  const files = namedFiles(own)
  const up = start.replaceAll(/[^/]+/g, '..')
  return {
    root: join(folder, root),
    files: { ...files, others: [...files.others, ...outside.map((path) => `${up}${path}`)] },
  }
}

/** Finds the images beside the one file of a portfolio. */
const besideFile = async (file: string): Promise<Found> => {
  const root = dirname(file)
  const lists = await Promise.all(
    PORTFOLIO_IMAGE_KINDS.map(async (kind) => {
      const hasFolder = await isFolder(join(root, kind)).catch(() => false)
      return hasFolder ? (await listFiles(join(root, kind))).map((path) => `${kind}/${path}`) : []
    }),
  )
  return { root, files: namedFiles(lists.flat()) }
}

/** The rows of a portfolio, and where its images are. */
export interface ReadDraft {
  readonly draft: PortfolioDraft
  /** The path of an image that rows name: names are compared without case and after NFC (H5). */
  readonly imagePath: (image: Pick<NamedImage, 'kind' | 'file'>) => string | undefined
}

/** Called with the folder that holds the portfolio, and before each table is read. */
interface ReadingSteps {
  readonly onRoot: (folder: string) => void
  readonly onFile: (file: string) => void
}

/**
 * Reads a portfolio from a folder or from one file (H1), bounded (H4). For the thread that reads.
 * @throws FileError where the folder or the one file cannot be read; FileTooLarge
 */
export const readDraft = async (path: string, { onRoot, onFile }: ReadingSteps): Promise<ReadDraft> => {
  const reading = makeReading(onFile)
  const isOneFile = !(await isFolder(path))
  const { root, files: named } = isOneFile ? await besideFile(path) : await findIn(path)
  onRoot(root)
  const read = () => (isOneFile ? readOneFile(path, reading) : readFolder(root, named, reading))
  const files = (await untilTooMany(read)) ?? NOTHING
  const faults = reading.faults.map(ofFile)
  const imagePath: ReadDraft['imagePath'] = ({ kind, file }) => {
    const found = named.find(kind, file)
    return found === undefined ? undefined : join(root, found)
  }
  return {
    imagePath,
    draft: draftOf(files.source, sha256, {
      faults,
      placed: placed(files),
      sorted: sorted(new Set(faults)),
      whyMissing: (image) =>
        imagePath(image) === undefined
          ? `names no file in ${image.kind}/: add it, or correct the name`
          : undefined,
    }),
  }
}
