import type { Item } from './items.ts'

/** How a publication stands to its counterpart in the other language. */
export type TranslationState = 'missing' | 'older' | 'current'

/**
 * Returns how a publication that was read with `include=translation` stands to its counterpart. A Live publication without a Live
 * counterpart misses one. A translation is older if its original has changed later; of two publications, the original is the one that
 * was created first, and ids sort by creation.
 */
export const translationState = ({ itemId, status, updatedAt, translation }: Item): TranslationState => {
  if (translation === undefined || (translation === null && status !== 'Live')) return 'current'
  if (translation === null || (status === 'Live' && translation.status !== 'Live')) return 'missing'
  const isOriginal = itemId < translation.itemId
  return !isOriginal && Date.parse(updatedAt) < Date.parse(translation.updatedAt) ? 'older' : 'current'
}
