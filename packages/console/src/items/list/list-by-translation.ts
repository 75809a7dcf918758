import { type Item, isPost } from '../items.ts'
import { type ItemPage, type ListQuery, listItems } from '../items-api.ts'
import { type TranslationState, translationState } from '../translation-state.ts'

/** Publications of one request, and requests at most. */
const BATCH = 100
const MOST_REQUESTS = 50

/**
 * Lists the Live publications with a state of their translation. The API has no such filter, so this reads all Live publications that match
 * the other filters: at most 5,000.
 */
export const listByTranslation = async (query: ListQuery, state: TranslationState, signal: AbortSignal) => {
  const found: Array<Item> = []
  for (let at = 0; at < MOST_REQUESTS; at += 1) {
    const asked = { ...query, status: 'Live', lim: BATCH, offset: at * BATCH } as const
    const { data, ...rest } = await listItems('library', asked, signal)
    found.push(...data.items.filter((item) => !isPost(item) && translationState(item) === state))
    const page: ItemPage = { items: found, total: found.length, hasNext: false }
    if (!data.hasNext) return { ...rest, data: page }
  }
  throw new RangeError('There are too many publications.')
}
