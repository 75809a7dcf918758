import type { PortfolioSource, PortfolioTable } from '@almoner/domain/portfolio'

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
