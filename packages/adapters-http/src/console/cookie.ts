const isSecure = (baseUrl: string): boolean => baseUrl.startsWith('https:')

/** Returns the name of the session cookie. On https the prefix binds it to this host and to secure connections (M4). */
const nameOf = (baseUrl: string): string => (isSecure(baseUrl) ? '__Host-almoner' : 'almoner')

const attributesOf = (baseUrl: string): string =>
  `Path=/; ${isSecure(baseUrl) ? 'Secure; ' : ''}HttpOnly; SameSite=Lax`

/** Returns the `Set-Cookie` of a session (M4). */
export const sessionCookie = (baseUrl: string, secret: string): string =>
  `${nameOf(baseUrl)}=${secret}; ${attributesOf(baseUrl)}`

/** Returns the `Set-Cookie` that removes the session's. */
export const clearedCookie = (baseUrl: string): string =>
  `${nameOf(baseUrl)}=; ${attributesOf(baseUrl)}; Max-Age=0`

/** Returns the secret in a `Cookie` field; undefined if there is none, or several, one of which may be another site's. */
export const secretIn = (baseUrl: string, header: string | undefined): string | undefined => {
  const prefix = `${nameOf(baseUrl)}=`
  const found = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
  const [one = ''] = found
  return found.length === 1 && one !== prefix ? one.slice(prefix.length) : undefined
}
