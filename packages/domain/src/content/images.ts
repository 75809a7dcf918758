import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Receipt } from '../access/acts.ts'
import {
  type Caller,
  confirmRights,
  hasScope,
  type InsufficientScope,
  insufficientScope,
  permitted,
  type RightsEnded,
} from '../access/caller.ts'
import {
  FEED_IMAGE,
  type ImageFault,
  type ImageRule,
  LIBRARY_IMAGE,
  type StoredImage,
  stored,
} from '../media/model.ts'
import { ItemId } from '../values/ids.ts'
import { parameters } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import { oneOf } from '../values/refined.ts'
import {
  type ImageNeeded,
  type ImageNotFound,
  removeFeedImage,
  removeLibraryImage,
  setFeedImage,
  setLibraryImage,
} from './edits.ts'
import {
  type Author,
  checkPrecondition,
  type FeedItem,
  ITEM_NOT_FOUND,
  type ItemNotFound,
  LIBRARY_IMAGES,
  type LibraryItem,
  type Precondition,
  type PreconditionFailed,
} from './model.ts'
import type { ContentPorts, ItemStore } from './ports.ts'
import { isVisible, type Visibility, type VisibilityPolicy, visibilityFor } from './rules.ts'
import {
  changeItem,
  discard,
  feedWrite,
  libraryWrite,
  type RemoveError,
  type UploadError,
} from './writing.ts'

/**
 * Checks an upload, stores it under a fresh name and hands it to `keep`, which makes an item or a working copy point to it. Checking and storing wait their turn,
 * so the caller's rights are looked up again before `keep` (A9). When `keep` fails the file goes again, unless an item may point to it all the same (I5): that, and a crash before `keep` is done, leaves an orphan for
 * the sweep, never a broken link (D5).
 */
export const storeUpload = <E extends { readonly _tag: string }, A>(
  ports: Pick<ContentPorts, 'imageChecker' | 'mediaStore' | 'secrets'>,
  caller: Caller,
  bytes: Uint8Array,
  rule: ImageRule,
  keep: (image: StoredImage) => TE.TaskEither<E, A>,
): TE.TaskEither<E | ImageFault | RightsEnded | Unavailable, A> =>
  pipe(
    ports.imageChecker.check(bytes, rule),
    TE.bindTo('checked'),
    TE.let('name', ({ checked }) => ports.secrets.mintMediaName(checked.type)),
    TE.tap(({ name, checked }) => ports.mediaStore.put(name, checked)),
    TE.flatMap(
      ({ name, checked }): TE.TaskEither<E | ImageFault | RightsEnded | Unavailable, A> =>
        pipe(
          confirmRights(caller),
          TE.flatMap(
            (): TE.TaskEither<E | RightsEnded | Unavailable, A> =>
              keep({ name, type: checked.type, bytes: checked.bytes.byteLength, size: checked.size }),
          ),
          TE.tapError(({ _tag }) => discard(ports.mediaStore, _tag === 'OutcomeUnknown' ? [] : [name])),
        ),
    ),
  )

/** Looks before costly work whether it would be allowed; the write itself asks again, atomically. */
const lookUp = <Item, E>(
  store: Pick<ItemStore<Item, Item, never, never>, 'find'>,
  id: ItemId,
  allows: (item: Item) => E.Either<E, unknown>,
): TE.TaskEither<E | ItemNotFound | Unavailable, void> =>
  pipe(
    store.find(id),
    TE.flatMap(TE.fromOption((): E | ItemNotFound | Unavailable => ITEM_NOT_FOUND)),
    TE.flatMapEither(allows),
    TE.map(() => undefined),
  )

/** Which image of a library item a path means. */
export const LibraryImageName = oneOf('LibraryImageName', LIBRARY_IMAGES, 'Kind of image.')

/** Parameters of POST and DELETE /library/<itemId>/media/(cover|notification). */
export const OneLibraryImage = parameters({
  name: 'OneLibraryImage',
  required: { itemId: ItemId, image: LibraryImageName },
  optional: {},
})
export type OneLibraryImage = typeof OneLibraryImage._A

/** Stores an image as the item's cover or notification image (D1, D3), in every status. */
export const makeUploadLibraryImage =
  (
    ports: Pick<
      ContentPorts,
      'libraryItems' | 'clock' | 'imageChecker' | 'mediaStore' | 'mediaAddresses' | 'secrets'
    >,
  ) =>
  (
    caller: Caller,
    { itemId, image: which }: OneLibraryImage,
    bytes: Uint8Array,
    expected: Precondition,
    receipt?: Receipt<LibraryItem>,
  ): TE.TaskEither<UploadError, LibraryItem> =>
    permitted(
      'uploadLibraryImage',
      caller,
    )(() =>
      pipe(
        lookUp(ports.libraryItems, itemId, checkPrecondition(expected)),
        TE.flatMap(() =>
          storeUpload(ports, caller, bytes, LIBRARY_IMAGE, (image) =>
            changeItem(
              ports.libraryItems,
              ports.mediaStore,
              itemId,
              (current) =>
                pipe(
                  checkPrecondition(expected)(current),
                  E.map((item) => setLibraryImage(item, which, stored(image.name), ports.clock.now())),
                  E.map((item) =>
                    libraryWrite(
                      ports.mediaAddresses,
                      item,
                      { actor: caller.actor, action: 'upload-image' },
                      [image],
                    ),
                  ),
                ),
              receipt,
            ),
          ),
        ),
      ),
    )

/** Removes the cover or notification image of an item that is not Live (C8, D3). */
export const makeRemoveLibraryImage =
  (ports: Pick<ContentPorts, 'libraryItems' | 'clock' | 'mediaStore' | 'mediaAddresses'>) =>
  (
    caller: Caller,
    { itemId, image: which }: OneLibraryImage,
    expected: Precondition,
  ): TE.TaskEither<RemoveError, LibraryItem> =>
    permitted(
      'removeLibraryImage',
      caller,
    )(() =>
      changeItem(ports.libraryItems, ports.mediaStore, itemId, (current) =>
        pipe(
          checkPrecondition(expected)(current),
          E.flatMap(
            (item): E.Either<PreconditionFailed | ImageNeeded | ImageNotFound, LibraryItem> =>
              removeLibraryImage(item, which, ports.clock.now()),
          ),
          E.map((item) =>
            libraryWrite(ports.mediaAddresses, item, { actor: caller.actor, action: 'remove-image' }),
          ),
        ),
      ),
    )

/**
 * Rejects callers who may not add an image to a post (D4). A content manager always may; other callers only on a Draft without an image, so
 * that approved posts do not change. The failure is ItemNotFound for a post that the caller cannot see.
 * @param isOwn whether the caller may take the post for its own
 */
export const mayIllustrate =
  (caller: Caller, visibility: Visibility, isOwn: boolean) =>
  (item: FeedItem): E.Either<InsufficientScope | ItemNotFound, FeedItem> => {
    const open = isOwn && item.status === 'Draft' && O.isNone(item.content.image)
    if (open || hasScope(caller, 'content-manager')) return E.right(item)
    return E.left(isVisible(visibility)(item) ? insufficientScope('content-manager') : ITEM_NOT_FOUND)
  }

/** Returns whether a caller may take a post for its own (D4): with a person's token, only if that person created it. */
const isOwnPost = (
  { feedAuthors }: Pick<ContentPorts, 'feedAuthors'>,
  { personToken, email }: Caller,
  itemId: ItemId,
): TE.TaskEither<Unavailable, boolean> =>
  personToken === undefined
    ? TE.right(true)
    : TE.map((authors: ReadonlyMap<ItemId, Author>) => {
        const author = authors.get(itemId)?.email ?? O.none
        return O.isSome(author) && O.isSome(email) && author.value === email.value
      })(feedAuthors.ofPosts([itemId]))

/** Parameters of POST and DELETE /feed/<itemId>/media. */
export const OneFeedImage = parameters({ name: 'OneFeedImage', required: { itemId: ItemId }, optional: {} })
export type OneFeedImage = typeof OneFeedImage._A

/** Stores an image of 400 × 560 pixels as the post's (D1, D3), if the caller may (D4). */
export const makeUploadFeedImage =
  (
    ports: Pick<
      ContentPorts,
      'feedAuthors' | 'feedItems' | 'clock' | 'imageChecker' | 'mediaStore' | 'mediaAddresses' | 'secrets'
    >,
    policy: VisibilityPolicy,
  ) =>
  (
    caller: Caller,
    { itemId }: OneFeedImage,
    bytes: Uint8Array,
    expected: Precondition,
    receipt?: Receipt<FeedItem>,
  ): TE.TaskEither<UploadError, FeedItem> =>
    permitted(
      'uploadFeedImage',
      caller,
    )(() => {
      const visibility = visibilityFor(policy, ports.clock, caller)
      const allowedFor =
        (isOwn: boolean) =>
        (item: FeedItem): E.Either<InsufficientScope | ItemNotFound | PreconditionFailed, FeedItem> =>
          pipe(
            mayIllustrate(caller, visibility, isOwn)(item),
            E.flatMap(
              (mine): E.Either<InsufficientScope | ItemNotFound | PreconditionFailed, FeedItem> =>
                checkPrecondition(expected)(mine),
            ),
          )
      return pipe(
        isOwnPost(ports, caller, itemId),
        TE.map(allowedFor),
        TE.tap((allowed) => lookUp(ports.feedItems, itemId, allowed)),
        TE.flatMap((allowed) =>
          storeUpload(ports, caller, bytes, FEED_IMAGE, (image) =>
            changeItem(
              ports.feedItems,
              ports.mediaStore,
              itemId,
              (current) =>
                pipe(
                  allowed(current),
                  E.map((item) => setFeedImage(item, image.name, ports.clock.now())),
                  E.map((item) =>
                    feedWrite(ports.mediaAddresses, item, { actor: caller.actor, action: 'upload-image' }, [
                      image,
                    ]),
                  ),
                ),
              receipt,
            ),
          ),
        ),
      )
    })

/** Removes a post's uploaded image, unless a Live post needs it (C8, D3). */
export const makeRemoveFeedImage =
  (ports: Pick<ContentPorts, 'feedItems' | 'clock' | 'mediaStore' | 'mediaAddresses'>) =>
  (caller: Caller, { itemId }: OneFeedImage, expected: Precondition): TE.TaskEither<RemoveError, FeedItem> =>
    permitted(
      'removeFeedImage',
      caller,
    )(() =>
      changeItem(ports.feedItems, ports.mediaStore, itemId, (current) =>
        pipe(
          checkPrecondition(expected)(current),
          E.flatMap(
            (item): E.Either<PreconditionFailed | ImageNeeded | ImageNotFound, FeedItem> =>
              removeFeedImage(item, ports.clock.now()),
          ),
          E.map((item) =>
            feedWrite(ports.mediaAddresses, item, { actor: caller.actor, action: 'remove-image' }),
          ),
        ),
      ),
    )
