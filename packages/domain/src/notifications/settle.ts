import * as O from 'fp-ts/lib/Option.js'
import type { DeviceId } from '../people/model.ts'
import type { NotificationId } from '../values/ids.ts'
import type { Instant } from '../values/time.ts'
import type { DeliveryResult, Recipient, Settled } from './batch.ts'
import type { Origin } from './origin.ts'
import {
  afterAcceptance,
  afterFailedProbe,
  afterHoldBack,
  afterRefusal,
  afterResponses,
  afterSilence,
  afterWastedProbe,
  isKnown,
  type OriginHealth,
  type Probe,
  pauseOf,
} from './origin-health.ts'
import type { Pause } from './pause.ts'

/** A recipient and its result. */
export interface ServedRecipient {
  readonly recipient: Recipient
  readonly result: DeliveryResult
}

/** The facts about an origin when results of it are recorded. */
export interface Recording {
  readonly origin: Origin
  readonly notificationId: NotificationId
  /** The fingerprint of the credentials that the pushes were sent with. */
  readonly credentials: string
  readonly now: Instant
  /** Whether an operator accepts the provider's reports of unregistered devices, however many they are. */
  readonly isOverridden: boolean
}

/** A device has failed for a notification when its provider has refused us for it this often while it accepted others (G15). */
export const MOST_STRIKES = 3

const afterOther = (health: OriginHealth): OriginHealth => ({ ...health, unanswered: 0 })

/** Returns the health after a result of a push that was no probe, or of a probe whose end has been noted. */
const afterPush = (health: OriginHealth, result: DeliveryResult, recording: Recording): OriginHealth => {
  const { origin, now, credentials } = recording
  switch (result.kind) {
    case 'responded':
      return result.outcome === 'delivered' ? afterAcceptance(health, credentials, now) : afterOther(health)
    case 'unregistered':
      return afterOther(health)
    case 'heldBack':
      return afterHoldBack(health, origin, { ...result, now })
    case 'retry':
      if (result.cause === 'silence') return afterSilence(health, origin, now)
      return result.cause === 'sender'
        ? afterRefusal(health, origin, { reason: result.reason, credentials, now })
        : afterOther(health)
    case 'notSent':
    case 'deferred':
      return health
  }
}

/** Returns the health after a probe, before its result counts like any other. */
const afterProbe = (
  health: OriginHealth,
  probe: Probe,
  result: DeliveryResult,
  now: Instant,
): OriginHealth => {
  const isRefused = result.kind === 'heldBack' || (result.kind === 'retry' && result.cause !== 'device')
  if (!isRefused) return afterWastedProbe(health, probe, now)
  return afterFailedProbe(health, probe, now, result.reason)
}

const isProbe = (probe: Probe, notificationId: NotificationId, deviceId: DeviceId): boolean =>
  probe.notificationId === notificationId && probe.deviceId === deviceId

const after = (health: OriginHealth, result: DeliveryResult, recording: Recording): OriginHealth => {
  const { probe } = health
  const ended =
    O.isSome(probe) && isProbe(probe.value, recording.notificationId, result.deviceId)
      ? afterProbe(health, probe.value, result, recording.now)
      : health
  return afterPush(ended, result, recording)
}

/** Whether a refusal counts against the device: its provider accepts others, and is not probed. */
const isStrike = (health: OriginHealth, result: DeliveryResult, { credentials, now }: Recording): boolean =>
  result.kind === 'retry' &&
  (result.cause === 'sender' || result.cause === 'partner') &&
  health.probes === 0 &&
  isKnown(health, credentials, now)

/** Returns the effect of a result, now that the origin is closed or not. */
const effectOf = (
  result: DeliveryResult,
  {
    refusals,
    isClosed,
    strikes,
  }: { readonly refusals: number; readonly isClosed: boolean; readonly strikes: boolean },
): Settled => {
  const { deviceId } = result
  const ended = (outcome: 'delivered' | 'failed' | 'dead' | 'skipped'): Settled => ({
    deviceId,
    kind: 'ended',
    outcome,
  })
  const held = (origin: Origin): Settled => ({ deviceId, kind: 'held', origin, isStrike: strikes })
  switch (result.kind) {
    case 'notSent':
    case 'responded':
      return ended(result.outcome)
    case 'deferred':
    case 'heldBack':
      return held(result.origin)
    case 'unregistered':
      return ended('dead')
    case 'retry': {
      if (strikes && refusals + 1 >= MOST_STRIKES) return ended('failed')
      if (isClosed && result.cause !== 'device') return held(result.origin)
      return O.isNone(result.at)
        ? ended('failed')
        : { deviceId, kind: 'waiting', at: result.at.value, isStrike: strikes }
    }
  }
}

const countsOf = (served: ReadonlyArray<ServedRecipient>) => {
  const kinds = served.map(({ result }) => result.kind)
  const unregistered = kinds.filter((kind) => kind === 'unregistered').length
  return { unregistered, responses: unregistered + kinds.filter((kind) => kind === 'responded').length }
}

/**
 * Settles results of one origin, in the order in which they came (G5, G15). Pushes without an answer, and refusals of the sender, wait for the
 * origin if it is closed after them, which is no attempt. While the circuit breaker is open, devices that were reported unregistered wait too.
 */
export const settle = (
  before: OriginHealth,
  served: ReadonlyArray<ServedRecipient>,
  recording: Recording,
): { readonly health: OriginHealth; readonly settled: ReadonlyArray<Settled> } => {
  let health = before
  const strikes: Array<boolean> = []
  for (const { result } of served) {
    strikes.push(isStrike(health, result, recording))
    health = after(health, result, recording)
  }
  const { origin, now, isOverridden } = recording
  if (!isOverridden) health = afterResponses(health, origin, countsOf(served), now)
  const pause = O.toUndefined(pauseOf(health, now))
  const settled = served.map((one, n): Settled => {
    const isBraked = pause?.kind === 'stopped' && one.result.kind === 'unregistered'
    return isBraked
      ? { deviceId: one.recipient.deviceId, kind: 'held', origin, isStrike: false }
      : effectOf(one.result, {
          refusals: one.recipient.refusals,
          isClosed: pause !== undefined,
          strikes: strikes[n] ?? false,
        })
  })
  return { health, settled }
}

const kindOf = ({ pause }: OriginHealth): Pause['kind'] | undefined => O.toUndefined(pause)?.kind

/** Returns the pause that results have begun, if they have. That an origin is held for a moment is no news. */
export const newPause = (before: OriginHealth, after: OriginHealth): O.Option<Pause> =>
  O.filter(({ kind }: Pause) => kind !== 'held' && kind !== kindOf(before))(after.pause)

/** Returns the effect of a result that settles by itself, or is recorded already. */
export const effectAlone = (result: DeliveryResult): Settled =>
  effectOf(result, { refusals: 0, isClosed: false, strikes: false })

/** Results by their origins, in the order of the origins' names, and the effects of results that belong to none. */
export interface Grouped {
  readonly byOrigin: ReadonlyMap<Origin, ReadonlyArray<ServedRecipient>>
  readonly rest: ReadonlyArray<Settled>
}

/**
 * Groups results of a delivery by their origins.
 * @param probes the devices of the delivery that are sent to as probes: one of them that was not sent belongs to its origin
 */
export const groupByOrigin = (
  served: ReadonlyArray<ServedRecipient>,
  probes: ReadonlyMap<DeviceId, Origin>,
): Grouped => {
  const groups = new Map<Origin, Array<ServedRecipient>>()
  const rest: Array<Settled> = []
  for (const one of served) {
    const { recipient, result } = one
    const origin = 'origin' in result ? result.origin : probes.get(recipient.deviceId)
    if (origin === undefined) rest.push(effectAlone(result))
    else
      groups
        .set(origin, groups.get(origin) ?? [])
        .get(origin)
        ?.push(one)
  }
  return { byOrigin: new Map([...groups].sort(([a], [b]) => (a < b ? -1 : 1))), rest }
}
