import { type ImageRef, linked, type MediaName, stored, type WebUrl } from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'

/** The name of an image that is stored here; null for any other. */
export const nameColumn = (image: O.Option<ImageRef>): MediaName | null =>
  O.isSome(image) && image.value.kind === 'stored' ? image.value.name : null

/** The address of an image that lives elsewhere; null for any other. */
export const urlColumn = (image: O.Option<ImageRef>): WebUrl | null =>
  O.isSome(image) && image.value.kind === 'linked' ? image.value.url : null

/** The image that a pair of columns stands for. */
export const imageOf = (name: MediaName | null, url: WebUrl | null): O.Option<ImageRef> => {
  if (name !== null) return O.some(stored(name))
  return url === null ? O.none : O.some(linked(url))
}
