import * as O from 'fp-ts/lib/Option.js'
import {
  type Instant,
  isDue,
  isSettled,
  MOST_RETRIES,
  type Notification,
  type SendingQueue,
  type Upcoming,
} from '../src/all.ts'
import { progressOf, type Sending } from './sending.ts'
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

/** The time of the next push. */
export const upcomingIn = ({ notifications, sendings }: Tables): Upcoming => {
  const all = [...notifications.values()]
  const untaken = all.flatMap(({ id, date }) =>
    O.isSome(date) && !sendings.has(id) ? [{ id, date: date.value }] : [],
  )
  const retries = all
    .flatMap(({ id }) => sendings.get(id)?.recipients ?? [])
    .flatMap(({ standing }) => (standing.kind === 'waiting' ? [standing.at] : []))
  return {
    due: O.fromNullable(untaken.sort((a, b) => a.date - b.date || (a.id < b.id ? -1 : 1))[0]),
    retry: O.fromNullable(retries.sort((a, b) => a - b)[0]),
  }
}
