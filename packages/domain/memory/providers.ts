import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import {
  type Instant,
  inProviderOrder,
  NEW_HEALTH,
  operatorPause,
  type Pause,
  PROVIDERS,
  type Provider,
  type ProviderHealth,
  type ProviderState,
  type Providers,
  pausedHealth,
  pauseOf,
  pausesAmong,
  providerChanges,
  resumedHealth,
  stateOf,
  type TimedAct,
} from '../src/all.ts'
import { recordAct } from './history.ts'
import type { Tables } from './tables.ts'

/** The state of each provider. */
export const statesIn = ({ health }: Tables, now: Instant): ReadonlyArray<ProviderState> =>
  inProviderOrder([...PROVIDERS, ...health.keys()]).map((provider) =>
    stateOf(provider, health.get(provider) ?? NEW_HEALTH, now),
  )

/** The pauses in force. */
export const pausesIn = (tables: Tables, now: Instant): ReadonlyArray<Pause> =>
  pausesAmong(statesIn(tables, now))

/** Changes a provider's health, and records the act if the state differs. */
const changeHealth = (
  tables: Tables,
  provider: Provider,
  now: Instant,
  change: (health: ProviderHealth) => ProviderHealth,
  act: TimedAct | undefined,
) => {
  const before = tables.health.get(provider) ?? NEW_HEALTH
  const after = change(before)
  tables.health.set(provider, after)
  const changes = providerChanges(stateOf(provider, before, now), stateOf(provider, after, now))
  if (changes.length > 0) recordAct(tables, act, { kind: 'provider', id: provider }, changes)
  return { before, after }
}

/** The health of providers, in memory. */
export const memoryProviders = (tables: Tables): Providers => ({
  states: (now) => TE.fromIO(() => statesIn(tables, now)),
  pause: (provider, now, act) =>
    TE.fromIO(() => {
      const { after } = changeHealth(
        tables,
        provider,
        now,
        (health) => pausedHealth(health, provider, now),
        act,
      )
      return O.getOrElse(() => operatorPause(provider, now))(pauseOf(after, now))
    }),
  resume: (provider, { now, overrideUntil }, act) =>
    TE.fromIO(() => {
      const resumed = (health: ProviderHealth) => resumedHealth(health, { now, overrideUntil })
      return pauseOf(changeHealth(tables, provider, now, resumed, act).before, now)
    }),
})
