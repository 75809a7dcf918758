import * as O from 'fp-ts/lib/Option.js'
import type { WebUrl } from '../values/web-url.ts'
import { isMediaName, type MediaName } from './image.ts'

/** The addresses that stored images have for the world (D2, D3). Pure: it follows from the service's base URL. */
export interface MediaAddresses {
  urlOf(name: MediaName): WebUrl
  /** The image that an address of this service names, whether or not it is there; none for any other address. */
  nameOf(url: WebUrl): O.Option<MediaName>
}

/** The path under the base URL where stored images are served (D2). */
export const MEDIA_PATH = '/static/media/'

/**
 * The addresses of stored images below a base URL.
 * @param baseUrl without a slash at its end
 */
export const mediaAddressesBelow = (baseUrl: string): MediaAddresses => {
  const prefix = `${baseUrl}${MEDIA_PATH}`
  return {
    urlOf: (name) => `${prefix}${name}` as WebUrl,
    nameOf: (url) => {
      const rest = url.slice(prefix.length)
      return url.startsWith(prefix) && isMediaName(rest) ? O.some(rest) : O.none
    },
  }
}
