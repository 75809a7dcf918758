import type { FileFault } from './file-fault.ts'

/** The rows of a table, and where they stand. */
export interface TableFile {
  readonly file: string
  readonly rows: ReadonlyArray<unknown>
  /** The line of a row's field, or of the row where that is all there is to say; from 1. */
  readonly lineOf: (row: number, field: string) => number
  /** What is wrong with the file that its rows do not show. */
  readonly faults: ReadonlyArray<FileFault>
  /** Columns that must be there and are not: `faults` tells them once, for every row. */
  readonly lacking: ReadonlyArray<string>
  /** Whether the file has no other rows than these; if it has, `faults` tells why. */
  readonly isWhole: boolean
}

/** A table of which no row can be read. */
export const unreadTable = (fault: FileFault): TableFile => ({
  file: fault.file,
  rows: [],
  lineOf: () => fault.line ?? 1,
  faults: [fault],
  lacking: [],
  isWhole: false,
})
