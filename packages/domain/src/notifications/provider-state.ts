import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import type { FieldChange } from '../history/model.ts'
import { inProviderOrder, PROVIDERS, type Provider } from '../people/destinations.ts'
import { type Instant, isFarAhead, toRfc3339 } from '../values/time.ts'
import { type Origin, providerOf, wholeOf } from './origin.ts'
import { NEW_HEALTH, type OriginHealth, pauseOf } from './origin-health.ts'
import { PAUSED_BY_OPERATOR, type Pause, stopped } from './pause.ts'

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
