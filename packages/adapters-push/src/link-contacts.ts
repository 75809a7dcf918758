import { isIP } from 'node:net'
import type { Contact, LinkFault } from '@almoner/domain/content'
import type { LinkRequest, StopSignal } from '@almoner/domain/ports'
import { buildConnector, Client, type Dispatcher, ProxyAgent } from 'undici'
import { type HttpsProxy, isCertificateFault } from './connections.ts'
import { bareOf, isPublicAddress, lookupOf, portOf, type Resolve } from './public-addresses.ts'

/** What all requests of a checker have in common. */
export interface ContactOptions {
  readonly userAgent: string
  readonly proxy: HttpsProxy | undefined
  readonly allowed: ReadonlySet<string>
  readonly resolve: Resolve
  /** What ends the requests that are under way. */
  readonly open: Set<() => void>
}

/** An address or a port that links may not lead to. */
class NotPublic extends Error {
  override readonly name = 'NotPublic'
}

/** The most bytes of the head of an answer. Nothing is read of its body. */
const MOST_BYTES = 65_536

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''

/** What a machine without IPv6 says of an address in it. */
const NO_ROUTE: ReadonlyArray<string> = ['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT']

/** Returns the codes of all connections that were tried for a name with several addresses. */
const codesOf = (error: unknown): ReadonlyArray<string> => {
  const codes = error instanceof AggregateError ? error.errors.map(codeOf) : [codeOf(error)]
  const others = codes.filter((code) => !NO_ROUTE.includes(code))
  return others.length === 0 ? codes : others
}

/** Returns what a connection failed with. A refusal counts if every address that has a route refuses. */
const faultOf = (error: unknown, isOpen: boolean): LinkFault => {
  if (error instanceof NotPublic) return 'not-public'
  const codes = codesOf(error)
  const [code = ''] = codes
  if (codes.every((one) => one === 'ENOTFOUND' || one === 'ENODATA')) return 'no-name'
  if (code.startsWith('EAI_') || code === 'ETIMEOUT') return 'unresolved'
  if (codes.every((one) => one === 'ECONNREFUSED')) return 'refused'
  if (isCertificateFault(error)) return 'certificate'
  return isOpen ? 'broken' : 'unreachable'
}

const first = (header: string | Array<string> | undefined): string | undefined =>
  typeof header === 'string' || header === undefined ? header : header[0]

const locationOf = (header: string | undefined, base: URL): string | undefined =>
  header === undefined ? undefined : URL.parse(header, base.href)?.href

/** Calls back when a signal is aborted. Signals of the domain say so only when they are asked; those of a job are an AbortSignal. */
const onAbort = (signal: StopSignal, stop: () => void): (() => void) => {
  if (!(signal instanceof AbortSignal)) return () => {}
  signal.addEventListener('abort', stop)
  return () => signal.removeEventListener('abort', stop)
}

/** Opens connections to public addresses alone: the present ones of the name, and only if the connected socket has one, too (C17). */
const makeConnect = (
  { allowed, resolve }: Pick<ContactOptions, 'allowed' | 'resolve'>,
  timeout: number,
  onOpen: () => void,
): buildConnector.connector => {
  const mayReach = (address: string, port: string | number): boolean =>
    isPublicAddress(address) || allowed.has(`${address}:${port}`)
  return (options, callback) => {
    const [hostname, port] = [bareOf(options.hostname), portOf(options.port, options.protocol)]
    if (isIP(hostname) !== 0 && !mayReach(hostname, port)) {
      callback(new NotPublic(hostname), null)
      return
    }
    const lookup = lookupOf(async (name) => {
      const addresses = await resolve(name)
      if (addresses.length === 0) throw Object.assign(new Error('no address'), { code: 'ENODATA' })
      if (!addresses.every(({ address }) => mayReach(address, port))) throw new NotPublic(name)
      return addresses
    })
    const secure = (socket: Parameters<typeof callback>[1] & object) =>
      buildConnector({ allowH2: false, timeout })({ ...options, port, httpSocket: socket }, callback)
    buildConnector({ lookup, timeout })(
      { ...options, hostname, port, protocol: 'http:' },
      (error, socket) => {
        if (error !== null) {
          callback(error, null)
          return
        }
        if (!mayReach(socket.remoteAddress ?? '', port)) {
          socket.destroy()
          callback(new NotPublic(hostname), null)
          return
        }
        onOpen()
        if (options.protocol === 'https:') secure(socket)
        else callback(null, socket)
      },
    )
  }
}

/** Opens what one request is sent with. */
const dispatcherFor = (
  url: URL,
  within: number,
  { proxy, ...guard }: ContactOptions,
  onOpen: () => void,
): Dispatcher => {
  const limits = { maxHeaderSize: MOST_BYTES, headersTimeout: 0, bodyTimeout: 0 }
  if (proxy === undefined)
    return new Client(url.origin, { ...limits, connect: makeConnect(guard, within, onOpen) })
  return new ProxyAgent({ ...limits, uri: proxy.url, proxyTunnel: false, allowH2: false })
}

/** Sends a request for a URL that may be contacted. Never rejects. */
export const contactOnce = (
  url: URL,
  { method, within, signal }: LinkRequest,
  options: ContactOptions,
): Promise<Contact> =>
  new Promise((done) => {
    let isOpen = false
    const dispatcher = dispatcherFor(url, within, options, () => {
      isOpen = true
    })
    const end = (contact: Contact): void => {
      clearTimeout(timer)
      unwatch()
      options.open.delete(stop)
      done(contact)
      // An error of the end says nothing any more.
      void dispatcher.destroy().catch(() => {})
    }
    const fail = (fault: LinkFault): void => end({ kind: 'failed', fault })
    const stop = (): void => fail('broken')
    const timer = setTimeout(
      () => fail(isOpen || options.proxy !== undefined ? 'silent' : 'unreachable'),
      within,
    )
    const unwatch = onAbort(signal, stop)
    options.open.add(stop)
    const headers = { 'user-agent': options.userAgent, accept: '*/*' }
    dispatcher.dispatch(
      { origin: url.origin, path: url.pathname + url.search, method, headers },
      {
        onRequestStart: () => {},
        onResponseStart: (controller, status, given) => {
          // What only says that an answer will follow.
          if (status < 200) return
          end({ kind: 'answered', status, location: locationOf(first(given['location']), url) })
          controller.abort(new Error('The head is enough.'))
        },
        onResponseData: () => {},
        onResponseEnd: () => {},
        onResponseError: (_controller, error) => {
          // A proxy fails in its own name: nothing is known of the link.
          const fault = faultOf(error, isOpen)
          fail(options.proxy === undefined || fault === 'certificate' ? fault : 'unreachable')
        },
      },
    )
  })
