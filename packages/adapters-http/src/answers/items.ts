import {
  addressOf,
  type FeedItem,
  type ImageRef,
  type LibraryItem,
  type MediaAddresses,
  relatedFeedImage,
  relatedLibraryImage,
  toRfc3339,
} from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { LANG } from './one-of.ts'
import { orEmpty } from './or-empty.ts'

const CORE = {
  itemId: t.string,
  isDonorRestricted: t.keyof({ '0': null, '1': null }),
  lang: LANG,
  itemTitle: t.string,
  itemDescription: t.string,
  link: t.string,
  status: t.keyof({ Draft: null, Live: null, Archived: null }),
  itemRelatedLink: t.string,
  createdAt: t.string,
  updatedAt: t.string,
}

/** A library item as callers see it: every field always there, absent text as `""` (C2). */
export const LibraryItemAnswer = t.strict({
  item: t.strict({
    ...CORE,
    itemPublicationDate: t.string,
    coverImgUrl: t.string,
    notificationImgUrl: t.string,
  }),
})

/** A feed item as callers see it (C2). */
export const FeedItemAnswer = t.strict({
  item: t.strict({ ...CORE, itemType: t.keyof({ photo: null, link: null, vlink: null }), vlink: t.string }),
})

const timesOf = ({ createdAt, updatedAt }: LibraryItem | FeedItem) => {
  const created = toRfc3339(createdAt)
  // Writing a time down takes as long as half of an item's JSON.
  return { createdAt: created, updatedAt: updatedAt === createdAt ? created : toRfc3339(updatedAt) }
}

const coreOf = (item: LibraryItem | FeedItem) => ({
  itemId: item.id,
  isDonorRestricted: item.isDonorRestricted ? ('1' as const) : ('0' as const),
  lang: item.lang,
  itemTitle: item.title,
  itemDescription: item.description,
  status: item.status,
  ...timesOf(item),
})

const urlOf =
  (addresses: MediaAddresses) =>
  (image: O.Option<ImageRef>): string =>
    pipe(image, O.map(addressOf(addresses)), orEmpty)

/** The `itemRelatedLink` of a library item: its cover's address, or `""` (D3). */
export const libraryRelatedLink = (addresses: MediaAddresses, item: LibraryItem): string =>
  urlOf(addresses)(relatedLibraryImage(item))

/** The `itemRelatedLink` of a feed item: its uploaded image's address, or `""` (D3). */
export const feedRelatedLink = (addresses: MediaAddresses, item: FeedItem): string =>
  urlOf(addresses)(relatedFeedImage(item))

export const encodeLibraryItem =
  (addresses: MediaAddresses) =>
  (item: LibraryItem): t.TypeOf<typeof LibraryItemAnswer> => ({
    item: {
      ...coreOf(item),
      link: item.link,
      itemRelatedLink: libraryRelatedLink(addresses, item),
      itemPublicationDate: item.publicationDate,
      coverImgUrl: urlOf(addresses)(item.images.cover),
      notificationImgUrl: urlOf(addresses)(item.images.notification),
    },
  })

export const encodeFeedItem =
  (addresses: MediaAddresses) =>
  (item: FeedItem): t.TypeOf<typeof FeedItemAnswer> => ({
    item: {
      ...coreOf(item),
      link: orEmpty(item.content.link),
      itemRelatedLink: feedRelatedLink(addresses, item),
      itemType: item.content.kind,
      vlink: orEmpty(item.content.vlink),
    },
  })
