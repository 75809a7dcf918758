import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Act, Receipt } from '../access/acts.ts'
import {
  boundToOwnUser,
  type Caller,
  hasScope,
  type InsufficientScope,
  insufficientScope,
  permitted,
  type RightsEnded,
} from '../access/caller.ts'
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
import { parameters } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import {
  type EditRefused,
  editFeedItem,
  editLibraryItem,
  type FeedChange,
  feedEditOf,
  type ImageNeeded,
  type ImageNotFound,
  type LibraryEdit,
  libraryEditOf,
  type UpdateFeedItem,
  type UpdateLibraryItem,
} from './edits.ts'
import { createdValues, FEED_FIELDS, LIBRARY_FIELDS, writeParameters } from './fields.ts'
import {
  authorOf,
  CONTENT_CONDITIONS,
  checkPrecondition,
  type FeedItem,
  type ItemNotFound,
  type LibraryItem,
  type Precondition,
  type PreconditionFailed,
  relatedFeedImage,
  sentContent,
  type UnpublishedFeedItem,
  type UnpublishedLibraryItem,
} from './model.ts'
import type { ContentPolicy, ContentPorts, ImageMissing, ItemStore, ItemWrite } from './ports.ts'
import { type HasCounterpart, rejectMissingImages, todayFor } from './rules.ts'

/** What any write to an item may meet. */
type WriteError =
  | InsufficientScope
  | ItemNotFound
  | PreconditionFailed
  | ImageMissing
  | HasCounterpart
  | Unavailable

/** How updating an item can fail. */
export type UpdateError = WriteError | EditRefused

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
        E.flatMap((item): E.Either<PreconditionFailed | EditRefused, LibraryItem> => edit(item)),
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
        E.flatMap((item): E.Either<PreconditionFailed | EditRefused, FeedItem> => edit(item)),
        E.map((item) => feedWrite(ports.mediaAddresses, item, act)),
      )
    return changeItem(ports.feedItems, ports.mediaStore, itemId, decide, receipt)
  }

const [createdPublication, createdPost] = [createdValues(LIBRARY_FIELDS), createdValues(FEED_FIELDS)]

/** Parameters of POST /feed/. */
export const CreateFeedItem = parameters({
  name: 'CreateFeedItem',
  ...writeParameters(FEED_FIELDS, 'create'),
  conditions: CONTENT_CONDITIONS,
})
export type CreateFeedItem = typeof CreateFeedItem._A

/** Content managers describe images; authors describe those of their photos (D9). */
const mayDescribe = (caller: Caller, { itemType, imgAlt = O.none }: CreateFeedItem): boolean =>
  itemType === 'photo' || O.isNone(imgAlt) || hasScope(caller, 'content-manager')

/**
 * Creates a donor's post: a Draft until a content manager approves it; public and in English by default (B9). The caller is recorded as its
 * author (L3); the user only while the caller is bound to it (L1).
 */
export const makeCreateFeedItem =
  (ports: Pick<ContentPorts, 'feedItems' | 'clock' | 'ids' | 'mediaAddresses'>) =>
  (
    caller: Caller,
    command: CreateFeedItem,
    receipt?: Receipt<UnpublishedFeedItem>,
  ): TE.TaskEither<InsufficientScope | Unavailable, UnpublishedFeedItem> =>
    permitted(
      'createFeedItem',
      caller,
    )((): TE.TaskEither<InsufficientScope | Unavailable, UnpublishedFeedItem> => {
      if (!mayDescribe(caller, command)) return TE.left(insufficientScope('content-manager'))
      const now = ports.clock.now()
      const item: UnpublishedFeedItem = {
        id: ports.ids.nextItemId(),
        ...createdPost(command),
        createdAt: now,
        updatedAt: now,
        revision: 1,
        status: 'Draft',
        content: { ...sentContent(command), image: O.none },
      }
      return pipe(
        ports.feedItems.add(
          {
            ...feedWrite(ports.mediaAddresses, item, {
              actor: caller.actor,
              action: 'create',
              ...boundToOwnUser(caller),
            }),
            author: authorOf(caller),
          },
          receipt,
        ),
        TE.map(() => item),
      )
    })

/** Edits a post and moves it between its states (C5, C7), under the writer's expectation (C10). */
export const makeUpdateFeedItem = (ports: FeedEditPorts) => {
  const write = makeWriteFeedEdit(ports)
  return (
    caller: Caller,
    command: UpdateFeedItem,
    expected: Precondition,
    receipt?: Receipt<FeedItem>,
  ): TE.TaskEither<UpdateError, FeedItem> =>
    permitted(
      'updateFeedItem',
      caller,
    )(() => {
      const edit = editFeedItem(feedEditOf(command), ports.clock.now())
      const act: Act = { actor: caller.actor, action: 'update' }
      return write(command.itemId, edit, expected, act, receipt)
    })
}

/** Parameters of POST /library/. */
export const CreateLibraryItem = parameters({
  name: 'CreateLibraryItem',
  ...writeParameters(LIBRARY_FIELDS, 'create'),
})
export type CreateLibraryItem = typeof CreateLibraryItem._A

/** Creates a Draft, public and in English by default (B9). */
export const makeCreateLibraryItem =
  (ports: Pick<ContentPorts, 'libraryItems' | 'clock' | 'ids' | 'mediaAddresses'>) =>
  (
    caller: Caller,
    command: CreateLibraryItem,
    receipt?: Receipt<UnpublishedLibraryItem>,
  ): TE.TaskEither<InsufficientScope | Unavailable, UnpublishedLibraryItem> =>
    permitted(
      'createLibraryItem',
      caller,
    )(() => {
      const now = ports.clock.now()
      const item: UnpublishedLibraryItem = {
        id: ports.ids.nextItemId(),
        ...createdPublication(command),
        createdAt: now,
        updatedAt: now,
        revision: 1,
        status: 'Draft',
        images: { cover: O.none, notification: O.none },
      }
      return pipe(
        ports.libraryItems.add(
          libraryWrite(ports.mediaAddresses, item, { actor: caller.actor, action: 'create' }),
          receipt,
        ),
        TE.map(() => item),
      )
    })

/** Edits an item and moves it between its states (C5, C6), under the writer's expectation (C10). */
export const makeUpdateLibraryItem = (
  ports: EditPorts & Pick<ContentPorts, 'knownImages'>,
  policy: Pick<ContentPolicy, 'timeZone'>,
) => {
  const write = makeWriteLibraryEdit(ports, policy)
  return (
    caller: Caller,
    command: UpdateLibraryItem,
    expected: Precondition,
    receipt?: Receipt<LibraryItem>,
  ): TE.TaskEither<UpdateError, LibraryItem> =>
    permitted(
      'updateLibraryItem',
      caller,
    )(() => {
      const sent = libraryEditOf(ports.mediaAddresses, command)
      return pipe(
        write(command.itemId, sent, expected, { actor: caller.actor, action: 'update' }, receipt),
        TE.orElse(
          (error): TE.TaskEither<UpdateError, LibraryItem> =>
            error._tag === 'ImageMissing'
              ? rejectMissingImages(ports.knownImages, sent.images, error)
              : TE.left(error),
        ),
      )
    })
}
