import type { Ports, ResultSet } from '@almoner/domain'
import { outcomeUnknown, unavailable } from '@almoner/domain/ports'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'

/** Text that only the log may contain. */
export const INSIDE = 'inside: SELECT secret FROM almoner.db at /srv/almoner'

/** How ports behave: as they are, or failing in one of the ways in which a port can. */
export type Mode = 'works' | 'throws' | 'rejects' | 'unavailable' | 'loses commits'

const failing = (mode: Exclude<Mode, 'works'>): unknown => {
  if (mode === 'throws') throw new Error(INSIDE)
  if (mode === 'unavailable') return TE.left(unavailable(new Error(INSIDE)))
  if (mode === 'loses commits') return TE.left(outcomeUnknown(new Error(INSIDE)))
  return () => Promise.reject(new Error(INSIDE))
}

const switched = <P extends object>(port: P, mode: () => Mode, asIs: ReadonlyArray<string> = []): P =>
  new Proxy(port, {
    get: (target, name, receiver) => {
      const found: unknown = Reflect.get(target, name, receiver)
      if (typeof found !== 'function' || asIs.includes(String(name))) return found
      return (...args: ReadonlyArray<unknown>) => {
        const now = mode()
        return now === 'works' ? Reflect.apply(found, target, args) : failing(now)
      }
    },
  })

/** A listing that cannot be read, as a store gives it that answers with one at once. */
const failingListing = (mode: Exclude<Mode, 'works'>): ResultSet<never, never> => {
  if (mode === 'throws') throw new Error(INSIDE)
  const fault = mode === 'unavailable' ? { _tag: 'Unavailable' } : {}
  const batches = {
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(Object.assign(new Error(INSIDE), fault)) }),
  }
  return { batches, next: O.none }
}

/** The stores behind a switch; who calls is still found out, by tokens that are already given out. */
export const failingStores =
  (mode: () => Mode) =>
  (ports: Ports): Ports => ({
    ...ports,
    libraryItems: switched(ports.libraryItems, mode),
    feedItems: switched(ports.feedItems, mode),
    history: switched(ports.history, mode),
    labels: switched(ports.labels, mode),
    translations: switched(ports.translations, mode),
    feedAuthors: switched(ports.feedAuthors, mode),
    proposals: switched(ports.proposals, mode),
    personalData: switched(ports.personalData, mode),
    users: switched(ports.users, mode),
    inbox: switched(ports.inbox, mode),
    changes: switched(ports.changes, mode),
    devices: switched(
      {
        ...ports.devices,
        ofUser: (email) => {
          const now = mode()
          return now === 'works' ? ports.devices.ofUser(email) : failingListing(now)
        },
      },
      mode,
      ['ofUser'],
    ),
    notifications: switched(ports.notifications, mode),
    portfolio: switched(ports.portfolio, mode),
  })

/** What finds out who calls behind a switch. */
export const failingAccess =
  (mode: () => Mode) =>
  (ports: Ports): Ports => ({
    ...ports,
    clients: switched(ports.clients, mode),
    accessTokens: switched(ports.accessTokens, mode),
  })
