import {
  type DeliveryResult,
  effectAlone,
  groupByOrigin,
  heldUntil,
  leaseFrom,
  newPause,
  type Origin,
  overrideAt,
  type Pause,
  providerOf,
  type Recorded,
  type RecordingTime,
  type ServedRecipient,
  type Settled,
  settle,
  wholeOf,
} from '@almoner/domain/delivery'
import { isSettled } from '@almoner/domain/notifications'
import type { DeviceId } from '@almoner/domain/people'
import type { Instant, NotificationId } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import { healthIn, keepHealth, storedIn } from './providers.ts'
import { type Fixed, openIn, progressOf, type Sending } from './sending.ts'
import type { Tables } from './tables.ts'

/** Detaches a dead device and lists it as dead, unless it was moved or attached again since (G5). */
const detach = (
  { devices, deadDevices }: Tables,
  { deviceId, email }: Fixed,
  { attachedAt, now }: { readonly attachedAt: Instant; readonly now: Instant },
): void => {
  const [identity, held] = [...devices].find(([, { id }]) => id === deviceId) ?? []
  const isAsItWas = held?.device.email === email && held.device.attachedAt === attachedAt
  if (identity === undefined || !isAsItWas) return
  devices.delete(identity)
  deadDevices.set(identity, { device: held.device, detachedAt: now })
}

interface RecordedBatch extends RecordingTime {
  readonly sending: Sending
  /** The end of its life as it counts now. */
  readonly endsAt: Instant
  readonly notificationId: NotificationId
  readonly batch: number
}

/** Takes a recipient with an outcome or a planned retry out of its batch. */
const end = (
  tables: Tables,
  recipient: Fixed,
  { result, effect }: { readonly result: DeliveryResult; readonly effect: Settled },
  { endsAt, now }: RecordedBatch,
): void => {
  if (effect.kind === 'ended') {
    recipient.standing = { kind: 'ended', outcome: effect.outcome, at: now }
    if (result.kind === 'unregistered') detach(tables, recipient, { attachedAt: result.attachedAt, now })
    return
  }
  recipient.refusals += Number(effect.isStrike)
  if (effect.kind === 'held') {
    recipient.standing = { kind: 'held', origin: effect.origin, at: heldUntil(endsAt, now), planned: now }
    return
  }
  recipient.attempts += 1
  recipient.standing = { kind: 'waiting', at: effect.at, planned: now }
}

/** The devices of a notification that are sent to as probes. */
const probesOf = ({ origins }: Tables, id: NotificationId): ReadonlyMap<DeviceId, Origin> =>
  new Map(
    [...origins.values()].flatMap(({ origin, health: { probe } }) =>
      O.isSome(probe) && probe.value.notificationId === id ? [[probe.value.deviceId, origin] as const] : [],
    ),
  )

/** Settles results by the health of their origins, which changes. */
const settleAll = (tables: Tables, batch: RecordedBatch, served: ReadonlyArray<ServedRecipient>) => {
  const { now, credentials, notificationId } = batch
  const { byOrigin, rest } = groupByOrigin(served, probesOf(tables, notificationId))
  const effects = new Map<DeviceId, Settled>(rest.map((effect) => [effect.deviceId, effect]))
  const paused: Array<Pause> = []
  for (const [origin, some] of byOrigin) {
    const before = healthIn(tables, origin)
    const provider = providerOf(origin)
    const { health, settled } = settle(before, some, {
      ...{ origin, notificationId, now, credentials: credentials[provider] ?? '' },
      isOverridden: O.isSome(overrideAt(storedIn(tables, wholeOf(provider)), now)),
    })
    keepHealth(tables, origin, health)
    paused.push(...RA.fromOption(newPause(before, health)))
    for (const effect of settled) effects.set(effect.deviceId, effect)
  }
  return { effects, paused }
}

/**
 * Records results of a batch, and finishes the delivery after the last recipient. Existing outcomes stay.
 */
export const take = (
  tables: Tables,
  batch: RecordedBatch,
  given: ReadonlyArray<DeliveryResult>,
): Recorded => {
  const { sending, now, shortened = '' } = batch
  if (shortened !== '') sending.shortened = shortened
  const open = new Map(openIn(sending, batch.batch).map((recipient) => [recipient.deviceId, recipient]))
  const served = [...new Map(given.map((result) => [result.deviceId, result])).values()].flatMap((result) => {
    const recipient = open.get(result.deviceId)
    return recipient === undefined ? [] : [{ recipient, result }]
  })
  const { effects, paused } = settleAll(tables, batch, served)
  for (const { recipient, result } of served) {
    const [fixed, effect] = [open.get(recipient.deviceId), effects.get(recipient.deviceId)]
    if (fixed !== undefined && effect !== undefined) end(tables, fixed, { result, effect }, batch)
  }
  if (O.isNone(sending.finishedAt) && isSettled(progressOf(sending))) sending.finishedAt = O.some(now)
  return { results: given.map((result) => effects.get(result.deviceId) ?? effectAlone(result)), paused }
}

/** Counts the remaining recipients of a batch as failed, and finishes the delivery after the last one. Returns their number. */
export const failOpen = (sending: Sending, batch: number, now: Instant): number => {
  const left = openIn(sending, batch)
  for (const recipient of left) recipient.standing = { kind: 'ended', outcome: 'failed', at: now }
  if (O.isNone(sending.finishedAt) && isSettled(progressOf(sending))) sending.finishedAt = O.some(now)
  return left.length
}

/** Returns the lease after a record; none after the last results. */
export const leaseAfter = ({ now, last }: { now: Instant; last: boolean }): O.Option<Instant> =>
  last ? O.none : O.some(leaseFrom(now))
