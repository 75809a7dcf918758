import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Receipt } from '../access/acts.ts'
import { type Caller, type InsufficientScope, permitted } from '../access/caller.ts'
import { type ImageRef, imageAt, type MediaAddresses, type MediaName } from '../media/model.ts'
import type { WebUrl } from '../values/addresses.ts'
import { ItemId } from '../values/ids.ts'
import {
  type Condition,
  fieldError,
  parameters,
  type ValidationFailed,
  validationFailed,
} from '../values/parameters.ts'
import { type Unavailable, unavailable } from '../values/ports.ts'
import type { LibraryEdit } from './edits.ts'
import { createdValues, editOf, LIBRARY_FIELDS, writeParameters } from './fields.ts'
import { type LibraryItem, type Precondition, Status, type UnpublishedLibraryItem } from './model.ts'
import type { ContentPolicy, ContentPorts, ImageMissing } from './ports.ts'
import { type EditPorts, libraryWrite, makeWriteLibraryEdit, type UpdateError } from './writing.ts'

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
        ...createdValues(LIBRARY_FIELDS, command),
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

const storedName = (image: O.Option<ImageRef> | undefined): MediaName | undefined =>
  image !== undefined && O.isSome(image) && image.value.kind === 'stored' ? image.value.name : undefined

/** Refuses every address that names an image of ours which is not there. */
const rejectMissingImages = (
  knownImages: ContentPorts['knownImages'],
  { cover, notification }: LibraryEdit['images'],
  { name: gone }: ImageMissing,
): TE.TaskEither<ValidationFailed | Unavailable, never> => {
  const fields = { coverImgUrl: storedName(cover), notificationImgUrl: storedName(notification) }
  const named = Object.entries(fields).flatMap(([field, name]) =>
    name === undefined ? [] : [{ field, name }],
  )
  return pipe(
    knownImages.among(named.map(({ name }) => name)),
    TE.flatMap((known): TE.TaskEither<ValidationFailed | Unavailable, never> => {
      const missing = named.filter(({ name }) => name === gone || !known.has(name))
      const [first, ...rest] = missing.map(({ field }) =>
        fieldError(field, 'names no image that was uploaded here'),
      )
      // An image that the request does not name was the item's own and went a moment ago: trying again helps.
      return TE.left(
        first === undefined ? unavailable('an image went meanwhile') : validationFailed([first, ...rest]),
      )
    }),
  )
}

const notEmptyWhenLive = (field: 'coverImgUrl' | 'notificationImgUrl'): Condition => ({
  field,
  message: 'must not be empty when status is Live',
  unmet: ({ status, [field]: url }) => status === 'Live' && url === '',
})

const FIELDS_OF_UPDATE = writeParameters(LIBRARY_FIELDS, 'update')

/** Parameters of POST /library/<itemId>. */
export const UpdateLibraryItem = parameters({
  name: 'UpdateLibraryItem',
  required: { itemId: ItemId, ...FIELDS_OF_UPDATE.required, status: Status },
  optional: FIELDS_OF_UPDATE.optional,
  conditions: [notEmptyWhenLive('coverImgUrl'), notEmptyWhenLive('notificationImgUrl')],
})
export type UpdateLibraryItem = typeof UpdateLibraryItem._A

/** Returns the edit that the parameters of an update describe. Images of ours are named, not linked (D3). */
export const libraryEditOf = (addresses: MediaAddresses, command: UpdateLibraryItem): LibraryEdit => {
  const image = (url: O.Option<WebUrl> | undefined) =>
    url === undefined ? undefined : O.map(imageAt(addresses))(url)
  return {
    ...editOf(LIBRARY_FIELDS, command),
    images: { cover: image(command.coverImgUrl), notification: image(command.notificationImgUrl) },
    status: command.status,
  }
}

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
