import type { Store } from '@almoner/adapters-kysely'
import type { FeedItem, ItemId, LibraryItem } from '@almoner/domain'
import { linked } from '@almoner/domain/media'
import type { WebUrl } from '@almoner/domain/values'
import { done, sampleFeedItem, sampleLibraryItem } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'

const image: O.Some<ReturnType<typeof linked>> = {
  _tag: 'Some',
  value: linked('https://example.org/image.png' as WebUrl),
}

/** A library item as it would be when Live. */
export const liveLibraryItem = (
  n: number,
  over: Parameters<typeof sampleLibraryItem>[1] = {},
): LibraryItem => ({
  ...sampleLibraryItem(n, over),
  status: 'Live',
  images: { cover: image, notification: image },
})

/** A feed item as it would be when Live: a link, or a photo that a link leads to. */
export const liveFeedItem = (n: number, over: Parameters<typeof sampleFeedItem>[1] = {}): FeedItem => {
  const item = sampleFeedItem(n, over)
  const link: O.Some<WebUrl> = { _tag: 'Some', value: 'https://example.org/shown' as WebUrl }
  const content = { kind: 'photo' as const, link, vlink: O.none, image: O.none }
  return { ...item, status: 'Live', content: item.content.kind === 'photo' ? content : { ...item.content } }
}

const asIs = <Item>(item: Item) => E.right({ item, storesImages: [], displaysImages: [], linksToImages: [] })

/** Puts a library item of any status there, by way of a Draft. */
export const putLibraryItem = async ({ libraryItems }: Pick<Store, 'libraryItems'>, item: LibraryItem) => {
  const { images: _, ...content } = item
  const draft = { ...content, status: 'Draft' as const, images: { cover: O.none, notification: O.none } }
  await done(libraryItems.add({ item: draft, linksToImages: [] }))
  await done(libraryItems.change<never>(item.id, () => asIs(item)))
}

/** Puts a feed item of any status there, by way of a Draft. */
export const putFeedItem = async ({ feedItems }: Pick<Store, 'feedItems'>, item: FeedItem) => {
  await done(feedItems.add({ item: { ...item, status: 'Draft' }, linksToImages: [] }))
  await done(feedItems.change<never>(item.id, () => asIs(item)))
}

/** Identifiers of items, for comparing lists at a glance. */
export const idsOf = (items: ReadonlyArray<{ readonly id: ItemId }>): ReadonlyArray<ItemId> =>
  items.map(({ id }) => id)
