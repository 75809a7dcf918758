import { type Connections, makeConnections } from './connections.ts'
import { makeExchange } from './exchange.ts'
import { type Outgoing, openLibrary } from './library.ts'
import type { ApnsOptions } from './options.ts'
import type { ProviderToken } from './provider-token.ts'
import type { Exchanged } from './reply.ts'

/** One of Apple's two servers, as seen from here. */
export interface Server extends Pick<Connections, 'close'> {
  /** Sends to a device, with another provider token where ours has expired or comes too soon after the last. Never rejects. */
  ask(token: string, outgoing: Outgoing): Promise<Exchanged>
}

const isBecauseOf = (exchanged: Exchanged, reason: string): boolean =>
  typeof exchanged === 'object' && exchanged.reason === reason

/** @throws when the key cannot be used */
export const openServer = (
  origin: string,
  options: ApnsOptions,
  token: ProviderToken,
  limit: number,
): Server => {
  // The library's own limit comes into play only where ours fails.
  const client = openLibrary(origin, options, token, 2 * limit)
  const connections = makeConnections(client)
  const exchange = makeExchange(client, connections)
  return {
    ask: async (device, outgoing) => {
      const until = performance.now() + limit
      // The library would do so in the middle of the exchange, and nobody would know which token was refused.
      if (token.isExpired()) token.regenerate(token.generation)
      const { generation } = token
      const first = await exchange(device, outgoing, limit)
      if (isBecauseOf(first, 'TooManyProviderTokenUpdates')) {
        token.swap(generation)
        return exchange(device, outgoing, until - performance.now())
      }
      if (!isBecauseOf(first, 'ExpiredProviderToken')) return first
      // The library has made a new provider token by now. That it came too soon after the last says only that ours are always too old.
      const second = await exchange(device, outgoing, until - performance.now())
      return isBecauseOf(second, 'TooManyProviderTokenUpdates') ? first : second
    },
    close: connections.close,
  }
}
