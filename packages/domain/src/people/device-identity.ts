import { parseUrl } from '../values/addresses.ts'
import type { DeviceIdentity } from '../values/ids.ts'
import { type Destination, type DeviceKind, destinationOf, PROVIDERS } from './destination.ts'
import type { Device } from './device.ts'
import type { DeviceToken } from './device-token.ts'

/** A device as a request names it. */
export type NamedDevice = Pick<Device, 'token' | 'kind'>

const HEX = /^[0-9a-f]+$/i

/** Returns the part of a destination that decides where a push goes; undefined for a provider that a host has added. */
const placeOf = (destination: Destination): string | undefined => {
  switch (destination.provider) {
    case 'fcm':
      return `${destination.form === 'fid' ? 'fid' : 'fcm'}:${destination.token}`
    case 'apns': {
      const { sandbox, token } = destination
      return `${sandbox ? 'apns-sandbox' : 'apns'}:${HEX.test(token) ? token.toLowerCase() : token}`
    }
    case 'webpush': {
      // As a push is sent: without a fragment, the host in lower case, the scheme's own port left out.
      const { origin, pathname, search } = parseUrl(destination.subscription.endpoint)
      return `webpush:${origin}${pathname}${search}`
    }
    default:
      return undefined
  }
}

const identityOf = (token: DeviceToken, kind: DeviceKind): DeviceIdentity => {
  const destination = destinationOf(token, kind)
  const place = destination && placeOf(destination)
  return (place ?? `text:${token}`) as DeviceIdentity
}

/** The identities under which a store may have a device. */
export interface DeviceKeys {
  /** The identity of the device. Every stored device with it is this one. */
  readonly identity: DeviceIdentity
  /** Identities that the same text has as another kind. A stored device with one of them is this one only if its text is equal. */
  readonly otherwise: ReadonlyArray<DeviceIdentity>
}

/**
 * Returns the identities of a device (F4): by provider and environment, APNs hex in any case, with or without a prefix, Web Push by its
 * endpoint. Devices of other kinds are identified by their text. The same text stays one device if its kind changes, as after another
 * `ALMONER_PUSH_DEFAULT`.
 */
export const deviceKeys = ({ token, kind }: NamedDevice): DeviceKeys => {
  const identity = identityOf(token, kind)
  const all = [...PROVIDERS, 'unroutable' as const].map((other) => identityOf(token, other))
  return { identity, otherwise: [...new Set(all)].filter((one) => one !== identity) }
}
