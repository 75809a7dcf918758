import * as O from 'fp-ts/lib/Option.js'
import { type ImageRef, type MediaName, stored } from '../media/model.ts'
import type { WebUrl } from '../values/addresses.ts'
import { oneOf } from '../values/refined.ts'
import type { ItemCore } from './item.ts'

/** What a post may show: a photo, a link, or a link to a video. */
export const FEED_KINDS = ['photo', 'link', 'vlink'] as const
export type FeedKind = (typeof FEED_KINDS)[number]

/** `itemType`, matched exactly (B6). */
export const FeedKind = oneOf('FeedKind', FEED_KINDS, 'Type of the post.')

interface Unstated {
  readonly link: O.Option<WebUrl>
  readonly vlink: O.Option<WebUrl>
  /** The uploaded image. */
  readonly image: O.Option<MediaName>
}

/** A post whose content does not yet say enough to be shown only where `photo` is: the others carry their link always. */
export type FeedContent =
  | (Unstated & { readonly kind: 'photo' })
  | (Unstated & { readonly kind: 'link'; readonly link: O.Some<WebUrl> })
  | (Unstated & { readonly kind: 'vlink'; readonly vlink: O.Some<WebUrl> })

/** A photo post that has something to show (C7). */
export type ShownPhoto = Unstated & { readonly kind: 'photo' } & (
    | { readonly link: O.Some<WebUrl> }
    | { readonly image: O.Some<MediaName> }
  )

/** Content that may be Live (C7). */
export type ShownContent = ShownPhoto | Exclude<FeedContent, { readonly kind: 'photo' }>

/** A post that only content managers see. A photo may still have nothing to show. */
export interface UnpublishedFeedItem extends ItemCore {
  readonly status: 'Draft' | 'Archived'
  readonly content: FeedContent
}

/** A post that is out: what its kind shows is there, by type (C7). */
export interface LiveFeedItem extends ItemCore {
  readonly status: 'Live'
  readonly content: ShownContent
}

/** A post of the feed, in any state. */
export type FeedItem = UnpublishedFeedItem | LiveFeedItem

/** The image that stands for the item: the uploaded one (D3). */
export const relatedFeedImage = (item: FeedItem): O.Option<ImageRef> => O.map(stored)(item.content.image)
