import * as TE from 'fp-ts/lib/TaskEither.js'
import {
  type Instant,
  inProviderOrder,
  NEW_HEALTH,
  type Pause,
  PROVIDERS,
  type ProviderState,
  type Providers,
  pauseOf,
  pausesAmong,
  resumedHealth,
  stateOf,
} from '../src/all.ts'
import type { Tables } from './tables.ts'

/** The state of each provider. */
export const statesIn = ({ health }: Tables, now: Instant): ReadonlyArray<ProviderState> =>
  inProviderOrder([...PROVIDERS, ...health.keys()]).map((provider) =>
    stateOf(provider, health.get(provider) ?? NEW_HEALTH, now),
  )

/** The pauses in force. */
export const pausesIn = (tables: Tables, now: Instant): ReadonlyArray<Pause> =>
  pausesAmong(statesIn(tables, now))

/** The health of providers, in memory. */
export const memoryProviders = (tables: Tables): Providers => ({
  states: (now) => TE.fromIO(() => statesIn(tables, now)),
  resume: (provider, { now, overrideUntil }) =>
    TE.fromIO(() => {
      const health = tables.health.get(provider) ?? NEW_HEALTH
      tables.health.set(provider, resumedHealth(health, { now, overrideUntil }))
      return pauseOf(health, now)
    }),
})
