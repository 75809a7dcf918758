import { isIPv6 } from 'node:net'
import { Email, WebUrl } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import { hostInUrl, isHost, isNetwork, originOf, type Parse, rule } from '../composition/node.ts'

export { isOfAllAddresses } from '../composition/node.ts'

/** An address to listen on. */
export interface Endpoint {
  readonly host: string
  readonly port: number
}

/** `http://HOST:PORT` of an address to listen on. */
export const urlOf = ({ host, port }: Endpoint): string => `http://${hostInUrl(host)}:${port}`

/** An IP address, without brackets or zone, or a host name. */
export const host = rule('must be an IP address or a host name', (text) => (isHost(text) ? text : undefined))

/** Returns the URL without slashes at its end, so that paths can follow it; undefined if it has a query, fragment or credentials. */
export const baseOf = (text: string): string | undefined =>
  WebUrl.is(text) && !/[?#]/.test(text) ? new URL(text).href.replace(/(?<!\/)\/+$/, '') : undefined

/** The URL under which clients reach the service. */
export const baseUrl = rule(
  'must be an absolute http or https URL without query, fragment or credentials',
  baseOf,
)

/** The origin of an address behind TLS. */
export const secureOrigin = rule('must be an https origin such as https://push.example.org', (text) => {
  const origin = originOf(text)
  return origin?.startsWith('https:') ? origin : undefined
})

/** Matches scheme, host and port, and nothing behind them. */
const BARE = /^[a-z][a-z\d+.-]*:\/\/[^\s/?#@\\]+$/i

/** Matches a host of an origin that is no part of another one: `.` alone is the host of some desktop apps. */
const WHOLE_HOST = /^(?!\..)[\w.~-]+$|^\[[\da-f:.]+\]$/

/** An origin as browsers and apps send it: `https://app.example.org`, `capacitor://localhost`. That of a web page may be written in any way. */
export const origin: Parse<string> = (text) => {
  if (text === 'null')
    return E.left('must be origins; null is none: every sandboxed page and every file sends it')
  if (text.includes('*'))
    return E.left('must be whole origins: patterns such as * are not taken, so name each origin')
  const url = BARE.test(text) ? URL.parse(text) : null
  return url !== null && WHOLE_HOST.test(url.hostname)
    ? E.right(`${url.protocol}//${url.host}`)
    : E.left('must be origins, each SCHEME://HOST or SCHEME://HOST:PORT, with commas between them')
}

/** An IP address, or a network as `10.0.0.0/8`. */
export const network = rule(
  'must be off, or addresses and networks such as 10.0.0.0/8 with commas between them',
  (text) => (isNetwork(text) ? text : undefined),
)

const domainOf = (email: Email): string => email.slice(email.lastIndexOf('@') + 1)

/** The domain of email addresses, in the form of addresses (F1). */
export const emailDomain = rule('must be domains such as example.org with commas between them', (text) =>
  E.match(() => undefined, domainOf)(Email.decode(`a@${text}`)),
)

/** Where metrics are served: with everything else, nowhere, or on an address of their own. */
type MetricsLocation =
  | { readonly kind: 'on' }
  | { readonly kind: 'off' }
  | ({ readonly kind: 'apart' } & Endpoint)

const ENDPOINT = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]]+)):(\d{1,5})$/

/** `on`, `off` or `HOST:PORT`. */
export const metricsLocation: Parse<MetricsLocation> = rule('must be on, off or HOST:PORT', (text) => {
  if (text === 'on' || text === 'off') return { kind: text }
  const [, six, other = '', port] = ENDPOINT.exec(text) ?? []
  const isEndpoint = (six === undefined ? isHost(other) : isIPv6(six)) && Number(port) <= 65_535
  return isEndpoint ? { kind: 'apart', host: six ?? other, port: Number(port) } : undefined
})
