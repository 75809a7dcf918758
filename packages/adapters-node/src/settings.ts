import { isIP, isIPv6 } from 'node:net'

/** Matches paths in which a shell would put a folder or a variable, or take quotes off. */
const FOR_SHELLS = /^[~"'\s]|`|\$(?:[{(]|[A-Za-z_])|%[A-Za-z_]\w*%/

/** Matches parameters, which other programs take behind a path. */
const PARAMETERS = /\?\w+=|^file:/

/**
 * Returns why a path of a setting would make files of an unintended name, to complete a sentence about the setting: a shell or another
 * program would read it otherwise (operations.md). Undefined if it would not.
 */
export const pathFault = (path: string): string | undefined => {
  if (FOR_SHELLS.test(path))
    return 'must be a whole path, without quotes: only a shell replaces ~ and $HOME, and not in quotes or files'
  return PARAMETERS.test(path) ? 'must be a path alone, without file: or ?parameters' : undefined
}

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

/** Variables of a process. */
type Variables = Readonly<Record<string, string | undefined>>

/**
 * Matches host, ports, and protocol, port and address of each port, as Kubernetes sets them for a Service
 * (https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables). Docker does so for a link, and for ranges of ports.
 */
const OF_PORTS =
  /_SERVICE_(?:HOST|PORT(?:_\w+)?)$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|ADDR|PORT|(?:PORT_)?(?:START|END)))?$/

/** Matches the name of a linked container, behind that of the container which has the link. */
const OF_LINK = /^\/[^/]+\/[^/]+$/

/** Matches where the name of a link may end: before the name of the container, or before a variable of it. */
const AFTER_LINK = /_(?=NAME$|ENV_.)/g

/**
 * Returns whether a variable was set by a host that describes another service: Kubernetes for a Service, or Docker for a link. Their names begin
 * with that of the service, so they may look like settings of a program (operations.md).
 */
export const isOfService = (name: string, variables: Variables): boolean =>
  OF_PORTS.test(name) ||
  (name.endsWith('_PORT') && /^[a-z]+:\/\//.test(variables[name] ?? '')) ||
  [...name.matchAll(AFTER_LINK)].some(({ index }) =>
    OF_LINK.test(variables[`${name.slice(0, index)}_NAME`] ?? ''),
  )

/** A host as URLs write it: IPv6 addresses in brackets. */
export const hostInUrl = (host: string): string => (isIPv6(host) ? `[${host}]` : host)

/** Returns whether the host of a URL stands for all addresses of a machine, so that clients cannot open it. */
export const isOfAllAddresses = (url: string): boolean =>
  /^(?:0\.0\.0\.0|\[::(?:ffff:0:0)?\])$/.test(new URL(url).hostname)

const HOST = /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/

/** Returns whether a text is an IP address without brackets or zone, or a host name. */
export const isHost = (text: string): boolean =>
  (isIPv6(text) ? !text.includes('%') : HOST.test(text)) && URL.canParse(`http://${hostInUrl(text)}`)

/** Returns the origin of an http or https URL that is nothing but an origin, with or without a slash at its end. */
export const originOf = (text: string): string | undefined => {
  const url = URL.parse(text)
  return url !== null && /^https?:/.test(url.protocol) && url.href === `${url.origin}/`
    ? url.origin
    : undefined
}

const BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 }

/** Returns whether a text is an IP address, or a network as `10.0.0.0/8`. */
export const isNetwork = (text: string): boolean => {
  const [, address = '', length = '1'] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  return Number(length) >= 1 && Number(length) <= (BITS[isIP(address)] ?? 0)
}

/** Returns whether the agents of a version of Node can use a proxy (https://nodejs.org/api/http.html#built-in-proxy-support). */
export const hasProxyAgents = (node: string): boolean => {
  const [major = 0, minor = 0] = node.split('.').map(Number)
  return major >= 24 ? major > 24 || minor >= 5 : major === 22 && minor >= 21
}
