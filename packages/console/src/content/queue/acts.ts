import { useSyncExternalStore } from 'react'
import type { Item, Status } from '../items.ts'
import { undoChange } from '../items-api.ts'

/** A decision of the person on a post, on this page or before it was left. */
export interface QueueAct {
  readonly number: number
  readonly itemId: string
  readonly title: string
  readonly lang: string
  readonly status: Exclude<Status, 'Draft'>
  /** `kept` is an act that could not be undone. */
  readonly state: 'running' | 'done' | 'undoing' | 'undone' | 'kept'
  /** The tag of the revision that the act made. */
  readonly etag?: string | undefined
}

/** Acts that are listed. */
const MOST = 10

let acts: ReadonlyArray<QueueAct> = []
let count = 0
const listeners = new Set<() => void>()

const set = (next: ReadonlyArray<QueueAct>): void => {
  acts = next.slice(0, MOST)
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The last acts of the person, the latest first. */
export const queueActs = {
  list: (): ReadonlyArray<QueueAct> => acts,
  /** Notes that an act has begun. Returns its number. */
  begin: ({ itemId, itemTitle, lang }: Item, status: QueueAct['status']): number => {
    count += 1
    set([{ number: count, itemId, title: itemTitle, lang, status, state: 'running' }, ...acts])
    return count
  },
  change: (number: number, change: Partial<QueueAct>): void =>
    set(acts.map((act) => (act.number === number ? { ...act, ...change } : act))),
  /** Takes an act off the list: it was refused. */
  forget: (number: number): void => set(acts.filter((act) => act.number !== number)),
}

/** Returns the last acts, and renders again when they change. */
export const useQueueActs = (): ReadonlyArray<QueueAct> => useSyncExternalStore(subscribe, queueActs.list)

/** Takes an act on a post back, if nothing has changed the post since. Returns the post. */
export const undoAct = async ({ itemId, etag }: QueueAct): Promise<Item> =>
  (await undoChange('feed', itemId, etag)).data
