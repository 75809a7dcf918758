import type * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Pause } from '../notifications/pause.ts'
import type { ProviderState } from '../notifications/provider-health.ts'
import type { Provider } from '../people/destination.ts'
import type { Instant } from '../values/instant.ts'
import type { Unavailable } from './unavailable.ts'

/** What the service knows of those who carry pushes. Their health changes as deliveries are recorded. */
export interface Providers {
  /** What is in force for each, in the order of {@link PROVIDERS}. */
  states(now: Instant): TaskEither<Unavailable, ReadonlyArray<ProviderState>>
  /**
   * Ends a provider's pause and forgets the answers that led to it ({@link resumedHealth}). What was held for it is sent by the next
   * reviews. Resuming what is not paused is the same but for what it gives.
   * @param believedUntil until when its word about dead tokens is believed, however many they are
   * @returns the pause that it ended
   */
  resume(
    provider: Provider,
    at: { readonly now: Instant; readonly overrideUntil: O.Option<Instant> },
  ): TaskEither<Unavailable, O.Option<Pause>>
}
