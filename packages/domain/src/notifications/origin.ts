import type { Destination, Provider } from '../people/destinations.ts'
import { parseUrl } from '../values/addresses.ts'
import type { Branded } from '../values/refined.ts'

/**
 * A server that pushes go to, by which failures are distinguished (G15): `fcm`, `apns`, `apns sandbox`, `webpush https://host`, or the name of a
 * provider that a host has added. `webpush` alone stands for all of Web Push.
 */
export type Origin = Branded<string, 'Origin'>

const SPACE = ' '

/** Returns the name of a provider as an origin: that of its only server, or of all of them together. */
export const wholeOf = (provider: Provider): Origin => provider as string as Origin

/** Returns the server behind a destination. */
export const originOf = (destination: Destination): Origin => {
  const { provider } = destination
  const server = (name: string) => `${provider}${SPACE}${name}` as Origin
  if (provider === 'webpush') return server(parseUrl(destination.subscription.endpoint).origin)
  return provider === 'apns' && destination.sandbox ? server('sandbox') : wholeOf(provider)
}

/** Returns the provider of an origin. */
export const providerOf = (origin: Origin): Provider => origin.split(SPACE, 1)[0] as Provider

/** Returns the part of an origin behind the provider's name; empty for a provider with one server. */
export const serverOf = (origin: Origin): string => origin.split(SPACE).slice(1).join(SPACE)
