import type { ItemId } from '@almoner/domain'

/**
 * Two publications that are translations of each other, by their languages (J7). An item stands in at most one row. The base of a pair is the
 * number of the last revision with its words, on the side whose words differ from them now: the other side is older (J8). In step both are null.
 */
export interface TranslationRow {
  readonly en_id: ItemId
  readonly fr_id: ItemId
  readonly en_base: number | null
  readonly fr_base: number | null
}

/** The table of links between publications. */
export interface TranslationTables {
  readonly translation: TranslationRow
}
