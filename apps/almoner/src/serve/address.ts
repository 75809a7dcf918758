import { type MediaAddresses, mediaAddressesBelow } from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import type { Settings } from '../settings/definitions.ts'
import { urlOf } from '../settings/network.ts'

/** Where the world finds the service. */
export interface ServiceAddress {
  /** The base URL, without a slash at its end. With a port that the system chooses, it is right once that is told. */
  readonly baseUrl: () => string
  readonly mediaAddresses: MediaAddresses
  /** Tells the port that the service really listens on. */
  readonly listensOn: (port: number) => void
}

/** The address that the settings give, or `http://HOST:PORT`. */
export const serviceAddress = (settings: Settings): ServiceAddress => {
  const below = (port: number) => {
    const url = O.getOrElse(() => urlOf({ host: settings.host, port }))(settings.baseUrl)
    return { url, media: mediaAddressesBelow(url) }
  }
  let current = below(settings.port)
  return {
    baseUrl: () => current.url,
    mediaAddresses: {
      urlOf: (name) => current.media.urlOf(name),
      nameOf: (url) => current.media.nameOf(url),
    },
    listensOn: (port) => {
      current = below(port)
    },
  }
}
