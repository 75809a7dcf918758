import * as O from 'fp-ts/lib/Option.js'
import {
  type DeliveryResult,
  deferUnregistered,
  type Instant,
  isSettled,
  leaseFrom,
  NEW_HEALTH,
  type Pause,
  type Recorded,
  samplesOf,
  updateHealth,
} from '../src/all.ts'
import { pausesIn } from './providers.ts'
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

interface RecipientPosition {
  readonly sending: Sending
  readonly batch: number
  readonly now: Instant
}

/** Takes a recipient with an outcome or a planned retry out of its batch. */
const end = (
  tables: Tables,
  recipient: Fixed,
  result: DeliveryResult,
  { sending: { endsAt }, now }: RecipientPosition,
): void => {
  switch (result.kind) {
    case 'retry':
      recipient.attempts += 1
      recipient.standing = { kind: 'waiting', at: result.at }
      return
    case 'deferred':
      recipient.standing = { kind: 'held', provider: result.provider, at: endsAt }
      return
    case 'unregistered':
      recipient.standing = { kind: 'ended', outcome: 'dead', at: now }
      detach(tables, recipient, { attachedAt: result.attachedAt, now })
      return
    case 'responded':
    case 'notSent':
      recipient.standing = { kind: 'ended', outcome: result.outcome, at: now }
  }
}

/** Updates the health of providers. Returns the newly paused ones. */
const recordHealth = (
  { health }: Tables,
  results: ReadonlyArray<DeliveryResult>,
  now: Instant,
): ReadonlyArray<Pause> =>
  samplesOf(results).flatMap((sample) => {
    const before = health.get(sample.provider) ?? NEW_HEALTH
    const after = updateHealth(before, sample, now)
    health.set(sample.provider, after)
    return O.isSome(after.pause) && after.pause !== before.pause ? [after.pause.value] : []
  })

/**
 * Records results of a batch, and finishes the delivery after the last recipient. Existing outcomes stay.
 */
export const take = (
  tables: Tables,
  place: RecipientPosition,
  given: ReadonlyArray<DeliveryResult>,
): Recorded => {
  const { sending, batch, now } = place
  const open = new Map(openIn(sending, batch).map((recipient) => [recipient.deviceId, recipient]))
  const news = [...new Map(given.map((result) => [result.deviceId, result])).values()].filter(
    ({ deviceId }) => open.has(deviceId),
  )
  const paused = recordHealth(tables, news, now)
  const braked = new Set(pausesIn(tables, now).map(({ provider }) => provider))
  for (const result of deferUnregistered(braked, news)) {
    const recipient = open.get(result.deviceId)
    if (recipient !== undefined) end(tables, recipient, result, place)
  }
  if (O.isNone(sending.finishedAt) && isSettled(progressOf(sending))) sending.finishedAt = O.some(now)
  return { results: deferUnregistered(braked, given), paused }
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
