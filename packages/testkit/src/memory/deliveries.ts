import {
  type Backlog,
  type Batch,
  CLAIM_LOST,
  type Claim,
  type ClaimLost,
  type ClaimRequest,
  type Eligibility,
  type EligibleDevice,
  endOfLife,
  isHeld,
  leaseFrom,
  lifeAt,
  MOST_RETRIES,
  type Probe,
  pauseOfAll,
  providerOf,
  type Recipient,
  type SendingQueue,
  type Upcoming,
  wholeOf,
} from '@almoner/domain/delivery'
import { isDue, isSettled, NO_OUTCOMES, type Notification } from '@almoner/domain/notifications'
import type { DeviceId } from '@almoner/domain/people'
import type { Deliveries } from '@almoner/domain/ports'
import { type Instant, isFarAhead, type NotificationId } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { audienceOf } from './people.ts'
import { healthIn, pausesIn } from './providers.ts'
import { failOpen, heldIn, leaseAfter, livingIn, release, take } from './results.ts'
import { type ClaimableBatch, type Fixed, openIn, progressOf, type Sending, type Tables } from './tables.ts'

/** Recipients that may be claimed together. */
interface Candidate {
  readonly id: NotificationId
  readonly sending: Sending
  /** The existing batch of the recipients; none for a new batch. */
  readonly batch: O.Option<number>
  readonly recipients: ReadonlyArray<Fixed>
}

type Candidates = (id: NotificationId, sending: Sending, request: ClaimRequest) => ReadonlyArray<Candidate>

/** Unclaimed batches with remaining recipients. */
const abandoned: Candidates = (id, sending, { now, most, except, isAbandoned }) =>
  sending.batches.flatMap(({ until, fence }, number) => {
    const isServed = except.some((one) => one.notificationId === id && one.number === number)
    const isLeft = O.isNone(until) || isAbandoned({ notificationId: id, number, fence, until: until.value })
    const isFree = !isServed && isLeft && !isHeld(until, now)
    const recipients = isFree ? openIn(sending, number).slice(0, most) : []
    return recipients.length === 0 ? [] : [{ id, sending, batch: O.some(number), recipients }]
  })

const isRetryDue = ({ at, planned }: { readonly at: Instant; readonly planned: Instant }, now: Instant) =>
  at <= now || isFarAhead(planned, now)

/** The due retries, longest wait first. */
const retries: Candidates = (id, sending, { now, most }) => {
  const due = sending.recipients
    .flatMap((recipient) => {
      const { standing } = recipient
      const isRetry = standing.kind === 'waiting' || standing.kind === 'held'
      return isRetry && isRetryDue(standing, now) ? [{ at: standing.at, recipient }] : []
    })
    .sort((a, b) => a.at - b.at)
    .slice(0, most)
    .map(({ recipient }) => recipient)
  return due.length === 0 ? [] : [{ id, sending, batch: O.none, recipients: due }]
}

/** The next unclaimed recipients. */
const untouched: Candidates = (id, sending, { most }) => {
  const next = sending.recipients.filter(({ standing }) => standing.kind === 'open').slice(0, most)
  return next.length === 0 ? [] : [{ id, sending, batch: O.none, recipients: next }]
}

/** Returns recipients of the notification that has waited longest, if there are any. */
const candidateFor = (
  sendings: Iterable<readonly [NotificationId, Sending]>,
  request: ClaimRequest,
): Candidate | undefined => {
  const all = [...sendings]
  const fresh = request.first === 'retries' ? [retries, untouched] : [untouched, retries]
  const first = [abandoned, ...fresh]
    .map((candidates) => all.flatMap(([id, sending]) => candidates(id, sending, request)))
    .find((found) => found.length > 0)
  return first?.sort((a, b) => a.sending.claimedAs - b.sending.claimedAs)[0]
}

/** Puts recipients into a batch of this claim. Returns its number and fence. */
const hold = ({ sending, batch, recipients }: Candidate, now: Instant) => {
  const number = O.isSome(batch) ? batch.value : sending.batches.length
  const held = sending.batches[number] ?? { fence: 0, until: O.none }
  held.fence += 1
  held.until = O.some(leaseFrom(now))
  sending.batches[number] = held
  for (const recipient of recipients) recipient.standing = { kind: 'claimed', batch: number }
  return { number, fence: held.fence }
}

const oldest = (notifications: ReadonlyArray<Notification>): O.Option<Instant> =>
  O.fromNullable(
    notifications.flatMap(({ date }) => (O.isSome(date) ? [date.value] : [])).sort((a, b) => a - b)[0],
  )

const standings = ({ recipients }: Sending, ...kinds: ReadonlyArray<string>): number =>
  recipients.filter(({ standing }) => kinds.includes(standing.kind)).length

/** The queue of notifications to send. */
const queueIn = ({ notifications, sendings }: Tables, now: Instant): SendingQueue => {
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
const upcomingIn = (tables: Tables): Upcoming => {
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

const fixedOf = (tables: Tables, notification: Notification): ReadonlyArray<Fixed> =>
  audienceOf(tables, notification).map(({ id: deviceId, device: { email } }) => {
    return { deviceId, email, attempts: 0, refusals: 0, standing: { kind: 'open' } }
  })

const start = (tables: Tables, now: Instant, life: number): ReadonlyArray<NotificationId> => {
  const { notifications, sendings } = tables
  const due = [...notifications.values()].filter((one) => isDue(one, now) && !sendings.has(one.id))
  for (const one of due) {
    const recipients = fixedOf(tables, one)
    const endsAt = endOfLife(O.getOrElse(() => now)(one.date), now, life)
    const finishedAt = recipients.length === 0 ? O.some(now) : O.none
    sendings.set(one.id, {
      startedAt: now,
      endsAt,
      countedFrom: O.none,
      recipients,
      batches: [],
      claimedAs: 0,
      finishedAt,
      erased: NO_OUTCOMES,
      shortened: '',
      audience: { lang: one.lang, labelId: one.labelId, epoch: tables.epoch },
    })
    tables.epoch += 1
  }
  return due.map(({ id }) => id)
}

/** @param claims how many there have been, this one included */
const claim = (tables: Tables, request: ClaimRequest, claims: number): O.Option<Batch> => {
  const found = candidateFor(livingIn(tables), request)
  const notification = found === undefined ? undefined : tables.notifications.get(found.id)
  if (found === undefined || notification === undefined) return O.none
  found.sending.claimedAs = claims
  const { endsAt, countedFrom } = lifeAt(found.sending, request.now)
  found.sending.countedFrom = countedFrom
  return O.some({
    claim: { notificationId: found.id, ...hold(found, request.now) },
    notification,
    endsAt,
    recipients: found.recipients.map(({ deviceId, email, attempts, refusals }) => {
      return { deviceId, email, attempts, refusals }
    }),
  })
}

/** Returns the batch of a claim while the claim is valid. */
const heldBy = (
  { notifications, sendings }: Tables,
  { notificationId, number, fence }: Claim,
): E.Either<ClaimLost, { readonly sending: Sending; readonly held: ClaimableBatch }> => {
  const sending = notifications.has(notificationId) ? sendings.get(notificationId) : undefined
  const held = sending?.batches[number]
  return sending !== undefined && held?.fence === fence ? E.right({ sending, held }) : E.left(CLAIM_LOST)
}

/** The origins that are closed, each with the device of this notification that is its probe. */
const closedIn = (tables: Tables, id: NotificationId, now: Instant): Eligibility['closed'] =>
  new Map(
    [...pausesIn(tables, now)].map(([origin, { kind }]) => {
      const probe = O.filter(({ notificationId }: Probe) => notificationId === id)(
        healthIn(tables, origin).probe,
      )
      return [origin, { kind, probe: O.map(({ deviceId }: Probe) => deviceId)(probe) }]
    }),
  )

const checkEligibility = (
  tables: Tables,
  id: NotificationId,
  recipients: ReadonlyArray<Recipient>,
  now: Instant,
): Eligibility => {
  const { users, devices } = tables
  const byId = new Map([...devices.values()].map(({ id, device }) => [id, device]))
  const found = new Map<DeviceId, EligibleDevice>()
  for (const { deviceId, email } of recipients) {
    const device = byId.get(deviceId)
    const isTheirs = device?.email === email && users.get(email)?.subscribed === true
    if (isTheirs)
      found.set(deviceId, { token: device.token, kind: device.kind, attachedAt: device.attachedAt })
  }
  return { devices: found, closed: closedIn(tables, id, now) }
}

const backlog = (tables: Tables): Backlog => {
  const sending = livingIn(tables)
    .map(([, one]) => one)
    .filter(({ finishedAt }) => O.isNone(finishedAt))
  const claimed = sending.flatMap((one) =>
    one.batches.filter(({ until }, number) => O.isSome(until) && openIn(one, number).length > 0),
  )
  const [nextRetry] = sending
    .flatMap(({ recipients }) => recipients)
    .flatMap(({ standing }) => (standing.kind === 'waiting' ? [standing.at] : []))
    .sort((a, b) => a - b)
  return { sending: sending.length, claimed: claimed.length, nextRetry: O.fromNullable(nextRetry) }
}

/** Deliveries in memory: recipients are copied when their notification starts, and queries scan all of them. */
export const memoryDeliveries = (tables: Tables): Deliveries => {
  let claims = 0
  return {
    start: (now, life) => TE.fromIO(() => start(tables, now, life)),
    claim: (request) =>
      TE.fromIO(() => {
        claims += 1
        return claim(tables, request, claims)
      }),
    checkEligibility: (claim, recipients, now) => async () =>
      pipe(
        heldBy(tables, claim),
        E.map(() => checkEligibility(tables, claim.notificationId, recipients, now)),
      ),
    record: (claim, results, at) => async () => {
      const found = heldBy(tables, claim)
      if (E.isLeft(found)) return found
      const { sending, held } = found.right
      const { endsAt, countedFrom } = lifeAt(sending, at.now)
      sending.countedFrom = countedFrom
      const place = { sending, endsAt, notificationId: claim.notificationId, batch: claim.number, ...at }
      const recorded = take(tables, place, results)
      held.until = leaseAfter(at)
      return E.right(recorded)
    },
    setAside: (claim, now) => async () => {
      const found = heldBy(tables, claim)
      if (E.isLeft(found)) return found
      const { sending, held } = found.right
      held.until = O.none
      return E.right(failOpen(sending, claim.number, now))
    },
    releaseDeferred: (request) => TE.fromIO(() => release(tables, request)),
    releaseClaim: (claim) =>
      TE.fromIO(() => {
        const found = heldBy(tables, claim)
        if (E.isRight(found)) found.right.held.until = O.none
      }),
    upcoming: () => TE.fromIO(() => upcomingIn(tables)),
    backlog: () => TE.fromIO(() => backlog(tables)),
    queue: (now) => TE.fromIO(() => queueIn(tables, now)),
  }
}
