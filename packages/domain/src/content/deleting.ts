import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Receipt, UNDO_TIME } from '../access/acts.ts'
import { type Caller, type InsufficientScope, permitted } from '../access/caller.ts'
import { ItemId } from '../values/ids.ts'
import { parameters } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import { isStorable, NOT_STORABLE, refined } from '../values/refined.ts'
import { addMillis, type Instant, SECOND } from '../values/time.ts'
import {
  checkPrecondition,
  type DeletionId,
  type DraftRemoval,
  type ItemCore,
  type ItemNotFound,
  type NotDeletable,
  type Precondition,
  type PreconditionFailed,
  type Status,
} from './model.ts'
import type { ContentPorts, ItemStore } from './ports.ts'
import { discard } from './writing.ts'

/** Reads the name of a deletion: any storable text, as one that was never given out is simply unknown. */
export const DeletionName = refined<DeletionId>(
  'DeletionName',
  (text) => (isStorable(text) ? E.right(text as DeletionId) : E.left(NOT_STORABLE)),
  { type: 'string', description: 'Identifier of the deletion.' },
)

/** Parameters of DELETE /library/<itemId> and DELETE /feed/<itemId> of the console. */
export const DeleteDraft = parameters({ name: 'DeleteDraft', required: { itemId: ItemId }, optional: {} })
export type DeleteDraft = typeof DeleteDraft._A

/** Parameters of POST /library/<itemId>/deletion/<deletionId>/undo, and of the feed's. */
export const UndoDeletion = parameters({
  name: 'UndoDeletion',
  required: { itemId: ItemId, deletionId: DeletionName },
  optional: {},
})
export type UndoDeletion = typeof UndoDeletion._A

/** A deletion that was made. */
export interface Deletion {
  readonly deletionId: DeletionId
  readonly itemId: ItemId
  /** The last moment at which it can be taken back. */
  readonly until: Instant
}

/** How deleting a draft can fail. */
export type DeleteError = InsufficientScope | ItemNotFound | NotDeletable | PreconditionFailed | Unavailable

/** How long a deletion can be taken back (C18, M12). Its images are kept for {@link UNDO_TIME} all the same (D5). */
const DELETION_UNDO_TIME = 10 * SECOND

/** Returns the item if it can be deleted: a Draft that no reader ever saw (C18). */
export const checkDeletable = <Item extends { readonly status: Status }>(
  item: Item,
  wasLive: boolean,
): E.Either<NotDeletable, Item> =>
  item.status === 'Draft' && !wasLive ? E.right(item) : E.left({ _tag: 'NotDeletable' })

/** A store of either content type. */
type Deleting<Item> = Pick<ItemStore<Item, never, never, never>, 'remove' | 'putBack'>
type DeletingPorts = Pick<ContentPorts, 'clock' | 'ids'>

const deleting =
  <Item extends ItemCore & { readonly status: Status }>(
    { clock, ids }: DeletingPorts,
    { remove }: Deleting<Item>,
  ) =>
  (caller: Caller, { itemId }: DeleteDraft, expected: Precondition): TE.TaskEither<DeleteError, Deletion> =>
    permitted(
      'deleteDraft',
      caller,
    )(() => {
      const at = clock.now()
      // The identifiers of items are unique in the whole service.
      const deletionId = ids.nextItemId() as string as DeletionId
      const removal: DraftRemoval = { deletionId, act: { actor: caller.actor, action: 'delete-item', at } }
      return pipe(
        remove(itemId, (current, wasLive) =>
          pipe(
            checkPrecondition(expected)(current),
            E.flatMap(
              (item): E.Either<NotDeletable | PreconditionFailed, Item> => checkDeletable(item, wasLive),
            ),
            E.map(() => removal),
          ),
        ),
        TE.map(() => ({ deletionId, itemId, until: addMillis(at, DELETION_UNDO_TIME) })),
      )
    })

const undoing =
  <Item>({ clock }: Pick<DeletingPorts, 'clock'>, { putBack }: Deleting<Item>) =>
  (
    caller: Caller,
    { itemId, deletionId }: UndoDeletion,
    receipt?: Receipt<Item>,
  ): TE.TaskEither<InsufficientScope | ItemNotFound | Unavailable, Item> =>
    permitted(
      'deleteDraft',
      caller,
    )(() => {
      const at = clock.now()
      const act = { actor: caller.actor, action: 'restore', at } as const
      return putBack(itemId, { deletionId, act }, addMillis(at, -DELETION_UNDO_TIME), receipt)
    })

/** Deletes a publication that was never Live, under the writer's expectation; ten seconds long it can be taken back (C18). */
export const makeDeleteLibraryDraft = (ports: DeletingPorts & Pick<ContentPorts, 'libraryItems'>) =>
  deleting(ports, ports.libraryItems)

/** Deletes a post that was never Live, as {@link makeDeleteLibraryDraft} does (C18). */
export const makeDeleteFeedDraft = (ports: DeletingPorts & Pick<ContentPorts, 'feedItems'>) =>
  deleting(ports, ports.feedItems)

/** Brings a deleted publication back with fields, images, schedule, labels, link and history (C18). ItemNotFound ten seconds after the deletion. */
export const makeUndoLibraryDeletion = (ports: Pick<ContentPorts, 'clock' | 'libraryItems'>) =>
  undoing(ports, ports.libraryItems)

/** Brings a deleted post back, as {@link makeUndoLibraryDeletion} does (C18). */
export const makeUndoFeedDeletion = (ports: Pick<ContentPorts, 'clock' | 'feedItems'>) =>
  undoing(ports, ports.feedItems)

/** Forgets drafts that were deleted an hour ago, and deletes the files that only they used (D5). */
export const makePurgeDeletedDrafts =
  (ports: Pick<ContentPorts, 'clock' | 'libraryItems' | 'feedItems' | 'mediaStore'>) =>
  (): TE.TaskEither<Unavailable, number> => {
    const now = ports.clock.now()
    const by = addMillis(now, -UNDO_TIME)
    return pipe(
      TE.Do,
      TE.bind('library', () => ports.libraryItems.purgeRemoved(by, now)),
      TE.bind('feed', () => ports.feedItems.purgeRemoved(by, now)),
      TE.tap(({ library, feed }) => discard(ports.mediaStore, [...library.orphans, ...feed.orphans])),
      TE.map(({ library, feed }) => library.items + feed.items),
    )
  }
