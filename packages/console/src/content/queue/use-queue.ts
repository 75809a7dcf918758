import { useState } from 'react'
import { changes, useAnswer } from '../../session/answers.ts'
import { useMessages } from '../../session/session.tsx'
import { showToast } from '../../ui/overlays.tsx'
import { fieldsOf } from '../editor/fields.ts'
import type { Item, Status } from '../items.ts'
import { listItems, readItem, updateItem } from '../items-api.ts'

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
  const filters = { status: 'Draft', include: 'author' } as const
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
  readonly decide: (status: Exclude<Status, 'Draft'>) => Promise<void>
}

/** A post is no longer as the person has seen it. */
export class PostChanged extends Error {}

/** Makes a post a Draft again, with the fields that it has now. Returns it. */
const backToDraft = async (itemId: string): Promise<Item | undefined> => {
  const { data, etag } = await readItem('feed', itemId)
  if (data === undefined) return undefined
  return (await updateItem('feed', itemId, { ...fieldsOf(data), status: 'Draft' }, etag)).data
}

/** Returns the post as this page has written it, if the list is older. */
const newest = (listed: Item, written: Item | undefined): Item =>
  written !== undefined && Date.parse(written.updatedAt) > Date.parse(listed.updatedAt)
    ? ({ ...listed, ...written } as Item)
    : listed

/** Approves the post that the person has seen: fails if it has changed since. */
const decideOn = async (item: Item, status: Status): Promise<void> => {
  const { data, etag } = await readItem('feed', item.itemId)
  if (data?.updatedAt !== item.updatedAt) throw new PostChanged()
  await updateItem('feed', item.itemId, { ...fieldsOf(item), status }, etag)
}

/** Returns the queue of the posts that wait for a decision. */
export const useQueue = (): Queue => {
  const { queue } = useMessages()
  const { answer, error, reload } = useAnswer('queue', listWaiting)
  const [decided, setDecided] = useState<ReadonlyArray<string>>([])
  const [written, setWritten] = useState<Readonly<Record<string, Item>>>({})
  const [present, setPresent] = useState<string>()
  const [refused, setRefused] = useState<{ readonly itemId: string; readonly error: unknown }>()
  const all = answer?.data.items
  const items = all
    ?.filter(({ itemId }) => !decided.includes(itemId))
    .map((item) => newest(item, written[item.itemId]))
  const found = items?.findIndex(({ itemId }) => itemId === present) ?? -1
  const position = Math.max(0, found)
  const item = items?.[position]

  const show = (at: number) => setPresent(items?.[at]?.itemId)
  const undo = async (itemId: string) => {
    const draft = await backToDraft(itemId).catch(() => showToast({ text: queue.undoFailed }))
    if (draft !== undefined) setWritten((before) => ({ ...before, [itemId]: draft }))
    setDecided((before) => before.filter((id) => id !== itemId))
    setPresent(itemId)
    changes.report()
  }
  const decide: Queue['decide'] = async (status) => {
    if (item === undefined) return
    const { itemId } = item
    setRefused(undefined)
    show(position + 1 < (items?.length ?? 0) ? position + 1 : position - 1)
    setDecided((before) => [...before, itemId])
    try {
      await decideOn(item, status)
      showToast({ text: queue.done[status], action: { label: queue.undo, run: () => void undo(itemId) } })
    } catch (failure) {
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
  }
}
