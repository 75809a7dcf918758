import * as O from 'fp-ts/lib/Option.js'
import { parseUrl } from '../values/url-parser.ts'
import type { WebUrl } from '../values/web-url.ts'
import type { MediaName } from './image.ts'

/** The addresses that stored images have for the world (D2, D3). Pure: it follows from the service's base URL. */
export interface MediaAddresses {
  /** The address of a stored image, whether or not it is there. */
  urlOf(name: MediaName): WebUrl
  /** The image that an address of this service names, whether or not it is there; none for any other address. */
  nameOf(url: WebUrl): O.Option<MediaName>
}

/** The path under the base URL where stored images are served (D2). */
export const MEDIA_PATH = '/static/media/'

/** The path of an address with its percent-encoding undone; as it is where that cannot be done. */
const plainPath = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/**
 * The addresses of stored images below a base URL. An address is known by where it leads, however it is spelt: default port,
 * case of the host, dots, percent-encoding, query and fragment make no other image of it.
 * @param baseUrl without a slash at its end
 */
export const mediaAddressesBelow = (baseUrl: string): MediaAddresses => {
  const prefix = `${baseUrl}${MEDIA_PATH}`
  const home = parseUrl(prefix)
  return {
    urlOf: (name) => `${prefix}${name}` as WebUrl,
    nameOf: (url) => {
      const { origin, pathname } = parseUrl(url)
      const path = plainPath(pathname)
      const name = path.slice(home.pathname.length)
      return origin === home.origin && path.startsWith(home.pathname) && name !== ''
        ? O.some(name as MediaName)
        : O.none
    },
  }
}
