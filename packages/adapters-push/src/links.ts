/**
 * Asks the links of items whether they lead somewhere (C17), under the guard on addresses that Web Push has, too.
 * @module @almoner/adapters-push/links
 */

import type { LinkChecker } from '@almoner/domain/ports'
import type { HttpsProxy } from './connections.ts'
import {
  bareOf,
  isAddress,
  isPublicAddress,
  portOf,
  type Resolve,
  resolveBySystem,
} from './public-addresses.ts'

/** How a {@link WebLinkChecker} is opened. */
export interface LinkCheckerOptions {
  /** Returns the URL of the service, which the `User-Agent` of all requests names. */
  readonly service: () => string
  /** Contacts every link through this proxy, which must refuse names that lead into private networks. NO_PROXY does not count. */
  readonly proxy?: HttpsProxy | undefined
  /** Sockets that are contacted although they are not public, as `127.0.0.1:8080`: for tests. No setting leads here. */
  readonly allowed?: ReadonlyArray<string>
  /** The system's resolver when left out. */
  readonly resolve?: Resolve
}

/** Contacts links on the web. */
export interface WebLinkChecker extends LinkChecker {
  /** Ends all contacts. */
  close(): Promise<void>
}

/** The ports of the web. */
const PORTS: ReadonlyArray<string> = ['80', '443']

/** Opens a checker. Nothing is connected, or loaded, before the first request; no connection is kept. */
export const openLinkChecker = ({
  service,
  proxy,
  allowed: sockets = [],
  resolve = resolveBySystem,
}: LinkCheckerOptions): WebLinkChecker => {
  const allowed = new Set(sockets)
  const ports = new Set([...PORTS, ...sockets.map((socket) => socket.slice(socket.lastIndexOf(':') + 1))])
  const open = new Set<() => void>()
  let isClosed = false

  /** Returns whether a URL may be contacted, as far as it shows by itself. */
  const mayContact = ({ hostname, port, protocol }: URL): boolean => {
    const [bare, actual] = [bareOf(hostname), portOf(port, protocol)]
    return (
      ports.has(actual) && (!isAddress(hostname) || isPublicAddress(bare) || allowed.has(`${bare}:${actual}`))
    )
  }

  return {
    contact: (request) => async () => {
      const url = new URL(request.url)
      if (!mayContact(url)) return { kind: 'failed', fault: 'not-public' }
      const { contactOnce } = await import('./link-contacts.ts')
      if (isClosed || request.signal.aborted) return { kind: 'failed', fault: 'broken' }
      const userAgent = `Almoner link check (+${service()})`
      return contactOnce(url, request, { userAgent, proxy, allowed, resolve, open })
    },
    close: async () => {
      isClosed = true
      for (const stop of [...open]) stop()
    },
  }
}
