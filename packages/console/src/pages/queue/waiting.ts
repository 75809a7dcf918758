import type { Item } from '../../items/items.ts'
import { listItems } from '../../items/items-api.ts'

/** Posts that the queue shows at once. */
const MOST = 50

/** The posts that wait: the oldest ones, oldest first, and the number of all. */
interface Waiting {
  readonly items: ReadonlyArray<Item>
  readonly total: number
}

/**
 * Returns the drafts that have waited longest, with their authors (J4). Lists begin with the newest, so the number of all gives the position
 * of the oldest ones.
 */
export const listWaiting = async (signal: AbortSignal) => {
  const filters = { status: 'Draft', include: 'author' } as const
  const { data: first } = await listItems('feed', { ...filters, lim: 1, offset: 0 }, signal)
  const offset = Math.max(0, first.total - MOST)
  const { data, ...rest } = await listItems('feed', { ...filters, lim: MOST, offset }, signal)
  return { ...rest, data: { items: data.items.toReversed(), total: data.total } satisfies Waiting }
}
