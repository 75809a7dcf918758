import type { Shelf } from '@almoner/domain'

/** How far the changes of a shelf, or of the portfolio, have come: their number, and what marks this state apart from any other. */
export interface ShelfRow {
  readonly name: Shelf | 'portfolio'
  readonly seq: number
  readonly mark: number
  /** The number up to which somebody wants changes written down. */
  readonly wanted: number
}

/** Changes of where items of a shelf stand that were written together, as JSON, and the number and the mark of the state behind them. */
export interface ChangeRow {
  readonly seq: number
  readonly mark: number
  readonly changes: string
}

/** The tables that ranks are kept up to date by. They are no content: they are neither moved nor restored. */
export interface RankTables {
  readonly shelf: ShelfRow
  readonly library_change: ChangeRow
  readonly feed_change: ChangeRow
}

/** Their names. */
export const RANK_TABLES = ['shelf', 'library_change', 'feed_change'] as const satisfies ReadonlyArray<
  keyof RankTables
>
