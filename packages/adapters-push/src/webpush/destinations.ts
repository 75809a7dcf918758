import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { mayPushTo, type PushHost } from '@almoner/domain/people'
import { isAddress, isPublicAddress, lookupOf, type Resolve } from '../public-addresses.ts'

/** Where pushes may go. */
interface Destinations {
  /** Returns the URL of an endpoint if it is on the list: it may have been stored when the list was another one (F5). */
  allowed(endpoint: string): URL | undefined
  /** Finds addresses for connections, and fails where a name leads into a private network. */
  readonly lookup: LookupFunction
}

const nameOf = (entry: PushHost): string => entry.replace(/:\d+$/, '')

/**
 * Enforces the allow-list also while connecting: the addresses of a name can change after a check, so the connected address itself is checked
 * (F5). Allows loopback and literal addresses only if the list contains them exactly.
 */
export const makeDestinations = (hosts: ReadonlyArray<PushHost>, resolve: Resolve): Destinations => {
  const exact = hosts.filter((entry) => !entry.startsWith('*.'))
  const isAllowed = mayPushTo(hosts)
  const isExact = mayPushTo(exact)
  const mayBeHere = exact.map(nameOf).includes('localhost')

  const addressesOf = async (hostname: string): Promise<ReadonlyArray<LookupAddress>> => {
    const addresses = await resolve(hostname)
    const mayBeAnywhere = mayBeHere && hostname === 'localhost'
    const isFine = mayBeAnywhere || addresses.every(({ address }) => isPublicAddress(address))
    if (!isFine || addresses.length === 0) throw new RangeError('The name leads nowhere in public.')
    return addresses
  }

  return {
    allowed(endpoint) {
      if (!isAllowed(endpoint)) return undefined
      const url = new URL(endpoint)
      return !isAddress(url.hostname) || isExact(endpoint) ? url : undefined
    },
    lookup: lookupOf(addressesOf),
  }
}
