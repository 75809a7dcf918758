import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Caller, InsufficientScope } from '../../access/caller.ts'
import { asExpected, type Expectation, type Stale } from '../../items/expectation.ts'
import { stored } from '../../items/image.ts'
import { type ImageFault, LIBRARY_IMAGE } from '../../items/image-rules.ts'
import type { ItemNotFound } from '../../items/item.ts'
import { showLibraryImage } from '../../items/library-edits.ts'
import type { LibraryItem } from '../../items/library-item.ts'
import type { Ports } from '../../ports/index.ts'
import type { ImageGone } from '../../ports/item-store.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import { discard } from '../discard.ts'
import { guarded } from '../guarded.ts'
import { lookUp } from '../look-up.ts'
import { takeImage } from '../take-image.ts'
import type { OneLibraryImage } from './images.ts'
import { libraryWrite } from './writes.ts'

type Needs = 'libraryItems' | 'clock' | 'imageChecker' | 'mediaStore' | 'mediaAddresses' | 'secrets'

export type UploadLibraryImageError =
  | InsufficientScope
  | ItemNotFound
  | Stale
  | ImageFault
  | ImageGone
  | Unavailable

/** Stores an image and makes it the item's cover or notification image (D1, D3), whatever the item's state. */
export const makeUploadLibraryImage =
  (ports: Pick<Ports, Needs>) =>
  (
    caller: Caller,
    { itemId, image: which }: OneLibraryImage,
    bytes: Uint8Array,
    expected: Expectation,
  ): TE.TaskEither<UploadLibraryImageError, LibraryItem> =>
    guarded('uploadLibraryImage', caller, () =>
      pipe(
        lookUp(ports.libraryItems, itemId, asExpected(expected)),
        TE.flatMap(() =>
          takeImage(ports, bytes, LIBRARY_IMAGE, (image) =>
            ports.libraryItems.change(itemId, (current) =>
              pipe(
                asExpected(expected)(current),
                E.map((item) => showLibraryImage(item, which, stored(image.name), ports.clock.now())),
                E.map((item) => libraryWrite(ports.mediaAddresses, item, [image])),
              ),
            ),
          ),
        ),
        TE.tap(({ orphans }) => discard(ports.mediaStore, orphans)),
        TE.map(({ item }) => item),
      ),
    )
