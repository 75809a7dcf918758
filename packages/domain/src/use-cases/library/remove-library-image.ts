import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, permitted } from '../../access/caller.ts'
import { checkPrecondition, type Precondition, type PreconditionFailed } from '../../items/item.ts'
import { type ImageNeeded, type ImageNotFound, removeLibraryImage } from '../../items/library-edits.ts'
import type { LibraryItem } from '../../items/library-item.ts'
import type { ContentPorts } from '../../ports/of-content.ts'
import { changeItem } from '../change-item.ts'
import type { RemoveError } from '../failures.ts'
import type { OneLibraryImage } from './images.ts'
import { libraryWrite } from './writes.ts'

type Needs = 'libraryItems' | 'clock' | 'mediaStore' | 'mediaAddresses'

/** Removes the cover or notification image of an item that is not Live (C8, D3). */
export const makeRemoveLibraryImage =
  (ports: Pick<ContentPorts, Needs>) =>
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
