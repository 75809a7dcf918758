import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted } from '../access/caller.ts'
import type { PreconditionFailed } from '../content/model.ts'
import { CONTENT_TYPES, type ContentType } from '../history/model.ts'
import { NO_ACTING_USER, type NoActingUser } from '../people/model.ts'
import type { Email } from '../values/addresses.ts'
import { parameters, type ValidationFailed } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import { oneOf } from '../values/refined.ts'
import type { ManagerPorts } from './ports.ts'
import { NO_ACTIVE_SESSION, type NoSession } from './session.ts'
import {
  BaseETag,
  COPY_NOT_FOUND,
  CopyFields,
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
    fields: CopyFields,
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
  (ports: Pick<ManagerPorts, 'workingCopies'>) =>
  (
    caller: Caller,
    { key, version }: DeleteCopy,
  ): TE.TaskEither<NoManager | PreconditionFailed | Unavailable, void> =>
    forManager(caller, (email) => ports.workingCopies.remove(email, key, version))
