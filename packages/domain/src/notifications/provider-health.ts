import * as O from 'fp-ts/lib/Option.js'
import type { FieldChange } from '../history/record.ts'
import { inProviderOrder, type Provider } from '../people/destination.ts'
import { type Instant, toRfc3339 } from '../values/instant.ts'
import type { DeliveryResult } from './batch.ts'
import { endedPause, faultPause, isInForce, openCircuit, operatorPause, type Pause } from './pause.ts'

/** Answers of a provider about tokens, and how many of them called one dead. */
export interface SampleCounts {
  readonly responses: number
  readonly unregistered: number
}

/** What the service remembers of a provider, together on all nodes and across restarts (G5). */
export interface ProviderHealth {
  /** The stretch of answers under way, and the one before it. */
  readonly sampleWindow: SampleCounts
  readonly before: SampleCounts
  readonly pause: O.Option<Pause>
  /** Until when an operator accepts the provider's reports of unregistered devices, however many they are. */
  readonly overrideUntil: O.Option<Instant>
}

const NO_RESPONSES: SampleCounts = { responses: 0, unregistered: 0 }

/** A provider of which nothing is known yet. */
export const NEW_HEALTH: ProviderHealth = {
  sampleWindow: NO_RESPONSES,
  before: NO_RESPONSES,
  pause: O.none,
  overrideUntil: O.none,
}

/**
 * A provider whose pause an operator ends: the answers from before do not count any more. The pause is kept as one that is over, so that
 * the provider {@link isUntried}.
 */
export const resumedHealth = (
  { pause }: Pick<ProviderHealth, 'pause'>,
  { now, overrideUntil }: { readonly now: Instant; readonly overrideUntil: O.Option<Instant> },
): ProviderHealth => ({
  ...NEW_HEALTH,
  overrideUntil,
  pause: O.map((one: Pause) => endedPause(one, now))(pause),
})

/** Returns a provider's health while an operator pauses it. A pause that an operator has to end already stays as it is. */
export const pausedHealth = (health: ProviderHealth, provider: Provider, now: Instant): ProviderHealth =>
  O.isSome(health.pause) && O.isNone(health.pause.value.until)
    ? health
    : { ...health, pause: O.some(operatorPause(provider, now)) }

/** The minimum number of responses that are judged together (G5). */
export const SAMPLE_WINDOW = 200

/** Recent results of one provider. */
export interface ProviderSample extends SampleCounts {
  readonly provider: Provider
  /** Whether it took a push. */
  readonly accepted: boolean
  /** Why it refuses us, if it does. */
  readonly fault: O.Option<string>
}

/** Summarizes results for each provider that responded, {@link inProviderOrder}. */
export const samplesOf = (results: ReadonlyArray<DeliveryResult>): ReadonlyArray<ProviderSample> =>
  inProviderOrder(results.flatMap((result) => ('provider' in result ? [result.provider] : [])))
    .map((provider): ProviderSample => {
      const theirs = results.filter((result) => 'provider' in result && result.provider === provider)
      const count = (...kinds: ReadonlyArray<DeliveryResult['kind']>) =>
        theirs.filter(({ kind }) => kinds.includes(kind)).length
      const [fault = O.none] = theirs.flatMap((result) =>
        result.kind === 'deferred' && O.isSome(result.fault) ? [result.fault] : [],
      )
      const accepted = theirs.some((result) => result.kind === 'responded' && result.outcome === 'delivered')
      return {
        provider,
        responses: count('responded', 'unregistered'),
        unregistered: count('unregistered'),
        accepted,
        fault,
      }
    })
    .filter(({ responses, fault }) => responses > 0 || O.isSome(fault))

const sum = (a: SampleCounts, b: SampleCounts): SampleCounts => ({
  responses: a.responses + b.responses,
  unregistered: a.unregistered + b.unregistered,
})

/** If more than a fifth of at least {@link SAMPLE_WINDOW} responses report dead tokens, suspects our credentials rather than the devices (G5). */
const isOverThreshold = ({ responses, unregistered }: SampleCounts): boolean =>
  responses >= SAMPLE_WINDOW && unregistered * 5 > responses

const addAnswers = (
  health: ProviderHealth,
  given: SampleCounts,
): Pick<ProviderHealth, 'sampleWindow' | 'before'> => {
  const sampleWindow = sum(health.sampleWindow, given)
  return sampleWindow.responses < SAMPLE_WINDOW
    ? { sampleWindow, before: health.before }
    : { sampleWindow: NO_RESPONSES, before: sampleWindow }
}

const isOverridden = ({ overrideUntil }: ProviderHealth, now: Instant): boolean =>
  O.isSome(overrideUntil) && now < overrideUntil.value

/** The pause in force of a provider, if there is one. */
export const pauseOf = ({ pause }: Pick<ProviderHealth, 'pause'>, now: Instant): O.Option<Pause> =>
  O.filter((one: Pause) => isInForce(one, now))(pause)

/**
 * Whether a provider has accepted no push since its last pause. A few deferred devices are sent to first, because it may reject us again, and
 * the whole backlog would have to be recorded again.
 */
export const isUntried = (health: Pick<ProviderHealth, 'pause'>, now: Instant): boolean =>
  O.isSome(health.pause) && O.isNone(pauseOf(health, now))

/** The state of a provider at a moment. */
export interface ProviderState {
  readonly provider: Provider
  readonly pause: O.Option<Pause>
  /** Whether it {@link isUntried}. */
  readonly untried: boolean
  /** Until when its reports of unregistered devices are accepted, however many they are. */
  readonly overrideUntil: O.Option<Instant>
}

/** Returns the state of a provider of this health. */
export const stateOf = (provider: Provider, health: ProviderHealth, now: Instant): ProviderState => ({
  provider,
  pause: pauseOf(health, now),
  untried: isUntried(health, now),
  overrideUntil: isOverridden(health, now) ? health.overrideUntil : O.none,
})

/** Returns the changes between two states of a provider for the audit: the reason of its pause, and until when reports of it are accepted (K1). */
export const providerChanges = (before: ProviderState, after: ProviderState): ReadonlyArray<FieldChange> => {
  const fieldsOf = ({ pause, overrideUntil }: ProviderState) => [
    { field: 'pause', value: O.toNullable(O.map(({ reason }: Pause) => reason)(pause)) },
    { field: 'overrideUntil', value: O.toNullable(O.map(toRfc3339)(overrideUntil)) },
  ]
  const earlier = fieldsOf(before)
  return fieldsOf(after)
    .map(({ field, value }, n) => ({ field, before: earlier[n]?.value ?? null, after: value }))
    .filter((change) => change.before !== change.after)
}

/** Returns how many deferred devices of a provider may be released in one step of at most `most` (G5). */
export const releasable = (
  { pause, untried }: ProviderState,
  { first, most }: { readonly first: number; readonly most: number },
): number => {
  if (O.isSome(pause)) return 0
  return untried ? Math.min(first, most) : most
}

/** The pauses in force. */
export const pausesAmong = (states: ReadonlyArray<ProviderState>): ReadonlyArray<Pause> =>
  states.flatMap(({ pause }) => (O.isSome(pause) ? [pause.value] : []))

const pausedBy = (
  health: ProviderHealth,
  { provider, fault, ...given }: ProviderSample,
  now: Instant,
): O.Option<Pause> => {
  const sampleWindow = sum(health.sampleWindow, given)
  const trips = isOverThreshold(sampleWindow) || isOverThreshold(sum(health.before, sampleWindow))
  if (trips && !isOverridden(health, now)) return O.some(openCircuit(provider, now))
  return O.isSome(pauseOf(health, now))
    ? O.none
    : O.map((reason: string) => faultPause(provider, reason, now))(fault)
}

/**
 * Returns a provider's health after further responses (G5). The circuit breaker judges two samples, so that a provider that was healthy for years
 * is stopped as soon as a new one; it also replaces a pause for rejected credentials. Responses while it is open are not counted, nor those
 * during an operator's override, also afterwards.
 */
export const updateHealth = (
  health: ProviderHealth,
  sample: ProviderSample,
  now: Instant,
): ProviderHealth => {
  const isOpen = O.isSome(health.pause) && O.isNone(health.pause.value.until)
  if (isOpen) return health
  const pause = pausedBy(health, sample, now)
  const before = sample.accepted && isUntried(health, now) ? O.none : health.pause
  const responses = isOverridden(health, now) ? {} : addAnswers(health, sample)
  return { ...health, ...responses, pause: O.isSome(pause) ? pause : before }
}

/** Returns the results to record while some providers are paused: devices that these report as unregistered are deferred (G5). */
export const deferUnregistered = (
  paused: ReadonlySet<Provider>,
  results: ReadonlyArray<DeliveryResult>,
): ReadonlyArray<DeliveryResult> =>
  results.map((result) =>
    result.kind === 'unregistered' && paused.has(result.provider)
      ? { deviceId: result.deviceId, kind: 'deferred', provider: result.provider, fault: O.none }
      : result,
  )
