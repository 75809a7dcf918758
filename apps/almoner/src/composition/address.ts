import { type MediaAddresses, mediaAddressesBelow } from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import { type Failure, failed } from '../cli/failure.ts'
import type { Settings } from '../config/definitions.ts'
import { urlOf } from '../config/network.ts'

/** Where the world finds the service. */
export interface ServiceAddress {
  /** The base URL, without a slash at its end. With a port that the system chooses, it is right once that is told. */
  readonly baseUrl: () => string
  readonly mediaAddresses: MediaAddresses
  /** Tells the port that the service really listens on. */
  readonly listensOn: (port: number) => void
}

/**
 * Returns the fault of an address that only a running server knows; undefined where commands know it too. Image URLs with port 0 lead
 * nowhere, and would go out in pushes.
 */
export const unknownAddress = ({ baseUrl, port }: Pick<Settings, 'baseUrl' | 'port'>): Failure | undefined =>
  O.isNone(baseUrl) && port === 0
    ? failed(
        'ALMONER_PORT=0 lets the server choose its port, which this command does not know: set ALMONER_BASE_URL to the address of the service, or ALMONER_PORT to its port',
      )
    : undefined

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
