import { type Ports, unavailable } from '@almoner/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'

/** What only the log may tell. */
export const INSIDE = 'inside: SELECT secret FROM almoner.db at /srv/almoner'

/** How ports behave: as they are, or failing in one of the ways in which a port can. */
export type Mode = 'works' | 'throws' | 'rejects' | 'unavailable'

const failing = (mode: Exclude<Mode, 'works'>): unknown => {
  if (mode === 'throws') throw new Error(INSIDE)
  if (mode === 'unavailable') return TE.left(unavailable(new Error(INSIDE)))
  return () => Promise.reject(new Error(INSIDE))
}

const switched = <P extends object>(port: P, mode: () => Mode): P =>
  new Proxy(port, {
    get: (target, name, receiver) => {
      const found: unknown = Reflect.get(target, name, receiver)
      if (typeof found !== 'function') return found
      return (...args: ReadonlyArray<unknown>) => {
        const now = mode()
        return now === 'works' ? Reflect.apply(found, target, args) : failing(now)
      }
    },
  })

/** The stores behind a switch; who calls is still found out, by tokens that are already given out. */
export const failingStores =
  (mode: () => Mode) =>
  (ports: Ports): Ports => ({
    ...ports,
    libraryItems: switched(ports.libraryItems, mode),
    feedItems: switched(ports.feedItems, mode),
    labels: switched(ports.labels, mode),
  })

/** What finds out who calls behind a switch. */
export const failingAccess =
  (mode: () => Mode) =>
  (ports: Ports): Ports => ({
    ...ports,
    clients: switched(ports.clients, mode),
    accessTokens: switched(ports.accessTokens, mode),
  })
