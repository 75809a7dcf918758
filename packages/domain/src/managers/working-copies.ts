import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted, type RightsEnded } from '../access/caller.ts'
import { storeUpload } from '../content/images.ts'
import { LIBRARY_IMAGES, type PreconditionFailed } from '../content/model.ts'
import { discard } from '../content/writing.ts'
import { CONTENT_TYPES, type ContentType } from '../history/model.ts'
import { FEED_IMAGE, type ImageFault, LIBRARY_IMAGE, type MediaName } from '../media/model.ts'
import { NO_ACTING_USER, type NoActingUser } from '../people/model.ts'
import type { Email } from '../values/addresses.ts'
import { parameters, type ValidationFailed } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import { oneOf, TypedFields } from '../values/refined.ts'
import type { ManagerPorts } from './ports.ts'
import { NO_ACTIVE_SESSION, type NoSession } from './session.ts'
import {
  BaseETag,
  COPY_NOT_FOUND,
  CopyKey,
  type CopyNotFound,
  type CopySummary,
  CopyVersion,
  titleOf,
  type WorkingCopy,
} from './working-copy.ts'

/** Does the work for the manager who calls. Fails with NoActingUser for a caller without an address. */
const forManager = <E, A>(
  caller: Caller,
  work: (email: Email) => TE.TaskEither<E, A>,
): TE.TaskEither<E | InsufficientScope | NoActingUser, A> =>
  permitted(
    'workOnCopies',
    caller,
  )(() =>
    pipe(
      TE.fromOption((): E | NoActingUser => NO_ACTING_USER)(caller.email),
      TE.flatMap((email): TE.TaskEither<E | NoActingUser, A> => work(email)),
    ),
  )

/** The caller is no manager who may have working copies. */
type NoManager = InsufficientScope | NoActingUser

/** Parameters of GET /copies. */
export const ListCopies = parameters({ name: 'ListCopies', required: {}, optional: {} })
export type ListCopies = typeof ListCopies._A

/** Parameters of GET /copies/<key>. */
export const OneCopy = parameters({ name: 'OneCopy', required: { key: CopyKey }, optional: {} })
export type OneCopy = typeof OneCopy._A

/** Parameters of DELETE /copies/<key>. */
export const DeleteCopy = parameters({
  name: 'DeleteCopy',
  required: { key: CopyKey },
  optional: { version: CopyVersion },
})
export type DeleteCopy = typeof DeleteCopy._A

/** Parameters of PUT /copies/<key>. */
export const PutCopy = parameters({
  name: 'PutCopy',
  required: {
    key: CopyKey,
    contentType: oneOf<ContentType>('CopiedType', CONTENT_TYPES, 'Content type of the item.'),
    fields: TypedFields,
  },
  optional: { baseETag: BaseETag, version: CopyVersion },
})
export type PutCopy = typeof PutCopy._A

/** Lists the caller's working copies, the latest change first (M7). */
export const makeListCopies =
  (ports: Pick<ManagerPorts, 'workingCopies'>) =>
  (
    caller: Caller,
    _parameters: ListCopies,
  ): TE.TaskEither<NoManager | Unavailable, ReadonlyArray<CopySummary>> =>
    forManager(caller, (email) => ports.workingCopies.of(email))

/** Returns one of the caller's working copies (M7). */
export const makeGetCopy =
  (ports: Pick<ManagerPorts, 'workingCopies'>) =>
  (caller: Caller, { key }: OneCopy): TE.TaskEither<NoManager | CopyNotFound | Unavailable, WorkingCopy> =>
    forManager(caller, (email) =>
      pipe(
        ports.workingCopies.find(email, key),
        TE.flatMap(TE.fromOption((): CopyNotFound | Unavailable => COPY_NOT_FOUND)),
      ),
    )

/**
 * Stores one of the caller's working copies, valid or not (M7). The item stays as it is. With a version it replaces only the copy of that moment:
 * the same person may type in another tab (M12).
 */
export const makePutCopy =
  (ports: Pick<ManagerPorts, 'clock' | 'workingCopies'>) =>
  (
    caller: Caller,
    { key, contentType, fields, baseETag = '', version }: PutCopy,
  ): TE.TaskEither<
    NoManager | NoSession | PreconditionFailed | ValidationFailed | Unavailable,
    CopySummary
  > =>
    forManager(caller, (email) => {
      const summary = { email, key, contentType, baseETag, updatedAt: ports.clock.now() }
      return pipe(
        ports.workingCopies.put({ ...summary, fields }, version),
        // The manager was erased after the request had been let in (A9).
        TE.mapError((failure) => (failure._tag === 'ManagerNotFound' ? NO_ACTIVE_SESSION : failure)),
        TE.map((updatedAt) => ({ ...summary, updatedAt, title: titleOf(fields) })),
      )
    })

/** Deletes one of the caller's working copies, if there is one (M7); with a version, only the copy of that moment (M12). */
export const makeDeleteCopy =
  (ports: Pick<ManagerPorts, 'clock' | 'workingCopies'>) =>
  (
    caller: Caller,
    { key, version }: DeleteCopy,
  ): TE.TaskEither<NoManager | PreconditionFailed | Unavailable, void> =>
    forManager(caller, (email) => ports.workingCopies.remove(email, key, ports.clock.now(), version))

/** The place of a post's image; publications have {@link LIBRARY_IMAGES}. */
const POST_IMAGE = 'image'

/** Parameters of PUT /copies/<key>/media/(cover|notification|image). */
export const OneCopyImage = parameters({
  name: 'OneCopyImage',
  required: {
    key: CopyKey,
    image: oneOf('CopyImageName', [...LIBRARY_IMAGES, POST_IMAGE], 'Place of the image.'),
  },
  optional: {},
})
export type OneCopyImage = typeof OneCopyImage._A

/** How storing an image for a working copy can fail. */
type CopyImageFailure = NoManager | NoSession | ImageFault | RightsEnded | Unavailable

/**
 * Stores an image of a new item, which belongs to the caller's working copy until the item is created (M7, D5). It must be what uploads to the
 * place must be (D1). The copy shows it once its fields name it.
 */
export const makeStoreCopyImage =
  (ports: Pick<ManagerPorts, 'clock' | 'imageChecker' | 'mediaStore' | 'secrets' | 'workingCopies'>) =>
  (
    caller: Caller,
    { key, image: place }: OneCopyImage,
    bytes: Uint8Array,
  ): TE.TaskEither<CopyImageFailure, MediaName> =>
    forManager(caller, (email) =>
      storeUpload(ports, caller, bytes, place === POST_IMAGE ? FEED_IMAGE : LIBRARY_IMAGE, (image) =>
        pipe(
          ports.workingCopies.addImage(email, key, image, ports.clock.now()),
          // The manager was erased after the request had been let in (A9).
          TE.mapError((failure) => (failure._tag === 'ManagerNotFound' ? NO_ACTIVE_SESSION : failure)),
          TE.tap((released) => discard(ports.mediaStore, released)),
          TE.map(() => image.name),
        ),
      ),
    )
