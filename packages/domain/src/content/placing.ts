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
  isMediaName,
  LIBRARY_IMAGE,
  type MediaName,
  stored,
} from '../media/model.ts'
import type { KnownImages } from '../media/ports.ts'
import { ItemId } from '../values/ids.ts'
import { fieldError, parameters, type ValidationFailed, validationFailed } from '../values/parameters.ts'
import { refined } from '../values/refined.ts'
import { setFeedImage, setLibraryImage } from './edits.ts'
import { LibraryImageName } from './images.ts'
import { checkPrecondition, type FeedItem, type LibraryItem, type Precondition } from './model.ts'
import type { ContentPorts, ItemStore, ItemWrite } from './ports.ts'
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
export type PlaceError =
  | UpdateError
  | ValidationFailed
  | Extract<ImageFault, { readonly _tag: 'WrongImageSize' }>

const UNKNOWN = validationFailed([fieldError('name', 'names no image that was uploaded here')])

/** Rejects an image that is unknown, or not of the size that uploads to its place must have (D1). */
const checkSize = (
  knownImages: KnownImages,
  name: MediaName,
  rule: ImageRule,
): TE.TaskEither<PlaceError, void> =>
  pipe(
    knownImages.sizesOf([name]),
    TE.flatMap((sizes): TE.TaskEither<PlaceError, void> => {
      const size = sizes.get(name)
      if (size === undefined) return TE.left(UNKNOWN)
      const { width, height } = size
      return fits(rule, width, height)
        ? TE.right(undefined)
        : TE.left({ _tag: 'WrongImageSize', rule, width, height })
    }),
  )

/** Checks an image, and makes an item show it. It may be forgotten between the two. */
const placed = <Item>(
  { knownImages, mediaStore }: Pick<ContentPorts, 'knownImages' | 'mediaStore'>,
  store: Pick<ItemStore<Item, Item, never, never>, 'change'>,
  { itemId, name }: { readonly itemId: ItemId; readonly name: MediaName },
  rule: ImageRule,
  decide: (current: Item) => E.Either<PlaceError, ItemWrite<Item>>,
): TE.TaskEither<PlaceError, Item> =>
  pipe(
    checkSize(knownImages, name, rule),
    TE.flatMap(() => changeItem(store, mediaStore, itemId, decide)),
    TE.mapError((error) => (error._tag === 'ImageMissing' && error.name === name ? UNKNOWN : error)),
  )

const actOf = ({ actor }: Caller): Act => ({ actor, action: 'upload-image' })

type PlacingPorts = Pick<ContentPorts, 'clock' | 'knownImages' | 'mediaAddresses' | 'mediaStore'>

/** Makes a publication show an image that is stored already, as one of a working copy, as an upload of it would (D1, D3). */
export const makePlaceLibraryImage =
  (ports: PlacingPorts & Pick<ContentPorts, 'libraryItems'>) =>
  (
    caller: Caller,
    command: PlaceLibraryImage,
    expected: Precondition,
  ): TE.TaskEither<PlaceError, LibraryItem> =>
    permitted(
      'uploadLibraryImage',
      caller,
    )(() =>
      placed(ports, ports.libraryItems, command, LIBRARY_IMAGE, (current) =>
        pipe(
          checkPrecondition(expected)(current),
          E.map((item) => setLibraryImage(item, command.image, stored(command.name), ports.clock.now())),
          E.map((item) => libraryWrite(ports.mediaAddresses, item, actOf(caller))),
        ),
      ),
    )

/** Makes a post show an image that is stored already, as an upload of it would (D1, D3). */
export const makePlaceFeedImage =
  (ports: PlacingPorts & Pick<ContentPorts, 'feedItems'>) =>
  (caller: Caller, command: PlaceFeedImage, expected: Precondition): TE.TaskEither<PlaceError, FeedItem> =>
    permitted(
      'updateFeedItem',
      caller,
    )(() =>
      placed(ports, ports.feedItems, command, FEED_IMAGE, (current) =>
        pipe(
          checkPrecondition(expected)(current),
          E.map((item) => setFeedImage(item, command.name, ports.clock.now())),
          E.map((item) => feedWrite(ports.mediaAddresses, item, actOf(caller))),
        ),
      ),
    )
