import { hash } from 'node:crypto'

const isSecure = (baseUrl: string): boolean => baseUrl.startsWith('https:')

/**
 * Returns the name of the session cookie. On https the prefix binds it to this host and to secure connections. Cookies are the same for all ports
 * and paths of a host, so the name differs by port and path of the public URL (M4, M13).
 */
export const cookieNameOf = (baseUrl: string): string => {
  const { port, pathname } = new URL(baseUrl)
  const place = `${port}${pathname.replace(/\/+$/, '')}`
  const ending = place === '' ? '' : `-${hash('sha256', place).slice(0, 8)}`
  return `${isSecure(baseUrl) ? '__Host-' : ''}almoner${ending}`
}

const attributesOf = (baseUrl: string): string =>
  `Path=/; ${isSecure(baseUrl) ? 'Secure; ' : ''}HttpOnly; SameSite=Lax`

/** Returns the `Set-Cookie` of a session (M4). */
export const sessionCookie = (baseUrl: string, secret: string): string =>
  `${cookieNameOf(baseUrl)}=${secret}; ${attributesOf(baseUrl)}`

/** Returns the `Set-Cookie` that removes the session's. */
export const clearedCookie = (baseUrl: string): string =>
  `${cookieNameOf(baseUrl)}=; ${attributesOf(baseUrl)}; Max-Age=0`

const providerNameOf = (baseUrl: string): string => `${cookieNameOf(baseUrl)}-oidc`

/** Returns the `Set-Cookie` of a sign-in that goes on at the identity provider, for some seconds; none to remove it (M3). */
export const providerCookie = (baseUrl: string, secret = '', seconds = 0): string =>
  `${providerNameOf(baseUrl)}=${secret}; ${attributesOf(baseUrl)}; Max-Age=${seconds}`

const valueIn = (name: string, header: string | undefined): string | undefined => {
  const prefix = `${name}=`
  const found = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
  const [one = ''] = found
  return found.length === 1 && one !== prefix ? one.slice(prefix.length) : undefined
}

/** Returns the session's secret in a `Cookie` field; undefined if there is none, or several, one of which may be another site's. */
export const secretIn = (baseUrl: string, header: string | undefined): string | undefined =>
  valueIn(cookieNameOf(baseUrl), header)

/** As {@link secretIn}, of a sign-in that goes on at the identity provider. */
export const providerSecretIn = (baseUrl: string, header: string | undefined): string | undefined =>
  valueIn(providerNameOf(baseUrl), header)
