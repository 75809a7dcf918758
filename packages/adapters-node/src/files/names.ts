import { PORTFOLIO_IMAGE_KINDS } from '@almoner/domain/media'
import {
  nearestOf,
  PORTFOLIO_TABLES,
  type PortfolioSource,
  type PortfolioTable,
  shownValue,
} from '@almoner/domain/portfolio'
import { nfcOf } from '@almoner/domain/values'

// How the files of a portfolio are found by their names (H5).

/** The file with the name of a portfolio. */
export const HEAD = 'portfolio.json'

const ENDINGS = ['json', 'csv'] as const

/** The files of a portfolio beside its images. */
const KNOWN: ReadonlyArray<string> = [
  HEAD,
  ...PORTFOLIO_TABLES.flatMap((table) => ENDINGS.map((ending) => `${table}.${ending}`)),
]

/** The sentence about a folder or an upload without a portfolio. */
export const HOLDS_NONE = 'holds no files of a portfolio'

/** Returns a name as it is compared: NFC, without case. */
export const foldedName = (name: string): string => nfcOf(name).toLowerCase()

/** Returns whether a name is that of a system's own file or folder, or hidden. */
export const isForeign = (name: string): boolean =>
  /^\.(?!\.?$)/.test(name) || name === '__MACOSX' || /^(?:thumbs\.db|desktop\.ini)$/i.test(name)

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

const isKnown = (path: string): boolean => KNOWN.includes(foldedName(nameOf(path)))

/** Returns two names that are alike, always in the same order. */
export const twinsOf = (one: string, another: string): readonly [first: string, other: string] =>
  one < another ? [another, one] : [one, another]

/** Returns the sentence about the other of two files whose names are alike. */
export const sameName = (first: string): string => `has the same name as ${first}: keep one of the two`

const byDepth = (paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  paths.toSorted((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1))

/**
 * Returns the folder of the portfolio among the paths of its files: that of the outermost file with a known name, else that of the outermost
 * table. Undefined if there is none.
 */
export const rootOf = (paths: ReadonlyArray<string>): string | undefined => {
  const sorted = byDepth(paths)
  const first = sorted.find(isKnown) ?? sorted.find((path) => /\.(?:json|csv)$/i.test(path))
  return first === undefined ? undefined : folderOf(first)
}

/** Letters of a folder's name that may be wrong for it to be taken for that of images. */
const MISSPELT = 2

/** Returns the known name that is nearest to the path of a file that is not recognised. */
const nearestTo = (path: string): string => {
  const name = nameOf(path)
  if (isKnown(path)) return foldedName(name)
  const kind = PORTFOLIO_IMAGE_KINDS.find((one) =>
    folderOf(path)
      .toLowerCase()
      .split('/')
      .some((folder) => folder.startsWith(one) && folder.length <= one.length + MISSPELT),
  )
  if (kind !== undefined) return `${kind}/${shownValue(name) ?? ''}`
  const [, stem = name, ending = ''] = /^(.*)\.([^.]+)$/.exec(name) ?? []
  const known = KNOWN.filter((one) => one.endsWith(`.${ending.toLowerCase()}`))
  return known.length > 0
    ? nearestOf(name, known)
    : `${nearestOf(stem, [...PORTFOLIO_TABLES])}.${ending === '' ? 'json' : 'csv'}`
}

/** Returns the sentence about a file that is not recognised. */
export const notRecognised = (path: string): string =>
  `is no file of a portfolio: the nearest known name is ${nearestTo(path)}`

/** The files of a folder by the names that they are meant to have. */
export interface NamedFiles {
  /** Returns the path of a file, as it is written; undefined if there is none. */
  readonly find: (folder: string, name: string) => string | undefined
  /** Files whose names are alike, the first of them first. */
  readonly alike: ReadonlyArray<readonly [first: string, other: string]>
  /** Files that are not recognised. */
  readonly others: ReadonlyArray<string>
}

/** Sorts the files of a portfolio by their names. @param paths below the folder of the portfolio */
export const namedFiles = (paths: ReadonlyArray<string>): NamedFiles => {
  const found = new Map<string, string>()
  const alike: Array<readonly [string, string]> = []
  const others: Array<string> = []
  for (const path of paths) {
    const folder = folderOf(path)
    const isImage = PORTFOLIO_IMAGE_KINDS.some((kind) => kind === folder)
    if (!isImage && !(folder === '' && isKnown(path))) {
      others.push(path)
      continue
    }
    const key = `${folder}/${foldedName(nameOf(path))}`
    const first = found.get(key)
    if (first === undefined) found.set(key, path)
    else alike.push(twinsOf(first, path))
  }
  return { find: (folder, name) => found.get(`${folder}/${foldedName(name)}`), alike, others }
}

/** The rows of a table, and where they stand. */
export interface TableFile {
  readonly file: string
  readonly rows: ReadonlyArray<unknown>
  /** The line of a row's field, or of the row where that is all there is to say; from 1. */
  readonly lineOf: (row: number, field: string) => number
  /** Missing required columns: the reading's errors have them once for all rows. */
  readonly lacking: ReadonlyArray<string>
  /** Whether these are all rows of the file; if not, the reading's errors have the reason. */
  readonly isWhole: boolean
}

/** A table of which no row can be read. */
export const unreadTable = (file: string, line = 1): TableFile => ({
  file,
  rows: [],
  lineOf: () => line,
  lacking: [],
  isWhole: false,
})

/** The name of a portfolio, and where it stands. */
export interface NamePlace {
  /** Undefined if the files do not state it. */
  readonly called: unknown
  readonly file: string
  readonly line: number | undefined
}

/** A portfolio as its files hold it, read as far as they can be but not yet checked. */
export interface PortfolioFiles {
  readonly source: PortfolioSource
  readonly tables: Readonly<Partial<Record<PortfolioTable, TableFile>>>
  /** Undefined if its file is unreadable, which the reading's errors contain. */
  readonly name: NamePlace | undefined
}

/** The tables that there are files for. */
export type TableFiles = ReadonlyArray<readonly [PortfolioTable, TableFile]>

/** The files as one portfolio. */
export const gather = (read: TableFiles, name: NamePlace | undefined): PortfolioFiles => ({
  name,
  tables: Object.fromEntries(read),
  source: {
    name: name?.called,
    tables: Object.fromEntries(read.map(([table, { rows }]) => [table, rows])),
    unread: read.filter(([, { isWhole }]) => !isWhole).map(([table]) => table),
  },
})
