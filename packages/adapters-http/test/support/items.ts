import type { Shelf } from '@almoner/domain'
import type { Test } from 'tap'
import { type Rig, type RigOptions, type Send, STORES, type StoreName } from './rig.ts'
import { FEED_ITEM, LIBRARY_ITEM } from './samples.ts'
import { rigFor } from './shared-rig.ts'

/** An item as it came; what only the other shelf has is not there. */
export interface SeenItem {
  readonly itemId: string
  readonly isDonorRestricted: string
  readonly lang: string
  readonly itemTitle: string
  readonly itemDescription: string
  readonly link: string
  readonly status: string
  readonly itemRelatedLink: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly itemPublicationDate: string
  readonly coverImgUrl: string
  readonly notificationImgUrl: string
  readonly itemType: string
  readonly vlink: string
}

export type Fields = Readonly<Record<string, unknown>>

const bodyOf = async (answer: Response): Promise<unknown> => {
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`expected 200, got ${answer.status}`, { cause: text })
  return JSON.parse(text)
}

/** The items of a collection that was answered with 200. */
export const itemsIn = async (answer: Response): Promise<ReadonlyArray<SeenItem>> => {
  const { items } = (await bodyOf(answer)) as { items: ReadonlyArray<{ item: SeenItem }> }
  return items.map(({ item }) => item)
}

/** The single item that was answered with 200. */
export const itemIn = async (answer: Response): Promise<SeenItem> =>
  ((await bodyOf(answer)) as { item: SeenItem }).item

const only = (items: ReadonlyArray<SeenItem>): SeenItem => {
  const [item, ...others] = items
  if (item === undefined || others.length > 0) throw new Error('expected one item', { cause: items })
  return item
}

/** Addresses of images that live elsewhere. */
export const IMAGES = {
  coverImgUrl: 'https://example.org/cover.png',
  notificationImgUrl: 'https://example.org/notification.png',
}

/** A photo post without anything to show. */
export const PHOTO = { itemType: 'photo', itemTitle: 'Pump', itemDescription: 'A pump at work' }

/** What a shelf's tests send when they have nothing particular to say. */
export const SENT: Readonly<Record<Shelf, Fields>> = { library: LIBRARY_ITEM, feed: FEED_ITEM }

/** What else an item of a shelf needs to be Live. */
const LIVE: Readonly<Record<Shelf, Fields>> = { library: IMAGES, feed: {} }

/** Creates an item on a shelf, as a manager. */
export const create = async (rig: Rig, shelf: Shelf, over: Fields = {}): Promise<SeenItem> => {
  const answer = await rig.call('POST', `/${shelf}/`, { as: 'manager', json: { ...SENT[shelf], ...over } })
  return shelf === 'library' ? only(await itemsIn(answer)) : itemIn(answer)
}

/** Sends an update of an item, as a manager: all that is required, status Draft, and `over`. */
export const update = (
  rig: Rig,
  shelf: Shelf,
  itemId: string,
  over: Fields = {},
  send: Send = {},
): Promise<Response> =>
  rig.call('POST', `/${shelf}/${itemId}`, {
    as: 'manager',
    json: { ...SENT[shelf], status: 'Draft', ...over },
    ...send,
  })

/** Creates an item and makes it Live. */
export const createLive = async (rig: Rig, shelf: Shelf, over: Fields = {}): Promise<SeenItem> => {
  const { itemId } = await create(rig, shelf, over)
  return itemIn(await update(rig, shelf, itemId, { ...LIVE[shelf], status: 'Live', ...over }))
}

/** Creates an item and brings it into a state. */
export const createIn = async (
  rig: Rig,
  shelf: Shelf,
  status: string,
  over: Fields = {},
): Promise<SeenItem> => {
  if (status === 'Live') return createLive(rig, shelf, over)
  const draft = await create(rig, shelf, over)
  if (status === 'Draft') return draft
  return itemIn(await update(rig, shelf, draft.itemId, { ...over, status }))
}

/** An item as a manager sees it, with its ETag. */
export const look = async (rig: Rig, shelf: Shelf, itemId: string) => {
  const answer = await rig.call('GET', `/${shelf}/${itemId}`, { as: 'manager' })
  return { etag: answer.headers.get('etag') ?? '', item: only(await itemsIn(answer)) }
}

/** Runs a test once on each store. */
export const onEachStore = (
  t: Test,
  name: string,
  test: (t: Test, rig: Rig, store: StoreName) => Promise<void>,
  options: RigOptions = {},
): void => {
  for (const store of STORES)
    t.test(`${name} (${store})`, async (t) => test(t, await rigFor(t, { ...options, store }), store))
}

/** Runs a test on one store, for behaviour that does not depend on the store, such as parameters and images. */
export const onServer = (
  t: Test,
  name: string,
  test: (t: Test, rig: Rig) => Promise<void>,
  options: RigOptions = {},
): void => {
  t.test(name, async (t) => test(t, await rigFor(t, options)))
}
