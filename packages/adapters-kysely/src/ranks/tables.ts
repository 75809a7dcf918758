import type { ItemId, Shelf } from '@almoner/domain'

/** How far the changes of a shelf, or of the portfolio, have come: their number, and what marks this state apart from any other. */
export interface ShelfRow {
  readonly name: Shelf | 'portfolio'
  readonly seq: number
  readonly mark: number
}

/** A change of where an item stands: `was` and `becomes` are a standing as JSON; a new item was nowhere. */
export interface ShelfChangeRow {
  readonly shelf: Shelf
  readonly seq: number
  readonly mark: number
  readonly item_id: ItemId
  readonly was: string | null
  readonly becomes: string
}

/** The tables that ranks are kept up to date by. They are no content: they are neither moved nor restored. */
export interface RankTables {
  readonly shelf: ShelfRow
  readonly shelf_change: ShelfChangeRow
}

/** Their names. */
export const RANK_TABLES = ['shelf', 'shelf_change'] as const satisfies ReadonlyArray<keyof RankTables>
