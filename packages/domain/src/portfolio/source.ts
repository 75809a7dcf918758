import type * as RNEA from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import type { PortfolioTable } from './rows.ts'

/** A portfolio as its files hold it, before anything is checked. */
export interface PortfolioSource {
  readonly name: unknown
  readonly tables: Readonly<Partial<Record<PortfolioTable, ReadonlyArray<unknown>>>>
  /** Tables that have more rows than could be read: they are refused, and what refers to them is not judged. */
  readonly unread: ReadonlyArray<PortfolioTable>
}

/** Something wrong with a row, counted from 0; without a row with the table, without a table with the portfolio itself. */
export interface PortfolioFault {
  readonly table: PortfolioTable | undefined
  readonly row: number | undefined
  /** `''` for the row or table as a whole. */
  readonly field: string
  /** Completes the sentence "<field> …". */
  readonly message: string
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
