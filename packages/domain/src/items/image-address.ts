import * as O from 'fp-ts/lib/Option.js'
import type { WebUrl } from '../values/web-url.ts'
import { type ImageRef, linked, type MediaName, stored } from './image.ts'
import type { MediaAddresses } from './media-addresses.ts'

/** Where an image is found, following the base URL of the day (D3). */
export const addressOf =
  (addresses: MediaAddresses) =>
  (image: ImageRef): WebUrl =>
    image.kind === 'stored' ? addresses.urlOf(image.name) : image.url

/** The image at an address: one of ours is held by its name, so that it follows the base URL and is kept (D3, D5). */
export const imageAt =
  (addresses: MediaAddresses) =>
  (url: WebUrl): ImageRef => {
    const name = addresses.nameOf(url)
    return O.isSome(name) ? stored(name.value) : linked(url)
  }

/** The stored images among these. */
export const storedAmong = (images: ReadonlyArray<O.Option<ImageRef>>): ReadonlyArray<MediaName> =>
  images.flatMap((image) => (O.isSome(image) && image.value.kind === 'stored' ? [image.value.name] : []))

/** The stored images that links lead to (D5). */
export const mentionedBy = (
  addresses: MediaAddresses,
  links: ReadonlyArray<O.Option<WebUrl>>,
): ReadonlyArray<MediaName> => storedAmong(links.map(O.map(imageAt(addresses))))
