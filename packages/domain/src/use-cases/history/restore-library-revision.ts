import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Act, Receipt } from '../../access/acts.ts'
import { type Caller, permitted } from '../../access/caller.ts'
import type { Precondition } from '../../items/item.ts'
import type { LibraryItem } from '../../items/library-item.ts'
import type { ContentPolicy, ContentPorts } from '../../ports/of-content.ts'
import { decode } from '../../values/parameters.ts'
import { libraryEditOf, UpdateLibraryItem } from '../library/update-library-item.ts'
import { type EditPorts, makeWriteLibraryEdit } from '../library/writes.ts'
import { asParameters, imageGone, type OneRevision, type RestoreError, stateAt } from './one-revision.ts'

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
        TE.map((state) => asParameters(revision, state, addresses)),
        TE.flatMapEither((sent) => decode(UpdateLibraryItem)(sent)),
        TE.map((command) => libraryEditOf(addresses, command)),
        TE.flatMap((edit) =>
          TE.mapLeft(imageGone(addresses))(write(revision.itemId, edit, expected, act, receipt)),
        ),
      )
    })
}
