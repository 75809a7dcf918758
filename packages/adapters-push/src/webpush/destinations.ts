import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net'
import { mayPushTo, type PushHost } from '@almoner/domain/people'

/** Addresses outside the public internet: https://www.iana.org/assignments/iana-ipv4-special-registry and 224.0.0.0/4, multicast. */
const IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const

/** https://www.iana.org/assignments/iana-ipv6-special-registry, site-local addresses and multicast; tunnels to any IPv4 address too. */
const IPV6 = [
  ['::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const

const makeBlocked = (): BlockList => {
  const blocked = new BlockList()
  for (const [net, bits] of IPV6) blocked.addSubnet(net, bits, 'ipv6')
  for (const [net, bits] of IPV4) {
    blocked.addSubnet(net, bits, 'ipv4')
    // The same, seen from a network of IPv6 alone (https://www.rfc-editor.org/rfc/rfc6052). Those mapped into IPv6 the list knows itself.
    blocked.addSubnet(`64:ff9b::${net}`, 96 + bits, 'ipv6')
  }
  return blocked
}

const BLOCKED = makeBlocked()

/** Whether an address is one of the public internet: neither loopback, private, link-local, shared, reserved nor multicast (F5). */
export const isPublicAddress = (address: string): boolean => {
  const [bare = ''] = address.split('%')
  return isIP(bare) !== 0 && !BLOCKED.check(bare, isIPv4(bare) ? 'ipv4' : 'ipv6')
}

/** Whether the host of a URL is an address, not a name. */
const isAddress = (hostname: string): boolean => isIP(hostname.replaceAll(/^\[|\]$/g, '')) !== 0

/** All addresses of a host's name. Rejects when there are none. */
export type Resolve = (hostname: string) => Promise<ReadonlyArray<LookupAddress>>

export const resolveBySystem: Resolve = (hostname) => lookup(hostname, { all: true })

/** Where pushes may go. */
interface Destinations {
  /** Whether an endpoint is on the list: it may have been stored when the list was another one (F5). */
  allows(endpoint: string): boolean
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
    allows: (endpoint) =>
      isAllowed(endpoint) && (!isAddress(new URL(endpoint).hostname) || isExact(endpoint)),
    lookup: (hostname, options, callback) => {
      addressesOf(hostname).then(
        (addresses) => {
          if (options.all) callback(null, [...addresses])
          else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
        },
        (error) => callback(error, ''),
      )
    },
  }
}
