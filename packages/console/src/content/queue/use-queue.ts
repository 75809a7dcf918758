import { useEffect, useState } from 'react'
import { changes, useAnswer } from '../../session/answers.ts'
import { fieldsOf } from '../editor/fields.ts'
import type { Item, Status } from '../items.ts'
import { listItems, readItem, updateItem } from '../items-api.ts'
import { type QueueAct, queueActs, undoAct } from './acts.ts'

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
const listWaiting = async (signal: AbortSignal) => {
  const filters = { status: 'Draft', include: 'author,images,reason' } as const
  const { data: first } = await listItems('feed', { ...filters, lim: 1, offset: 0 }, signal)
  const offset = Math.max(0, first.total - MOST)
  const { data, ...rest } = await listItems('feed', { ...filters, lim: MOST, offset }, signal)
  return { ...rest, data: { items: data.items.toReversed(), total: data.total } satisfies Waiting }
}

/** The queue: the posts that wait, the one that is shown, and the acts. */
export interface Queue {
  readonly items: ReadonlyArray<Item> | undefined
  readonly total: number
  readonly position: number
  readonly item: Item | undefined
  readonly error: unknown
  /** Why the server refused the latest act, for the post that is shown. */
  readonly refused: unknown
  readonly reload: () => void
  readonly move: (steps: number) => void
  /** Decides on a post. The reason is for the author of one that is not taken (L3). */
  readonly decide: (item: Item, status: QueueAct['status'], reason?: string) => Promise<void>
  /** Takes an act back, by default the latest one that can be, and shows its post. */
  readonly undo: (act?: QueueAct) => Promise<void>
}

/** A post is no longer as the person has seen it. */
export class PostChanged extends Error {}

/** Returns the post as this page has written it, if the list is older. */
const newest = (listed: Item, written: Item | undefined): Item =>
  written !== undefined && Date.parse(written.updatedAt) > Date.parse(listed.updatedAt)
    ? ({ ...listed, ...written } as Item)
    : listed

/** Decides on the post that the person has seen: fails if it has changed since. Returns the tag of the decision. */
const decideOn = async (
  item: Item,
  status: Status,
  reason: string | undefined,
): Promise<string | undefined> => {
  const { data, etag } = await readItem('feed', item.itemId)
  if (data?.updatedAt !== item.updatedAt) throw new PostChanged()
  const body = { ...fieldsOf(item), status, ...(reason !== undefined && { reason }) }
  return (await updateItem('feed', item.itemId, body, etag)).etag
}

/** Returns the queue of the posts that wait for a decision, at the post that the address names, if it does. */
export const useQueue = (wanted: string | null): Queue => {
  const { answer, error, reload } = useAnswer('queue', listWaiting)
  const [decided, setDecided] = useState<ReadonlyArray<string>>([])
  const [written, setWritten] = useState<Readonly<Record<string, Item>>>({})
  const [present, setPresent] = useState<string>()
  const [refused, setRefused] = useState<{ readonly itemId: string; readonly error: unknown }>()
  useEffect(() => {
    if (wanted !== null) setPresent(wanted)
  }, [wanted])
  const all = answer?.data.items
  const items = all
    ?.filter(({ itemId }) => !decided.includes(itemId))
    .map((item) => newest(item, written[item.itemId]))
  const found = items?.findIndex(({ itemId }) => itemId === present) ?? -1
  const position = Math.max(0, found)
  const item = items?.[position]

  const show = (at: number) => setPresent(items?.[at]?.itemId)
  const undo: Queue['undo'] = async (act = queueActs.list().find(({ state }) => state === 'done')) => {
    if (act?.state !== 'done') return
    const { number, itemId } = act
    queueActs.change(number, { state: 'undoing' })
    try {
      const draft = await undoAct(act)
      queueActs.change(number, { state: 'undone' })
      setWritten((before) => ({ ...before, [itemId]: draft }))
      setDecided((before) => before.filter((id) => id !== itemId))
      setPresent(itemId)
    } catch {
      queueActs.change(number, { state: 'kept' })
    }
    changes.report()
  }
  const decide: Queue['decide'] = async (one, status, reason) => {
    const { itemId } = one
    const number = queueActs.begin(one, status)
    setRefused(undefined)
    if (itemId === item?.itemId) show(position + 1 < (items?.length ?? 0) ? position + 1 : position - 1)
    setDecided((before) => [...before, itemId])
    try {
      queueActs.change(number, { state: 'done', etag: await decideOn(one, status, reason) })
    } catch (failure) {
      queueActs.forget(number)
      setDecided((before) => before.filter((id) => id !== itemId))
      setPresent(itemId)
      setRefused({ itemId, error: failure })
      if (failure instanceof PostChanged) reload()
    }
  }
  return {
    items,
    total: (answer?.data.total ?? 0) - (all?.length ?? 0) + (items?.length ?? 0),
    position,
    item,
    error,
    refused: refused?.itemId === item?.itemId ? refused?.error : undefined,
    reload,
    move: (steps) => {
      const next = position + steps
      if (items?.[next] !== undefined) show(next)
    },
    decide,
    undo,
  }
}
