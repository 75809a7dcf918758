import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Act, Receipt } from '../access/acts.ts'
import { type Caller, permitted } from '../access/caller.ts'
import { type ContentType, type Fields, RevisionNumber } from '../history/model.ts'
import type { HistoryPorts } from '../history/ports.ts'
import type { WebUrl } from '../values/addresses.ts'
import { ItemId } from '../values/ids.ts'
import { decode, parameters } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import { feedEditOf, libraryEditOf, restoreFeedItem, UpdateFeedItem, UpdateLibraryItem } from './edits.ts'
import {
  FEED_FIELDS,
  type FieldSet,
  imageInField,
  LIBRARY_FIELDS,
  ownFields,
  presentValue,
} from './fields.ts'
import type { FeedItem, LibraryItem, Precondition } from './model.ts'
import type { ContentPolicy, ContentPorts, ImageMissing } from './ports.ts'
import { SCHEDULE_PARTS } from './schedules.ts'
import {
  type EditPorts,
  type FeedEditPorts,
  makeWriteFeedEdit,
  makeWriteLibraryEdit,
  type UpdateError,
} from './writing.ts'

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
      kind === 'text' && isOptional ? [[name, '']] : [],
    ),
  )

/** Returns a state as the parameters of an update, with the present addresses of images (D3). A schedule is not restored (C15). */
const asParameters = (
  fields: FieldSet,
  { itemId }: OneRevision,
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

/** Updates a library item with the values after one of its revisions, under the same conditions as any update (K2). */
export const makeRestoreLibraryRevision = (
  ports: EditPorts & Pick<ContentPorts, 'history'>,
  policy: Pick<ContentPolicy, 'timeZone'>,
) => {
  const write = makeWriteLibraryEdit(ports, policy)
  const addresses = ports.mediaAddresses
  return (
    caller: Caller,
    revision: OneRevision,
    expected: Precondition,
    receipt?: Receipt<LibraryItem>,
  ): TE.TaskEither<RestoreError, LibraryItem> =>
    permitted(
      'restoreLibraryRevision',
      caller,
    )(() => {
      const act: Act = { actor: caller.actor, action: 'restore' }
      return pipe(
        stateAt(ports.history, 'library', revision),
        TE.map((state) => asParameters(LIBRARY_FIELDS, revision, state, addresses)),
        TE.flatMapEither((sent) => decode(UpdateLibraryItem)(sent)),
        TE.map((command) => libraryEditOf(addresses, command)),
        TE.flatMap((edit) =>
          TE.mapLeft(imageGone(addresses))(write(revision.itemId, edit, expected, act, receipt)),
        ),
      )
    })
}

const uploadOf = (state: Fields) => imageInField('itemRelatedLink', state['itemRelatedLink'] ?? '')

/** Updates a post with the values after one of its revisions, its uploaded image included (K2). */
export const makeRestoreFeedRevision = (ports: FeedEditPorts & Pick<ContentPorts, 'history'>) => {
  const write = makeWriteFeedEdit(ports)
  const addresses = ports.mediaAddresses
  return (
    caller: Caller,
    revision: OneRevision,
    expected: Precondition,
    receipt?: Receipt<FeedItem>,
  ): TE.TaskEither<RestoreError, FeedItem> => {
    const act: Act = { actor: caller.actor, action: 'restore' }
    const editOf = (state: Fields) =>
      pipe(
        decode(UpdateFeedItem)(asParameters(FEED_FIELDS, revision, state, addresses)),
        TE.fromEither,
        TE.map((command) => restoreFeedItem(feedEditOf(command), uploadOf(state), ports.clock.now())),
      )
    return permitted(
      'restoreFeedRevision',
      caller,
    )(() =>
      pipe(
        stateAt(ports.history, 'feed', revision),
        TE.flatMap(editOf),
        TE.flatMap((edit) =>
          TE.mapLeft(imageGone(addresses))(write(revision.itemId, edit, expected, act, receipt)),
        ),
      ),
    )
  }
}
