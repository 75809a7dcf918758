import { LIBRARY_IMAGES } from '../../items/library-item.ts'
import { ItemId } from '../../values/ids.ts'
import { parameters } from '../../values/parameters.ts'
import { oneOf } from '../../values/refined.ts'

/** Which image of a library item a path means. */
export const LibraryImageName = oneOf('LibraryImageName', LIBRARY_IMAGES, 'Kind of image.')

/** Parameters of POST and DELETE /library/<itemId>/media/(cover|notification). */
export const OneLibraryImage = parameters({
  name: 'OneLibraryImage',
  required: { itemId: ItemId, image: LibraryImageName },
  optional: {},
})
export type OneLibraryImage = typeof OneLibraryImage._A
