import {
  isAhead,
  type Origin,
  pauseOf,
  pauseOfAll,
  providerOf,
  type ReleaseRequest,
  scatter,
  whileProbing,
  wholeOf,
} from '@almoner/domain/delivery'
import { addMillis, type Instant, type NotificationId } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { healthIn, keepHealth } from './providers.ts'
import type { Fixed, Sending } from './sending.ts'
import type { Tables } from './tables.ts'

/** The deliveries whose notification is there. */
export const livingIn = ({
  notifications,
  sendings,
}: Tables): ReadonlyArray<readonly [NotificationId, Sending]> =>
  [...sendings].filter(([id]) => notifications.has(id))

/** A recipient that waits for its origin. */
interface Held {
  readonly notificationId: NotificationId
  readonly recipient: Fixed
  readonly origin: Origin
}

/** The recipients that wait for their origins. */
export const heldIn = (tables: Tables): ReadonlyArray<Held> =>
  livingIn(tables).flatMap(([notificationId, { recipients }]) =>
    recipients.flatMap((recipient) => {
      const { standing } = recipient
      return standing.kind === 'held' ? [{ notificationId, recipient, origin: standing.origin }] : []
    }),
  )

/** The most deferred devices of an origin that one call releases. */
const MOST = 1000

const makeDue = (recipient: Fixed, at: Instant, planned: Instant): void => {
  recipient.standing = { kind: 'waiting', at, planned }
}

/** Sends to one of the devices as a probe, if it is time for it. */
const probe = (
  tables: Tables,
  origin: Origin,
  held: ReadonlyArray<Held>,
  { now, fraction }: ReleaseRequest,
): number => {
  const health = healthIn(tables, origin)
  const picked = held[Math.floor(fraction * held.length)]
  if (picked === undefined || (O.isSome(health.pause) && isAhead(health.pause.value, now))) return 0
  const { notificationId, recipient } = picked
  keepHealth(tables, origin, whileProbing(health, { notificationId, deviceId: recipient.deviceId, at: now }))
  makeDue(recipient, now, now)
  return 1
}

const releaseOrigin = (
  tables: Tables,
  origin: Origin,
  held: ReadonlyArray<Held>,
  request: ReleaseRequest,
): number => {
  const { now, room } = request
  const pause = O.toUndefined(pauseOf(healthIn(tables, origin), now))
  if (O.isSome(pauseOfAll(healthIn(tables, wholeOf(providerOf(origin)))))) return 0
  if (pause?.kind === 'probed') return probe(tables, origin, held, request)
  if (pause !== undefined) return 0
  const some = held.slice(0, Math.min(MOST, room(origin)))
  for (const { recipient } of some) makeDue(recipient, addMillis(now, -scatter(recipient.deviceId)), now)
  return some.length
}

/** Releases devices that wait for their origins. */
export const release = (tables: Tables, request: ReleaseRequest): number => {
  const all = heldIn(tables)
  const origins = [...new Set(all.map(({ origin }) => origin))]
  return origins
    .filter((origin) => request.by.includes(providerOf(origin)))
    .reduce(
      (sum, origin) =>
        sum +
        releaseOrigin(
          tables,
          origin,
          all.filter((one) => one.origin === origin),
          request,
        ),
      0,
    )
}
