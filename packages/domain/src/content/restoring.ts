import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Receipt, UNDO_TIME } from '../access/acts.ts'
import { type Caller, isSameActor, permitted } from '../access/caller.ts'
import { type ContentType, type Fields, type Revision, RevisionNumber } from '../history/model.ts'
import type { HistoryPorts } from '../history/ports.ts'
import { MEDIA_PATH, type MediaAddresses, type MediaName } from '../media/model.ts'
import type { WebUrl } from '../values/addresses.ts'
import { ItemId } from '../values/ids.ts'
import { collect, pageRequest } from '../values/page.ts'
import { decode, parameters } from '../values/parameters.ts'
import { attempt, type Unavailable } from '../values/ports.ts'
import { addMillis, type Instant, instant } from '../values/time.ts'
import { feedEditOf, libraryEditOf, restoreFeedItem, UpdateFeedItem, UpdateLibraryItem } from './edits.ts'
import { FEED_FIELDS, type Field, type FieldSet, LIBRARY_FIELDS, ownFields } from './fields.ts'
import type { FeedItem, LibraryItem, Precondition, PreconditionFailed } from './model.ts'
import type { ContentPolicy, ContentPorts, ImageMissing } from './ports.ts'
import { SCHEDULE_PARTS, type SentSchedule } from './schedules.ts'
import {
  type EditPorts,
  type FeedEditPorts,
  makeWriteFeedEdit,
  makeWriteLibraryEdit,
  type UpdateError,
} from './writing.ts'

/** The fields that hold an image. */
const IMAGE_FIELDS: ReadonlySet<string> = new Set(
  Object.entries<Field>({ ...LIBRARY_FIELDS, ...FEED_FIELDS }).flatMap(([name, { kind }]) =>
    kind === 'image' ? [name] : [],
  ),
)

/** Returns the stored image that a field's value names; none for other fields and other images. */
export const imageInField = (field: string, value: string | null): O.Option<MediaName> =>
  IMAGE_FIELDS.has(field) && value?.startsWith(MEDIA_PATH)
    ? O.some(value.slice(MEDIA_PATH.length) as MediaName)
    : O.none

/** Returns a field's value with the present address in place of the path of an image (D3). */
export const presentValue =
  (addresses: MediaAddresses) =>
  <V extends string | null>(field: string, value: V): V | WebUrl =>
    pipe(
      imageInField(field, value),
      O.match((): V | WebUrl => value, addresses.urlOf),
    )

/** Parameters of POST /library/<itemId>/history/<number>/restore, and of the feed's. */
export const OneRevision = parameters({
  name: 'OneRevision',
  required: { itemId: ItemId, number: RevisionNumber },
  optional: {},
})
export type OneRevision = typeof OneRevision._A

/** There is no such item, or it does not have a revision of this number (K2). */
export interface RevisionNotFound {
  readonly _tag: 'RevisionNotFound'
}

/** The revision shows a stored image that no longer exists (K2). */
export interface RevisionImageGone {
  readonly _tag: 'RevisionImageGone'
  readonly url: WebUrl
}

/** How restoring a revision can fail. */
export type RestoreError = Exclude<UpdateError, ImageMissing> | RevisionNotFound | RevisionImageGone

/** Returns the state after a revision. */
const stateAt = (
  history: HistoryPorts['history'],
  contentType: ContentType,
  { itemId, number }: OneRevision,
): TE.TaskEither<RevisionNotFound | Unavailable, Fields> =>
  pipe(
    history.stateAt({ contentType, itemId }, number),
    TE.flatMap(TE.fromOption((): RevisionNotFound | Unavailable => ({ _tag: 'RevisionNotFound' }))),
  )

/** Returns optional texts as empty: a revision from before they existed lacks them. */
const emptyTexts = (fields: FieldSet): Fields =>
  Object.fromEntries(
    ownFields(fields).flatMap(([name, { kind, isOptional }]) =>
      isOptional && (kind === 'text' || kind === 'note') ? [[name, '']] : [],
    ),
  )

/** Returns a state as the parameters of an update, with the present addresses of images (D3). A schedule is not restored (C15). */
export const asParameters = (
  fields: FieldSet,
  { itemId }: Pick<OneRevision, 'itemId'>,
  state: Fields,
  addresses: HistoryPorts['mediaAddresses'],
): Fields => {
  const present = presentValue(addresses)
  const values = Object.entries({ ...emptyTexts(fields), ...state }).flatMap(
    ([field, value]): ReadonlyArray<[string, string]> =>
      SCHEDULE_PARTS.some((part) => part === field) ? [] : [[field, present(field, value)]],
  )
  return { ...Object.fromEntries(values), itemId }
}

/** Names the missing image of a revision by its address (K2). */
const imageGone =
  (addresses: HistoryPorts['mediaAddresses']) =>
  (error: UpdateError): RestoreError =>
    error._tag === 'ImageMissing' ? { _tag: 'RevisionImageGone', url: addresses.urlOf(error.name) } : error

/** What each restored item is written with. */
interface Restored {
  readonly revision: OneRevision
  readonly state: Fields
  readonly expected: Precondition
  /** The moments to set; those of the item stay without them, as restoring does not restore a schedule (C15). */
  readonly undone?: SentSchedule & { readonly isUndo: true }
}

/** Writes a state of an item, in the name of a caller. */
type WriteState<Item> = (
  caller: Caller,
  restored: Restored,
  receipt?: Receipt<Item>,
) => TE.TaskEither<RestoreError, Item>

/** Makes the function that writes a state of a library item, under the same conditions as any update (K2). */
const makeWriteLibraryState = (
  ports: EditPorts & Pick<ContentPorts, 'history'>,
  policy: Pick<ContentPolicy, 'timeZone'>,
) => {
  const write = makeWriteLibraryEdit(ports, policy)
  const addresses = ports.mediaAddresses
  return (
    { actor }: Caller,
    { revision, state, expected, undone }: Restored,
    receipt?: Receipt<LibraryItem>,
  ): TE.TaskEither<RestoreError, LibraryItem> =>
    pipe(
      decode(UpdateLibraryItem)(asParameters(LIBRARY_FIELDS, revision, state, addresses)),
      TE.fromEither,
      TE.map((command) => ({ ...libraryEditOf(addresses, command), ...undone })),
      TE.flatMap((edit) =>
        TE.mapLeft(imageGone(addresses))(
          write(revision.itemId, edit, expected, { actor, action: 'restore' }, receipt),
        ),
      ),
    )
}

/** Returns the uploaded image of a post's state. */
export const uploadOf = (state: Fields) => imageInField('itemRelatedLink', state['itemRelatedLink'] ?? '')

/** Makes the function that writes a state of a post, its uploaded image included (K2). */
const makeWriteFeedState = (ports: FeedEditPorts) => {
  const write = makeWriteFeedEdit(ports)
  const addresses = ports.mediaAddresses
  return (
    { actor }: Caller,
    { revision, state, expected, undone }: Restored,
    receipt?: Receipt<FeedItem>,
  ): TE.TaskEither<RestoreError, FeedItem> =>
    pipe(
      decode(UpdateFeedItem)(asParameters(FEED_FIELDS, revision, state, addresses)),
      TE.fromEither,
      TE.map((command) =>
        restoreFeedItem({ ...feedEditOf(command), ...undone }, uploadOf(state), ports.clock.now()),
      ),
      TE.flatMap((edit) =>
        TE.mapLeft(imageGone(addresses))(
          write(revision.itemId, edit, expected, { actor, action: 'restore' }, receipt),
        ),
      ),
    )
}

/** Parameters of POST /library/<itemId>/undo, and of the feed's. */
export const UndoChange = parameters({ name: 'UndoChange', required: { itemId: ItemId }, optional: {} })
export type UndoChange = typeof UndoChange._A

/** The moments of a state that have not come yet: one that has would act at once, unasked (C15). */
const laterMoments = (state: Fields, now: Instant): SentSchedule =>
  Object.fromEntries(
    SCHEDULE_PARTS.map((part) => {
      const moment = Date.parse(state[part] ?? '')
      return [part, moment > now ? O.some(instant(moment)) : O.none]
    }),
  )

/**
 * Finds the state before the latest act on an item, if the caller did it within the last hour and the writer names the revision that it made. The
 * write has the same expectation, so that nothing comes between.
 */
const findUndone =
  ({ history, clock }: Pick<ContentPorts, 'history' | 'clock'>, contentType: ContentType) =>
  (
    { actor }: Caller,
    { itemId }: UndoChange,
    expected: Precondition,
  ): TE.TaskEither<PreconditionFailed | RevisionNotFound | Unavailable, Restored> => {
    const now = clock.now()
    const isUndoable = ({ at, actor: by }: Revision): boolean =>
      isSameActor(by, actor) && addMillis(at, UNDO_TIME) > now
    return pipe(
      history.revisions({ contentType, itemId }, pageRequest({ lim: 2 })),
      TE.flatMap((page) => attempt(() => collect(page))),
      TE.flatMap(
        ([latest, before]): TE.TaskEither<PreconditionFailed | RevisionNotFound | Unavailable, Restored> => {
          if (latest === undefined || before === undefined) return TE.left({ _tag: 'RevisionNotFound' })
          const number = latest.number.value
          if (O.isNone(expected) || !expected.value.has(number))
            return TE.left({ _tag: 'PreconditionFailed' })
          if (!isUndoable(latest)) return TE.left({ _tag: 'RevisionNotFound' })
          const revision = { itemId, number: before.number.value }
          return pipe(
            stateAt(history, contentType, revision),
            TE.map((state) => ({
              ...{ revision, state, expected: O.some(new Set([number])) },
              undone: { ...laterMoments(state, now), isUndo: true as const },
            })),
          )
        },
      ),
    )
  }

/** Makes a use case that writes a state of an item: it finds the state, and has it written. */
const writing =
  <Item, Parameters>(
    requirement: 'restoreLibraryRevision' | 'restoreFeedRevision',
    find: (
      caller: Caller,
      parameters: Parameters,
      expected: Precondition,
    ) => TE.TaskEither<RestoreError, Restored>,
    write: WriteState<Item>,
  ) =>
  (
    caller: Caller,
    parameters: Parameters,
    expected: Precondition,
    receipt?: Receipt<Item>,
  ): TE.TaskEither<RestoreError, Item> =>
    permitted(
      requirement,
      caller,
    )(() =>
      pipe(
        find(caller, parameters, expected),
        TE.flatMap((restored) => write(caller, restored, receipt)),
      ),
    )

/** Finds the values after one of an item's revisions. */
const findRevision =
  ({ history }: Pick<ContentPorts, 'history'>, contentType: ContentType) =>
  (
    _caller: Caller,
    revision: OneRevision,
    expected: Precondition,
  ): TE.TaskEither<RevisionNotFound | Unavailable, Restored> =>
    pipe(
      stateAt(history, contentType, revision),
      TE.map((state) => ({ revision, state, expected })),
    )

type LibraryPorts = EditPorts & Pick<ContentPorts, 'history'>
type FeedPorts = FeedEditPorts & Pick<ContentPorts, 'history'>
type LibraryPolicy = Pick<ContentPolicy, 'timeZone'>

/** Updates a library item with the values after one of its revisions, under the same conditions as any update (K2). */
export const makeRestoreLibraryRevision = (ports: LibraryPorts, policy: LibraryPolicy) => {
  const find = findRevision(ports, 'library')
  const restore = writing('restoreLibraryRevision', find, makeWriteLibraryState(ports, policy))
  return (
    caller: Caller,
    revision: OneRevision,
    expected: Precondition,
    receipt?: Receipt<LibraryItem>,
  ): TE.TaskEither<RestoreError, LibraryItem> => restore(caller, revision, expected, receipt)
}

/** Updates a post with the values after one of its revisions, its uploaded image included (K2). */
export const makeRestoreFeedRevision = (ports: FeedPorts) => {
  const restore = writing('restoreFeedRevision', findRevision(ports, 'feed'), makeWriteFeedState(ports))
  return (
    caller: Caller,
    revision: OneRevision,
    expected: Precondition,
    receipt?: Receipt<FeedItem>,
  ): TE.TaskEither<RestoreError, FeedItem> => restore(caller, revision, expected, receipt)
}

/** Takes back the caller's latest act on a library item: fields, state, images and schedule (M12). */
export const makeUndoLibraryChange = (ports: LibraryPorts, policy: LibraryPolicy) => {
  const find = findUndone(ports, 'library')
  const undo = writing('restoreLibraryRevision', find, makeWriteLibraryState(ports, policy))
  return (
    caller: Caller,
    change: UndoChange,
    expected: Precondition,
    receipt?: Receipt<LibraryItem>,
  ): TE.TaskEither<RestoreError, LibraryItem> => undo(caller, change, expected, receipt)
}

/** Takes back the caller's latest act on a post, as {@link makeUndoLibraryChange} does (M12). */
export const makeUndoFeedChange = (ports: FeedPorts) => {
  const undo = writing('restoreFeedRevision', findUndone(ports, 'feed'), makeWriteFeedState(ports))
  return (
    caller: Caller,
    change: UndoChange,
    expected: Precondition,
    receipt?: Receipt<FeedItem>,
  ): TE.TaskEither<RestoreError, FeedItem> => undo(caller, change, expected, receipt)
}
