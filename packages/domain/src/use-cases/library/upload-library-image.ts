import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Receipt } from '../../access/acts.ts'
import { type Caller, permitted } from '../../access/caller.ts'
import { checkPrecondition, type Precondition } from '../../items/item.ts'
import { setLibraryImage } from '../../items/library-edits.ts'
import type { LibraryItem } from '../../items/library-item.ts'
import { LIBRARY_IMAGE, stored } from '../../media/model.ts'
import type { ContentPorts } from '../../ports/of-content.ts'
import { changeItem } from '../change-item.ts'
import type { UploadError } from '../failures.ts'
import { lookUp } from '../look-up.ts'
import { storeUpload } from '../store-upload.ts'
import type { OneLibraryImage } from './images.ts'
import { libraryWrite } from './writes.ts'

type Needs = 'libraryItems' | 'clock' | 'imageChecker' | 'mediaStore' | 'mediaAddresses' | 'secrets'

/** Stores an image as the item's cover or notification image (D1, D3), in every status. */
export const makeUploadLibraryImage =
  (ports: Pick<ContentPorts, Needs>) =>
  (
    caller: Caller,
    { itemId, image: which }: OneLibraryImage,
    bytes: Uint8Array,
    expected: Precondition,
    receipt?: Receipt<LibraryItem>,
  ): TE.TaskEither<UploadError, LibraryItem> =>
    permitted(
      'uploadLibraryImage',
      caller,
    )(() =>
      pipe(
        lookUp(ports.libraryItems, itemId, checkPrecondition(expected)),
        TE.flatMap(() =>
          storeUpload(ports, caller, bytes, LIBRARY_IMAGE, (image) =>
            changeItem(
              ports.libraryItems,
              ports.mediaStore,
              itemId,
              (current) =>
                pipe(
                  checkPrecondition(expected)(current),
                  E.map((item) => setLibraryImage(item, which, stored(image.name), ports.clock.now())),
                  E.map((item) =>
                    libraryWrite(
                      ports.mediaAddresses,
                      item,
                      { actor: caller.actor, action: 'upload-image' },
                      [image],
                    ),
                  ),
                ),
              receipt,
            ),
          ),
        ),
      ),
    )
