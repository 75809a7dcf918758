import type { ContentType } from '@almoner/domain/history'
import type { Test } from 'tap'
import { type Fixture, type FixtureOptions, type Send, STORES, type StoreName } from './fixture.ts'
import { FEED_ITEM, LIBRARY_ITEM } from './samples.ts'
import { rigFor } from './shared-fixture.ts'

/** An item of a response; fields of the other content type are absent. */
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

/** URLs of images on other sites. */
export const IMAGES = {
  coverImgUrl: 'https://example.org/cover.png',
  notificationImgUrl: 'https://example.org/notification.png',
}

/** A photo post without anything to show. */
export const PHOTO = { itemType: 'photo', itemTitle: 'Pump', itemDescription: 'A pump at work' }

/** Default parameters of the tests of a content type. */
export const SENT: Readonly<Record<ContentType, Fields>> = { library: LIBRARY_ITEM, feed: FEED_ITEM }

/** Further parameters that a Live item of a content type needs. */
const LIVE: Readonly<Record<ContentType, Fields>> = { library: IMAGES, feed: {} }

/** Creates an item on a content type, as a manager. */
export const create = async (
  fixture: Fixture,
  contentType: ContentType,
  over: Fields = {},
): Promise<SeenItem> => {
  const answer = await fixture.call('POST', `/${contentType}/`, {
    as: 'manager',
    json: { ...SENT[contentType], ...over },
  })
  return contentType === 'library' ? only(await itemsIn(answer)) : itemIn(answer)
}

/** Sends an update of an item, as a manager: all that is required, status Draft, and `over`. */
export const update = (
  fixture: Fixture,
  contentType: ContentType,
  itemId: string,
  over: Fields = {},
  send: Send = {},
): Promise<Response> =>
  fixture.call('POST', `/${contentType}/${itemId}`, {
    as: 'manager',
    json: { ...SENT[contentType], status: 'Draft', ...over },
    ...send,
  })

/** Creates an item and makes it Live. */
export const createLive = async (
  fixture: Fixture,
  contentType: ContentType,
  over: Fields = {},
): Promise<SeenItem> => {
  const { itemId } = await create(fixture, contentType, over)
  return itemIn(await update(fixture, contentType, itemId, { ...LIVE[contentType], status: 'Live', ...over }))
}

/** Creates an item and brings it into a state. */
export const createIn = async (
  fixture: Fixture,
  contentType: ContentType,
  status: string,
  over: Fields = {},
): Promise<SeenItem> => {
  if (status === 'Live') return createLive(fixture, contentType, over)
  const draft = await create(fixture, contentType, over)
  if (status === 'Draft') return draft
  return itemIn(await update(fixture, contentType, draft.itemId, { ...over, status }))
}

/** An item as a manager sees it, with its ETag. */
export const look = async (fixture: Fixture, contentType: ContentType, itemId: string) => {
  const answer = await fixture.call('GET', `/${contentType}/${itemId}`, { as: 'manager' })
  return { etag: answer.headers.get('etag') ?? '', item: only(await itemsIn(answer)) }
}

/** Runs a test once on each store. */
export const onEachStore = (
  t: Test,
  name: string,
  test: (t: Test, fixture: Fixture, store: StoreName) => Promise<void>,
  options: FixtureOptions = {},
): void => {
  for (const store of STORES)
    t.test(`${name} (${store})`, async (t) => test(t, await rigFor(t, { ...options, store }), store))
}

/** Runs a test on one store, for behaviour that does not depend on the store, such as parameters and images. */
export const onServer = (
  t: Test,
  name: string,
  test: (t: Test, fixture: Fixture) => Promise<void>,
  options: FixtureOptions = {},
): void => {
  t.test(name, async (t) => test(t, await rigFor(t, options)))
}
