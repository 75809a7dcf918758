import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Caller } from '../../access/caller.ts'
import { guarded } from '../../access/caller.ts'
import { asExpected, type Expectation, type Stale } from '../../items/expectation.ts'
import { dropLibraryImage, type ImageNeeded, type ImageNotFound } from '../../items/library-edits.ts'
import type { LibraryItem } from '../../items/library-item.ts'
import type { Ports } from '../../ports/index.ts'
import { changeItem } from '../change-item.ts'
import type { RemoveError } from '../failures.ts'
import type { OneLibraryImage } from './images.ts'
import { libraryWrite } from './writes.ts'

type Needs = 'libraryItems' | 'clock' | 'mediaStore' | 'mediaAddresses'

/** Removes the cover or notification image of an item that is not Live (C8, D3). */
export const makeRemoveLibraryImage =
  (ports: Pick<Ports, Needs>) =>
  (
    caller: Caller,
    { itemId, image: which }: OneLibraryImage,
    expected: Expectation,
  ): TE.TaskEither<RemoveError, LibraryItem> =>
    guarded('removeLibraryImage', caller, () =>
      changeItem(ports.libraryItems, ports.mediaStore, itemId, (current) =>
        pipe(
          asExpected(expected)(current),
          E.flatMap(
            (item): E.Either<Stale | ImageNeeded | ImageNotFound, LibraryItem> =>
              dropLibraryImage(item, which, ports.clock.now()),
          ),
          E.map((item) => libraryWrite(ports.mediaAddresses, item)),
        ),
      ),
    )
