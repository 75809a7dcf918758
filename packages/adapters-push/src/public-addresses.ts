import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net'

/** Addresses of special purposes: https://www.iana.org/assignments/iana-ipv4-special-registry and 224.0.0.0/4, multicast. */
const IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
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
  ['2620:4f:8000::', 48],
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

let blocked: BlockList | undefined

/** Whether an address is one of the public internet: neither loopback, private, link-local, shared, reserved nor multicast (C17, F5). */
export const isPublicAddress = (address: string): boolean => {
  const [bare = ''] = address.split('%')
  blocked ??= makeBlocked()
  return isIP(bare) !== 0 && !blocked.check(bare, isIPv4(bare) ? 'ipv4' : 'ipv6')
}

/** Whether the host of a URL is an address, not a name. */
export const isAddress = (hostname: string): boolean => isIP(hostname.replaceAll(/^\[|\]$/g, '')) !== 0

/** All addresses of a host's name. Rejects when there are none. */
export type Resolve = (hostname: string) => Promise<ReadonlyArray<LookupAddress>>

export const resolveBySystem: Resolve = (hostname) => lookup(hostname, { all: true })

/** Makes the lookup of connections from the addresses of a name. */
export const lookupOf =
  (addressesOf: Resolve): LookupFunction =>
  (hostname, options, callback) => {
    addressesOf(hostname).then(
      (addresses) => {
        if (options.all) callback(null, [...addresses])
        else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
      },
      (error) => callback(error, ''),
    )
  }

/** Returns a host of a URL without the brackets of IPv6. */
export const bareOf = (hostname: string): string => hostname.replaceAll(/^\[|\]$/g, '')

/** Returns the port of a URL. */
export const portOf = (port: string, protocol: string): string =>
  port || (protocol === 'https:' ? '443' : '80')
