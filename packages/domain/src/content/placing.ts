import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Act } from '../access/acts.ts'
import { type Caller, permitted } from '../access/caller.ts'
import {
  FEED_IMAGE,
  fits,
  type ImageFault,
  type ImageRule,
  type ImageSize,
  isMediaName,
  LIBRARY_IMAGE,
  type MediaName,
  stored,
} from '../media/model.ts'
import { ItemId } from '../values/ids.ts'
import { parameters } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import { refined } from '../values/refined.ts'
import { setFeedImage, setLibraryImage } from './edits.ts'
import { LibraryImageName } from './images.ts'
import { checkPrecondition, type FeedItem, type LibraryItem, type Precondition } from './model.ts'
import type { ContentPorts, ImageMissing } from './ports.ts'
import { changeItem, feedWrite, libraryWrite, type UpdateError } from './writing.ts'

/** Reads the file name of a stored image. */
const StoredName = refined<MediaName>(
  'StoredName',
  (text) => (isMediaName(text) ? E.right(text) : E.left('must be the file name of a stored image')),
  { type: 'string', description: 'File name of a stored image.' },
)

/** Parameters of PUT /library/<itemId>/media/(cover|notification) of the console. */
export const PlaceLibraryImage = parameters({
  name: 'PlaceLibraryImage',
  required: { itemId: ItemId, image: LibraryImageName, name: StoredName },
  optional: {},
})
export type PlaceLibraryImage = typeof PlaceLibraryImage._A

/** Parameters of PUT /feed/<itemId>/media of the console. */
export const PlaceFeedImage = parameters({
  name: 'PlaceFeedImage',
  required: { itemId: ItemId, name: StoredName },
  optional: {},
})
export type PlaceFeedImage = typeof PlaceFeedImage._A

/** How placing an image can fail. */
export type PlaceError = UpdateError | Extract<ImageFault, { readonly _tag: 'WrongImageSize' }>

/** Rejects an image that is unknown, or not of the size that uploads to its place must have (D1). */
const checkSize =
  (name: MediaName, rule: ImageRule) =>
  (sizes: ReadonlyMap<MediaName, ImageSize>): E.Either<PlaceError, void> => {
    const size = sizes.get(name)
    const missing: ImageMissing = { _tag: 'ImageMissing', name }
    if (size === undefined) return E.left(missing)
    const { width, height } = size
    return fits(rule, width, height)
      ? E.right(undefined)
      : E.left({ _tag: 'WrongImageSize', rule, width, height })
  }

const actOf = ({ actor }: Caller): Act => ({ actor, action: 'upload-image' })

type PlacingPorts = Pick<ContentPorts, 'clock' | 'knownImages' | 'mediaAddresses' | 'mediaStore'>

/** Makes a publication show an image that is stored already, as one of a working copy, as an upload of it would (D1, D3). */
export const makePlaceLibraryImage =
  (ports: PlacingPorts & Pick<ContentPorts, 'libraryItems'>) =>
  (
    caller: Caller,
    { itemId, image: which, name }: PlaceLibraryImage,
    expected: Precondition,
  ): TE.TaskEither<PlaceError, LibraryItem> =>
    permitted(
      'uploadLibraryImage',
      caller,
    )(() =>
      pipe(
        ports.knownImages.sizesOf([name]),
        TE.flatMap(
          (sizes): TE.TaskEither<PlaceError | Unavailable, void> =>
            TE.fromEither(checkSize(name, LIBRARY_IMAGE)(sizes)),
        ),
        TE.flatMap(() =>
          changeItem(ports.libraryItems, ports.mediaStore, itemId, (current) =>
            pipe(
              checkPrecondition(expected)(current),
              E.map((item) => setLibraryImage(item, which, stored(name), ports.clock.now())),
              E.map((item) => libraryWrite(ports.mediaAddresses, item, actOf(caller))),
            ),
          ),
        ),
      ),
    )

/** Makes a post show an image that is stored already, as {@link makePlaceLibraryImage} does. */
export const makePlaceFeedImage =
  (ports: PlacingPorts & Pick<ContentPorts, 'feedItems'>) =>
  (
    caller: Caller,
    { itemId, name }: PlaceFeedImage,
    expected: Precondition,
  ): TE.TaskEither<PlaceError, FeedItem> =>
    permitted(
      'updateFeedItem',
      caller,
    )(() =>
      pipe(
        ports.knownImages.sizesOf([name]),
        TE.flatMap(
          (sizes): TE.TaskEither<PlaceError | Unavailable, void> =>
            TE.fromEither(checkSize(name, FEED_IMAGE)(sizes)),
        ),
        TE.flatMap(() =>
          changeItem(ports.feedItems, ports.mediaStore, itemId, (current) =>
            pipe(
              checkPrecondition(expected)(current),
              E.map((item) => setFeedImage(item, name, ports.clock.now())),
              E.map((item) => feedWrite(ports.mediaAddresses, item, actOf(caller))),
            ),
          ),
        ),
      ),
    )
