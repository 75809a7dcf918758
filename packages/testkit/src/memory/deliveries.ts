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
  lifeAt,
  type Probe,
  type Recipient,
} from '@almoner/domain/delivery'
import { isDue, NO_OUTCOMES, type Notification } from '@almoner/domain/notifications'
import type { DeviceId } from '@almoner/domain/people'
import type { Deliveries } from '@almoner/domain/ports'
import type { Instant, NotificationId } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { candidateFor, hold } from './claims.ts'
import { failOpen, leaseAfter, take } from './delivery-results.ts'
import { audienceOf } from './people.ts'
import { healthIn, pausesIn } from './providers.ts'
import { queueIn, upcomingIn } from './queue.ts'
import { livingIn, release } from './releasing.ts'
import { type ClaimableBatch, type Fixed, openIn, type Sending } from './sending.ts'
import type { Tables } from './tables.ts'

const fixedOf = (tables: Tables, { lang }: Notification): ReadonlyArray<Fixed> =>
  audienceOf(tables, lang).map(({ id: deviceId, device: { email } }) => {
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
    })
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
