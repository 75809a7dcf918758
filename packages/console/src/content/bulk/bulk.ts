import type { ContentType, Item, Status } from '../items.ts'

/** What a bulk act does to each of its items. */
export type BulkAct =
  | { readonly kind: 'status'; readonly status: Status }
  | { readonly kind: 'label'; readonly labelId: string; readonly isAttached: boolean }

/** Why the server refused a request, as far as it is stored and shown. */
interface Reason {
  readonly status: number
  readonly code: string
  readonly errors: ReadonlyArray<{ readonly field: string; readonly message: string }>
}

/** A request that has been sent. The server answers a repeat with its key as it answered the first one (I4). */
export interface SentUpdate {
  readonly key: string
  readonly etag: string
  readonly body: object
}

/**
 * How far an item of an act is: `waiting` is not begun, `same` needed nothing, `changed` is not as the person has seen it, `unknown` has no
 * answer yet.
 */
export type EntryState = 'waiting' | 'running' | 'done' | 'same' | 'changed' | 'refused' | 'unknown'

/** One item of a bulk act. */
export interface BulkEntry {
  readonly itemId: string
  readonly title: string
  readonly lang: Item['lang']
  readonly state: EntryState
  /** The item as the person has seen it, until it is known that it is still so. */
  readonly seen?: Item | undefined
  /** The version that the act has made, which undo takes back. */
  readonly etag?: string | undefined
  readonly sent?: SentUpdate | undefined
  /** Whether the request that changes a label has been sent. */
  readonly isLabelSent?: true
  readonly reason?: Reason | undefined
}

/** A bulk act with all its items. It is stored as JSON, so that the end of the page does not lose it. */
export interface BulkRun {
  readonly id: string
  /** The person whose session acts. */
  readonly email: string
  readonly at: number
  readonly contentType: ContentType
  readonly act: BulkAct
  readonly isUndo: boolean
  readonly entries: ReadonlyArray<BulkEntry>
}

/** Rows of a list that one act takes at most. Further ones are a second step. */
export const MOST_SELECTED = 500

/** Starts an act on items as the person sees them. */
export const newRun = (
  contentType: ContentType,
  act: BulkAct,
  items: Iterable<Item>,
  given: Pick<BulkRun, 'id' | 'email' | 'at'>,
): BulkRun => ({
  ...given,
  contentType,
  act,
  isUndo: false,
  entries: [...items].map((item) => ({
    ...{ itemId: item.itemId, title: item.itemTitle, lang: item.lang },
    state: 'waiting',
    ...(act.kind === 'status' && { seen: item }),
  })),
})

/** Milliseconds for which the server takes a change of a status back (M12). */
const UNDO_TIME = 60 * 60 * 1000

/**
 * Returns the act that takes back what an act has changed (M12); undefined if it has changed nothing, is itself such an act, or is too old.
 */
export const undoOf = (run: BulkRun, given: Pick<BulkRun, 'id' | 'at'>): BulkRun | undefined => {
  const { act, isUndo, entries } = run
  const changed = entries.filter(({ state }) => state === 'done')
  const isLate = act.kind === 'status' && given.at - run.at > UNDO_TIME
  if (isUndo || isLate || changed.length === 0) return undefined
  return {
    ...run,
    ...given,
    isUndo: true,
    act: act.kind === 'label' ? { ...act, isAttached: !act.isAttached } : act,
    entries: changed.map(({ itemId, title, lang, etag }) => ({
      ...{ itemId, title, lang, etag },
      state: 'waiting',
    })),
  }
}

/** Returns the act with one of its entries changed. */
export const withEntry = (run: BulkRun, itemId: string, change: Partial<BulkEntry>): BulkRun => ({
  ...run,
  entries: run.entries.map((entry) => (entry.itemId === itemId ? { ...entry, ...change } : entry)),
})

/**
 * Returns an act as it is after the end of its page. What was under way has an unknown outcome if its request may have been sent, and has
 * not begun otherwise.
 */
export const interrupted = (run: BulkRun): BulkRun => ({
  ...run,
  entries: run.entries.map((entry) => {
    if (entry.state !== 'running') return entry
    return { ...entry, state: entry.sent === undefined && !entry.isLabelSent ? 'waiting' : 'unknown' }
  }),
})

/** Whether an item is still as the person has seen it. Included members do not count: labels and links have no versions (C10, J7). */
export const isAsSeen = (seen: Item, read: Item): boolean =>
  Object.entries(read).every(
    ([name, value]) => typeof value !== 'string' || Reflect.get(seen, name) === value,
  )
