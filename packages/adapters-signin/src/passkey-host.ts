import { isIP } from 'node:net'

/**
 * Returns the host that passkeys are bound to; undefined if browsers make none for it. The host must be a name, and the connection secure,
 * except on localhost.
 * @param baseUrl the public URL of the service
 */
export const passkeyHost = (baseUrl: string): string | undefined => {
  const { hostname, protocol } = new URL(baseUrl)
  const isAddress = hostname.startsWith('[') || isIP(hostname) !== 0
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
  return isSecure && !isAddress ? hostname : undefined
}
