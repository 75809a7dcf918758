import { isIP } from 'node:net'

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
export const mayBePublic = (url: string): boolean => {
  const { hostname } = new URL(url)
  const isAddress = hostname.startsWith('[') || isIP(hostname) > 0
  return isAddress ? !PRIVATE.some((pattern) => pattern.test(hostname)) : !LOCAL.test(hostname)
}
