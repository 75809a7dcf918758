import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Act, Receipt } from '../access/acts.ts'
import type { InsufficientScope, RightsEnded } from '../access/caller.ts'
import {
  type ImageFault,
  type MediaAddresses,
  type MediaName,
  mentionedBy,
  type StoredImage,
  storedAmong,
} from '../media/model.ts'
import type { MediaStore } from '../media/ports.ts'
import type { ItemId } from '../values/ids.ts'
import type { ValidationFailed } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import {
  editLibraryItem,
  type FeedChange,
  type ImageNeeded,
  type ImageNotFound,
  type LibraryEdit,
} from './edits.ts'
import {
  checkPrecondition,
  type FeedItem,
  type IllegalTransition,
  type ItemNotFound,
  type LibraryItem,
  type Precondition,
  type PreconditionFailed,
  relatedFeedImage,
} from './model.ts'
import type { ContentPolicy, ContentPorts, ImageMissing, ItemStore, ItemWrite } from './ports.ts'
import { type HasCounterpart, todayFor } from './rules.ts'

/** What any write to an item may meet. */
type WriteError =
  | InsufficientScope
  | ItemNotFound
  | PreconditionFailed
  | ImageMissing
  | HasCounterpart
  | Unavailable

/** How updating an item can fail. */
export type UpdateError = WriteError | IllegalTransition | ValidationFailed

/** How uploading an item's image can fail. */
export type UploadError = WriteError | ImageFault | RightsEnded

/** How removing an item's image can fail. */
export type RemoveError = WriteError | ImageNeeded | ImageNotFound

/** Changes an item, then deletes the files that no item points to any more (D5). Gives the item as it is now. */
export const changeItem = <Item, E>(
  store: Pick<ItemStore<Item, Item, never, never>, 'change'>,
  mediaStore: Pick<MediaStore, 'remove'>,
  id: ItemId,
  decide: (current: Item) => E.Either<E, ItemWrite<Item>>,
  receipt?: Receipt<Item>,
): TE.TaskEither<E | ItemNotFound | ImageMissing | HasCounterpart | Unavailable, Item> =>
  pipe(
    store.change(id, decide, receipt),
    TE.tap(({ orphans }) => discard(mediaStore, orphans)),
    TE.map(({ item }) => item),
  )

/**
 * Deletes files that nothing points to any more. A file that will not go is left to the sweep (D5): what the caller asked
 * for has been done already, so this never fails.
 */
export const discard =
  (mediaStore: Pick<MediaStore, 'remove'>, names: ReadonlyArray<MediaName>): TE.TaskEither<never, void> =>
  async () => {
    await Promise.all(names.map((name) => mediaStore.remove(name)()))
    return { _tag: 'Right', right: undefined }
  }

/** An item as it is written: with every stored image that it shows or links to (D5). */
export const libraryWrite = <I extends LibraryItem>(
  addresses: MediaAddresses,
  item: I,
  act: Act,
  storesImages: ReadonlyArray<StoredImage> = [],
): ItemWrite<I> => ({
  item,
  storesImages,
  displaysImages: storedAmong([item.images.cover, item.images.notification]),
  act,
  linksToImages: mentionedBy(addresses, [O.some(item.link)]),
})

/** What an edit of a library item needs. */
export type EditPorts = Pick<ContentPorts, 'libraryItems' | 'clock' | 'mediaAddresses' | 'mediaStore'>

/** Edits an item and moves it between its states (C5, C6), under the writer's expectation (C10). */
export const makeWriteLibraryEdit =
  (ports: EditPorts, policy: Pick<ContentPolicy, 'timeZone'>) =>
  (
    itemId: ItemId,
    sent: LibraryEdit,
    expected: Precondition,
    act: Act,
    receipt?: Receipt<LibraryItem>,
  ): TE.TaskEither<UpdateError, LibraryItem> => {
    const edit = editLibraryItem(sent, ports.clock.now(), todayFor(policy, ports.clock))
    const decide = (current: LibraryItem) =>
      pipe(
        checkPrecondition(expected)(current),
        E.flatMap(
          (item): E.Either<PreconditionFailed | IllegalTransition | ValidationFailed, LibraryItem> =>
            edit(item),
        ),
        E.map((item) => libraryWrite(ports.mediaAddresses, item, act)),
      )
    return changeItem(ports.libraryItems, ports.mediaStore, itemId, decide, receipt)
  }

/** An item as it is written: with every stored image that it shows or links to (D5). */
export const feedWrite = <I extends FeedItem>(
  addresses: MediaAddresses,
  item: I,
  act: Act,
  storesImages: ReadonlyArray<StoredImage> = [],
): ItemWrite<I> => ({
  item,
  storesImages,
  displaysImages: storedAmong([relatedFeedImage(item)]),
  act,
  linksToImages: mentionedBy(addresses, [item.content.link, item.content.vlink]),
})

/** What an edit of a post needs. */
export type FeedEditPorts = Pick<ContentPorts, 'feedItems' | 'clock' | 'mediaAddresses' | 'mediaStore'>

/** Writes an edit of a post under the writer's expectation (C10). */
export const makeWriteFeedEdit =
  (ports: FeedEditPorts) =>
  (
    itemId: ItemId,
    edit: FeedChange,
    expected: Precondition,
    act: Act,
    receipt?: Receipt<FeedItem>,
  ): TE.TaskEither<UpdateError, FeedItem> => {
    const decide = (current: FeedItem) =>
      pipe(
        checkPrecondition(expected)(current),
        E.flatMap(
          (item): E.Either<PreconditionFailed | IllegalTransition | ValidationFailed, FeedItem> => edit(item),
        ),
        E.map((item) => feedWrite(ports.mediaAddresses, item, act)),
      )
    return changeItem(ports.feedItems, ports.mediaStore, itemId, decide, receipt)
  }
