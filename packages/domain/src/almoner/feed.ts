import { makeCreateFeedItem, makeUpdateFeedItem } from '../content/feed.ts'
import { makeRemoveFeedImage, makeUploadFeedImage } from '../content/images.ts'
import { makeListFeedItems } from '../content/lists.ts'
import { makeListOwnPosts } from '../people/preferences.ts'
import type { Policy } from '../policy.ts'
import type { Ports } from '../ports.ts'

/** The news feed, which donors post to. */
export interface FeedArea {
  /**
   * Lists the posts that the caller may see, newest first (A3, C3, C4).
   * Fails with InsufficientScope, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.feed.list(caller, { itemType: 'photo', lim: 10 })
   * ```
   */
  readonly list: ReturnType<typeof makeListFeedItems>
  /**
   * Lists the posts of one user, in every state and newest first (L3).
   * Fails with InsufficientScope, NoActingUser, ValidationFailed, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.feed.ownPosts(donor, { email: 'me', lim: 10 })
   * ```
   */
  readonly ownPosts: ReturnType<typeof makeListOwnPosts>
  /**
   * Creates a post as a Draft, which a content manager approves (B9).
   * Fails with InsufficientScope, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const input = parseInput(CreateFeedItem, { itemType: 'photo', itemTitle: 'A new well', itemDescription: 'Clean water.' })
   * if (input.ok) await almoner.promises.feed.create(donor, input.value)
   * ```
   */
  readonly create: ReturnType<typeof makeCreateFeedItem>
  /**
   * Edits a post and changes its status (C5, C7). `expected` holds the revisions that may be overwritten, or none for any (C10).
   * Fails with HasCounterpart, IllegalTransition, ImageMissing, InsufficientScope, ItemNotFound, PreconditionFailed,
   * ValidationFailed, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const input = parseInput(UpdateFeedItem, { ...post, itemId: item.id, status: 'Live' })
   * if (input.ok) await almoner.promises.feed.update(manager, input.value, some(new Set([item.revision])))
   * ```
   */
  readonly update: ReturnType<typeof makeUpdateFeedItem>
  /**
   * Stores an image 400 pixels wide and 560 high as the post's image (D1, D3, D4). `bytes` is the uploaded file.
   * Fails with AnimatedImage, BrokenImage, HasCounterpart, ImageMissing, ImageTooLarge, InsufficientScope, ItemNotFound,
   * PreconditionFailed, RightsEnded, UnsupportedImage, WrongImageSize, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.feed.uploadImage(manager, { itemId: item.id }, bytes, none)
   * ```
   */
  readonly uploadImage: ReturnType<typeof makeUploadFeedImage>
  /**
   * Removes the uploaded image of a post, unless the post is Live and needs it (C8, D3).
   * Fails with HasCounterpart, ImageMissing, ImageNeeded, ImageNotFound, InsufficientScope, ItemNotFound, PreconditionFailed,
   * Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.feed.removeImage(manager, { itemId: item.id }, none)
   * ```
   */
  readonly removeImage: ReturnType<typeof makeRemoveFeedImage>
}

/** Binds the use cases of the feed to ports and a policy. */
export const makeFeedArea = (ports: Ports, policy: Policy): FeedArea => ({
  list: makeListFeedItems(ports, policy),
  ownPosts: makeListOwnPosts(ports),
  create: makeCreateFeedItem(ports),
  update: makeUpdateFeedItem(ports),
  uploadImage: makeUploadFeedImage(ports, policy),
  removeImage: makeRemoveFeedImage(ports),
})
