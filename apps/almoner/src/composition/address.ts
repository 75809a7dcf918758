import { mediaAddressesBelow } from '@almoner/domain'
import type { MediaAddresses } from '@almoner/domain/media'
import * as O from 'fp-ts/lib/Option.js'
import type { Settings } from '../config/definitions.ts'
import { urlOf } from '../config/network.ts'
import { failed } from '../failure.ts'

/** The public address of the service. */
export interface ServiceAddress {
  /** Returns the base URL, without a slash at its end. With port 0, it is right once {@link listensOn} was called. */
  readonly baseUrl: () => string
  readonly mediaAddresses: MediaAddresses
  /** Sets the port that the service listens on. */
  readonly listensOn: (port: number) => void
}

/** Throws when only a running server knows the address: URLs with port 0 lead nowhere, and would go out in pushes and sign-in links. */
export const rejectUnknownAddress = ({ baseUrl, port }: Pick<Settings, 'baseUrl' | 'port'>): void => {
  if (O.isNone(baseUrl) && port === 0)
    throw failed(
      'ALMONER_PORT=0 lets the server choose its port, which this command does not know: set ALMONER_BASE_URL to the address of the service, or ALMONER_PORT to its port',
    )
}

/** Makes the address of the settings, or `http://HOST:PORT`. */
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
