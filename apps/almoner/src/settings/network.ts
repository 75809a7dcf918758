import { isIP, isIPv6 } from 'node:net'
import { WebUrl } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Parse } from './setting.ts'
import { wholeNumber, withoutSlash } from './values.ts'

/** An address to listen on. */
export interface Endpoint {
  readonly host: string
  readonly port: number
}

/** A host as URLs write it: IPv6 addresses in brackets. */
const hostInUrl = (host: string): string => (isIPv6(host) ? `[${host}]` : host)

/** `http://HOST:PORT` of an address to listen on. */
export const urlOf = ({ host, port }: Endpoint): string => `http://${hostInUrl(host)}:${port}`

const HOST = /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/
const isHost = (text: string): boolean =>
  (isIPv6(text) ? !text.includes('%') : HOST.test(text)) && URL.canParse(`http://${hostInUrl(text)}`)

/** An IP address, without brackets or zone, or a host name. */
export const host: Parse<string> = (text) =>
  isHost(text) ? E.right(text) : E.left('must be an IP address or a host name')

/** A TCP port; 0 lets the system choose. */
export const port: Parse<number> = wholeNumber(0, 65535)

/** The address under which the world reaches the service, without a slash at its end. */
export const baseUrl: Parse<O.Option<string>> = (text) => {
  const isBase = WebUrl.is(text) && !/[?#]/.test(text)
  if (!isBase) return E.left('must be an absolute http or https URL without query, fragment or credentials')
  return E.right(O.some(withoutSlash(text)))
}

/** An IP address, or a network as `10.0.0.0/8`. */
export const network: Parse<string> = (text) => {
  const [, address = '', length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0
  const isNetwork = bits > 0 && (length === undefined || (Number(length) >= 1 && Number(length) <= bits))
  return isNetwork
    ? E.right(text)
    : E.left('must be off, or addresses and networks such as 10.0.0.0/8 with commas between them')
}

/** A web origin, as a browser sends it. */
export const origin: Parse<string> = (text) =>
  /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
    ? E.right(text)
    : E.left('must be origins such as https://app.example.org with commas between them')

/** Where metrics are served: with everything else, nowhere, or on an address of their own. */
export type MetricsPlace =
  | { readonly kind: 'on' }
  | { readonly kind: 'off' }
  | ({ readonly kind: 'apart' } & Endpoint)

const ENDPOINT = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]]+)):(\d{1,5})$/

/** `on`, `off` or `HOST:PORT`. */
export const metricsPlace: Parse<MetricsPlace> = (text) => {
  if (text === 'on' || text === 'off') return E.right({ kind: text })
  const [, six, other = '', digits = ''] = ENDPOINT.exec(text) ?? []
  const at = { host: host(six ?? other), port: port(digits) }
  return E.isRight(at.host) && E.isRight(at.port) && (six === undefined || isIPv6(six))
    ? E.right({ kind: 'apart', host: at.host.right, port: at.port.right })
    : E.left('must be on, off or HOST:PORT')
}
