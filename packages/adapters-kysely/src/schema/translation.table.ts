import type { ItemId } from '@almoner/domain'

/** Two publications that are translations of each other, by their languages (J7). An item stands in at most one row. */
interface TranslationRow {
  readonly en_id: ItemId
  readonly fr_id: ItemId
}

/** The table of links between publications. */
export interface TranslationTables {
  readonly translation: TranslationRow
}
