import {
  MOST_RETRIES,
  pauseOfAll,
  providerOf,
  type SendingQueue,
  type Upcoming,
  wholeOf,
} from '@almoner/domain/delivery'
import { isDue, isSettled, type Notification } from '@almoner/domain/notifications'
import type { Instant } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import { healthIn } from './providers.ts'
import { heldIn, livingIn } from './releasing.ts'
import { openIn, progressOf, type Sending } from './sending.ts'
import type { Tables } from './tables.ts'

const oldest = (notifications: ReadonlyArray<Notification>): O.Option<Instant> =>
  O.fromNullable(
    notifications.flatMap(({ date }) => (O.isSome(date) ? [date.value] : [])).sort((a, b) => a - b)[0],
  )

const standings = ({ recipients }: Sending, ...kinds: ReadonlyArray<string>): number =>
  recipients.filter(({ standing }) => kinds.includes(standing.kind)).length

/** The queue of notifications to send. */
export const queueIn = ({ notifications, sendings }: Tables, now: Instant): SendingQueue => {
  const all = [...notifications.values()]
  const due = all.filter((one) => isDue(one, now) && !sendings.has(one.id))
  const sending = all.flatMap((notification) => {
    const found = sendings.get(notification.id)
    return found === undefined || isSettled(progressOf(found)) ? [] : [{ notification, found }]
  })
  const sum = (count: (one: Sending) => number): number =>
    sending.reduce((total, { found }) => total + count(found), 0)
  return {
    dueSince: oldest(due),
    unsentSince: oldest([...due, ...sending.map(({ notification }) => notification)]),
    pending: sum((one) => one.recipients.length - standings(one, 'ended')),
    retries: Math.min(
      MOST_RETRIES,
      sum((one) => standings(one, 'waiting', 'held')),
    ),
  }
}

/** The first origin for which devices wait that are not stopped, and when they may go on. */
const firstHeld = (tables: Tables) => {
  const waiting = heldIn(tables).map(({ origin }) => origin)
  return [...new Set(waiting)]
    .flatMap((origin) => {
      const pauses = [
        healthIn(tables, origin).pause,
        pauseOfAll(healthIn(tables, wholeOf(providerOf(origin)))),
      ]
      const times = pauses.map(
        O.match(
          () => O.some(0 as Instant),
          ({ until }) => until,
        ),
      )
      const at = times.flatMap(RA.fromOption)
      return at.length < times.length ? [] : [{ origin, at: Math.max(...at) as Instant }]
    })
    .sort((a, b) => a.at - b.at || (a.origin < b.origin ? -1 : 1))[0]
}

/** The time of the next push. */
export const upcomingIn = (tables: Tables): Upcoming => {
  const { notifications, sendings } = tables
  const all = [...notifications.values()]
  const untaken = all.flatMap(({ id, date }) =>
    O.isSome(date) && !sendings.has(id) ? [{ id, date: date.value }] : [],
  )
  const leases = livingIn(tables).flatMap(([, one]) =>
    one.batches.flatMap(({ until }, number) => (openIn(one, number).length > 0 ? RA.fromOption(until) : [])),
  )
  const retries = all
    .flatMap(({ id }) => sendings.get(id)?.recipients ?? [])
    .flatMap(({ standing }) => (standing.kind === 'waiting' ? [standing.at] : []))
  return {
    due: O.fromNullable(untaken.sort((a, b) => a.date - b.date || (a.id < b.id ? -1 : 1))[0]),
    retry: O.fromNullable(retries.sort((a, b) => a - b)[0]),
    origin: O.fromNullable(firstHeld(tables)),
    lease: O.fromNullable(leases.sort((a, b) => a - b)[0]),
  }
}
