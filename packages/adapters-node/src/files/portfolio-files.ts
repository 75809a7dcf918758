import type { PortfolioSource, PortfolioTable } from '@almoner/domain/portfolio'
import type { FileFault } from './file-fault.ts'

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
  readonly called: unknown
  readonly file: string
  readonly line: number
}

/** A portfolio as its files hold it, read as far as they can be but not yet checked. */
export interface PortfolioFiles {
  readonly source: PortfolioSource
  readonly tables: Readonly<Partial<Record<PortfolioTable, TableFile>>>
  /** Undefined if its file is unreadable, which the reading's errors contain. */
  readonly name: NamePlace | undefined
  /** The folder that holds `logo` and `visual`. */
  readonly images: string
  /** What a person should be told of a table that is missing. */
  readonly missing: (table: PortfolioTable) => FileFault
}

/** The tables that there are files for. */
export type TableFiles = ReadonlyArray<readonly [PortfolioTable, TableFile]>

/** The files as one portfolio. */
export const gather = (
  read: TableFiles,
  rest: Pick<PortfolioFiles, 'name' | 'images' | 'missing'>,
): PortfolioFiles => ({
  ...rest,
  tables: Object.fromEntries(read),
  source: {
    name: rest.name?.called,
    tables: Object.fromEntries(read.map(([table, { rows }]) => [table, rows])),
    unread: read.filter(([, { isWhole }]) => !isWhole).map(([table]) => table),
  },
})
