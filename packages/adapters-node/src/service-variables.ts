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
