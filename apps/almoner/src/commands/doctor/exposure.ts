import { isIP } from 'node:net'
import * as O from 'fp-ts/lib/Option.js'
import { SETTINGS } from '../../config/definitions.ts'
import { isOfAllAddresses } from '../../config/network.ts'
import { type Check, ok, warning } from './finding.ts'

/** Addresses of a machine itself and of private networks (RFC 1918, RFC 4193, RFC 3927, RFC 4291). */
const PRIVATE: ReadonlyArray<RegExp> = [
  /^(?:127|10)\./,
  /^192\.168\./,
  /^172\.(?:1[6-9]|2\d|3[01])\./,
  /^169\.254\./,
  /^\[(?:::1\]|f[cd]|fe[89ab])/i,
]

/** Names that no public DNS gives out (RFC 6761, RFC 6762, RFC 8375), and names without a dot. */
const LOCAL = /^[^.]+$|(?:^|\.)(?:localhost|local|internal|test|home\.arpa)\.?$/i

/** Returns whether a URL may be public, judging by its host. */
const isPublic = (url: string): boolean => {
  const { hostname } = new URL(url)
  const isAddress = hostname.startsWith('[') || isIP(hostname) > 0
  return isAddress ? !PRIVATE.some((pattern) => pattern.test(hostname)) : !LOCAL.test(hostname)
}

/** Checks whether anyone may read the metrics: on the main port they need no token. */
export const exposureCheck: Check = {
  name: 'metrics',
  asks: 'nothing outside',
  look: async ({ settings: { metrics, baseUrl } }) => {
    if (metrics.kind !== 'on' || O.isNone(baseUrl) || !isPublic(baseUrl.value))
      return [ok('no public address is known under which they can be read')]
    return [
      warning(
        'metrics-public',
        `anyone may read /metrics below ${SETTINGS.baseUrl.name}, without a token, unless a proxy refuses it`,
        `give the metrics a port of their own, such as ${SETTINGS.metrics.name}=127.0.0.1:9464, or have the proxy refuse /metrics`,
      ),
    ]
  },
}

/** Checks whether clients can open the URLs that the service gives out. */
export const addressCheck: Check = {
  name: 'address',
  asks: 'nothing outside',
  look: async ({ service }) => {
    const url = service.address.baseUrl()
    if (!isOfAllAddresses(url)) return [ok(`URLs in responses begin with ${url}`)]
    return [
      warning(
        'address-of-all',
        `clients cannot open the URLs in responses, which begin with ${url}`,
        `set ${SETTINGS.baseUrl.name} to the URL under which clients reach the service, such as https://api.example.org`,
        { url },
      ),
    ]
  },
}
