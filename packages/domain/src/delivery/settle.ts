import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import type { FieldChange } from '../history/model.ts'
import { inProviderOrder, PROVIDERS, type Provider } from '../people/destinations.ts'
import type { DeviceId } from '../people/model.ts'
import type { NotificationId } from '../values/ids.ts'
import { type Instant, isFarAhead, toRfc3339 } from '../values/time.ts'
import type { DeliveryResult, Recipient, Settled } from './batch.ts'
import {
  afterAcceptance,
  afterFailedProbe,
  afterHoldBack,
  afterRefusal,
  afterResponses,
  afterSilence,
  afterWastedProbe,
  isKnown,
  NEW_HEALTH,
  type Origin,
  type OriginHealth,
  PAUSED_BY_OPERATOR,
  type Pause,
  type Probe,
  pauseOf,
  providerOf,
  stopped,
  wholeOf,
} from './origins.ts'

/** The state of a provider at a moment. */
export interface ProviderState {
  readonly provider: Provider
  /** The pause of the provider as a whole. */
  readonly pause: O.Option<Pause>
  /** The pauses of its origins that are not the whole provider, in the order of their names. */
  readonly origins: ReadonlyArray<Pause>
  /** Until when its reports of unregistered devices are accepted, however many they are. */
  readonly overrideUntil: O.Option<Instant>
}

/** The stored health of an origin. The override is the provider's, and stands with the provider as a whole. */
export interface StoredOrigin {
  readonly origin: Origin
  readonly health: OriginHealth
  readonly overrideUntil: O.Option<Instant>
  /** When the override was decided, if that is known. */
  readonly overrideSince?: Instant
}

/** Returns the record of an origin that has not been sent to. */
export const unknownOrigin = (origin: Origin): StoredOrigin => ({
  origin,
  health: NEW_HEALTH,
  overrideUntil: O.none,
})

/** Returns until when an override is in force at a moment, if it is. One that begins in the future was decided by a clock that was ahead (I9). */
export const overrideAt = (
  { overrideUntil, overrideSince }: Pick<StoredOrigin, 'overrideUntil' | 'overrideSince'>,
  now: Instant,
): O.Option<Instant> =>
  O.filter(
    (until: Instant) => now < until && (overrideSince === undefined || !isFarAhead(overrideSince, now)),
  )(overrideUntil)

const byOrigin = (a: Pause, b: Pause): number => (a.origin < b.origin ? -1 : 1)

/** Returns the state of each of `PROVIDERS`, and of others of which something is stored. */
export const statesOf = (stored: ReadonlyArray<StoredOrigin>, now: Instant): ReadonlyArray<ProviderState> =>
  inProviderOrder([...PROVIDERS, ...stored.map(({ origin }) => providerOf(origin))]).map((provider) => {
    const theirs = stored.filter(({ origin }) => providerOf(origin) === provider)
    const whole = theirs.find(({ origin }) => origin === wholeOf(provider))
    const pauses = theirs.flatMap(({ health }) => RA.fromOption(pauseOf(health, now)))
    return {
      provider,
      pause: whole === undefined ? O.none : pauseOf(whole.health, now),
      origins: pauses.filter(({ origin }) => origin !== wholeOf(provider)).sort(byOrigin),
      overrideUntil: whole === undefined ? O.none : overrideAt(whole, now),
    }
  })

/** Returns the pauses that an operator should know of: an origin that is held for a moment is none of them. */
export const pausesAmong = (states: ReadonlyArray<ProviderState>): ReadonlyArray<Pause> =>
  states
    .flatMap(({ pause, origins }) => [...RA.fromOption(pause), ...origins])
    .filter(({ kind }) => kind !== 'held')

/** Returns a provider's health while an operator pauses it. A pause that an operator has to end already stays as it is. */
export const pausedHealth = (health: OriginHealth, provider: Provider, now: Instant): OriginHealth =>
  O.isSome(health.pause) && health.pause.value.kind === 'stopped'
    ? health
    : {
        ...health,
        probes: 0,
        probe: O.none,
        pause: O.some(stopped(wholeOf(provider), PAUSED_BY_OPERATOR, now)),
      }

/** Returns the changes between two states of a provider for the audit: the reason of its pause, and until when reports of it are accepted (K1). */
export const providerChanges = (before: ProviderState, after: ProviderState): ReadonlyArray<FieldChange> => {
  const fieldsOf = ({ pause, origins: [first], overrideUntil }: ProviderState) => [
    { field: 'pause', value: O.toNullable(pause)?.reason ?? first?.reason ?? null },
    { field: 'overrideUntil', value: O.toNullable(O.map(toRfc3339)(overrideUntil)) },
  ]
  const earlier = fieldsOf(before)
  return fieldsOf(after)
    .map(({ field, value }, n) => ({ field, before: earlier[n]?.value ?? null, after: value }))
    .filter((change) => change.before !== change.after)
}

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
