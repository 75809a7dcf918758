import type * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { TimedAct } from '../access/acts.ts'
import type { Pause } from '../notifications/pause.ts'
import type { ProviderState } from '../notifications/provider-state.ts'
import type { Provider } from '../people/destinations.ts'
import type { Unavailable } from '../values/ports.ts'
import type { Instant } from '../values/time.ts'

/** The stored health of the push providers and their origins. It changes as results are recorded. */
export interface Providers {
  /** Returns the state of each of `PROVIDERS`, and of others that have answered (`statesOf`). */
  states(now: Instant): TaskEither<Unavailable, ReadonlyArray<ProviderState>>
  /**
   * Pauses a provider on all processes until it is resumed (`pausedHealth`): each asks before it sends. A provider that waits for an operator
   * already stays as it is, without a record.
   * @returns the pause in force
   */
  pause(provider: Provider, now: Instant, act?: TimedAct): TaskEither<Unavailable, Pause>
  /**
   * Ends the pauses of a provider and of all its origins, and forgets the responses that led to them (G15). The next reviews send to the deferred
   * devices. Resuming a provider without a pause has the same effect; it leaves a record only if it changes the override.
   * @param at.overrideUntil until when its reports of unregistered devices are accepted, however many they are
   * @returns the pauses that it ended, the provider's first
   */
  resume(
    provider: Provider,
    at: { readonly now: Instant; readonly overrideUntil: O.Option<Instant> },
    act?: TimedAct,
  ): TaskEither<Unavailable, ReadonlyArray<Pause>>
}
