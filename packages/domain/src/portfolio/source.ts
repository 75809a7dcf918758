import type * as RNEA from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import type { PortfolioTable } from './rows.ts'

/** A portfolio as its files hold it, before anything is checked. */
export interface PortfolioSource {
  /** Undefined if the files do not state a name: the present one stays (H5). */
  readonly name: unknown
  /** The tables of the load. One that is absent stays as it is (H5). */
  readonly tables: Readonly<Partial<Record<PortfolioTable, ReadonlyArray<unknown>>>>
  /** Tables that have more rows than could be read: they are refused, and what refers to them is not judged. */
  readonly unread: ReadonlyArray<PortfolioTable>
}

/** Where an error stands in a portfolio's files. */
export interface FilePlace {
  readonly file: string
  /** From 1; undefined for the file as a whole. */
  readonly line: number | undefined
}

/** Something wrong with a row, counted from 0; without a row with the table, without a table with the portfolio itself or a file. */
export interface PortfolioFault {
  readonly table: PortfolioTable | undefined
  readonly row: number | undefined
  /** `''` for the row or table as a whole. */
  readonly field: string
  /** The value of the field, as a message repeats it. */
  readonly value?: string
  /** Completes the sentence "<field> <value> …". */
  readonly message: string
  /** Its place, where the portfolio comes from files. */
  readonly place?: FilePlace
}

/** At least one fault. */
export type PortfolioFaults = RNEA.ReadonlyNonEmptyArray<PortfolioFault>

/** The files hold no portfolio; `faults` names every bad row, and nothing has changed (H1). */
export interface PortfolioRefused {
  readonly _tag: 'PortfolioRefused'
  readonly faults: PortfolioFaults
}

/** The refusal of files with these faults. */
export const portfolioRefused = (faults: PortfolioFaults): PortfolioRefused => ({
  _tag: 'PortfolioRefused',
  faults,
})

/** A fault in a field of a row, or with the table where no row is given: as {@link PortfolioFault} has them. */
export const rowFault = (
  table: PortfolioTable,
  row: number | undefined,
  field: string,
  message: string,
): PortfolioFault => ({ table, row, field, message })

/** The most rows of a table, and the most errors of a load, after which reading stops (H4). */
export const PORTFOLIO_LIMITS = { rows: 100_000, faults: 1000 } as const

/** The sentence of the last error, where there are too many to name all. */
export const READING_STOPPED = `is the last error that is named: reading stopped after ${PORTFOLIO_LIMITS.faults}`

/** Collects the first values of several sources; a source is not read any further once there are enough. */
export const firstOf = <A>(most: number, ...sources: ReadonlyArray<Iterable<A>>): ReadonlyArray<A> => {
  const first: Array<A> = []
  for (const source of sources)
    for (const value of source) {
      if (first.length >= most) return first
      first.push(value)
    }
  return first
}
