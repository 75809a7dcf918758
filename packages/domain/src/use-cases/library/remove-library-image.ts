import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Caller, InsufficientScope } from '../../access/caller.ts'
import { asExpected, type Expectation, type Stale } from '../../items/expectation.ts'
import type { ItemNotFound } from '../../items/item.ts'
import { dropLibraryImage, type ImageNeeded, type ImageNotFound } from '../../items/library-edits.ts'
import type { LibraryItem } from '../../items/library-item.ts'
import type { Ports } from '../../ports/index.ts'
import type { ImageGone } from '../../ports/item-store.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import { discard } from '../discard.ts'
import { guarded } from '../guarded.ts'
import type { OneLibraryImage } from './images.ts'
import { libraryWrite } from './writes.ts'

type Needs = 'libraryItems' | 'clock' | 'mediaStore' | 'mediaAddresses'

export type RemoveLibraryImageError =
  | InsufficientScope
  | ItemNotFound
  | Stale
  | ImageNeeded
  | ImageNotFound
  | ImageGone
  | Unavailable

/** Removes the cover or notification image of an item that is not Live (C8, D3). */
export const makeRemoveLibraryImage =
  (ports: Pick<Ports, Needs>) =>
  (
    caller: Caller,
    { itemId, image: which }: OneLibraryImage,
    expected: Expectation,
  ): TE.TaskEither<RemoveLibraryImageError, LibraryItem> =>
    guarded('removeLibraryImage', caller, () =>
      pipe(
        ports.libraryItems.change(itemId, (current) =>
          pipe(
            asExpected(expected)(current),
            E.flatMap(
              (item): E.Either<Stale | ImageNeeded | ImageNotFound, LibraryItem> =>
                dropLibraryImage(item, which, ports.clock.now()),
            ),
            E.map((item) => libraryWrite(ports.mediaAddresses, item)),
          ),
        ),
        TE.tap(({ orphans }) => discard(ports.mediaStore, orphans)),
        TE.map(({ item }) => item),
      ),
    )
