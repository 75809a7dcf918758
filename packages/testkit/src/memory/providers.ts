import type { TimedAct } from '@almoner/domain/access'
import {
  NEW_HEALTH,
  type Origin,
  type OriginHealth,
  type Pause,
  type ProviderState,
  pausedHealth,
  pauseOf,
  providerChanges,
  providerOf,
  type StoredOrigin,
  statesOf,
  unknownOrigin,
  wholeOf,
} from '@almoner/domain/delivery'
import type { Provider } from '@almoner/domain/people'
import type { Providers } from '@almoner/domain/ports'
import type { Instant } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { recordAct } from './history.ts'
import type { Tables } from './tables.ts'

/** Returns the stored health of an origin, and the override. */
export const storedIn = ({ origins }: Tables, origin: Origin): StoredOrigin =>
  origins.get(origin) ?? unknownOrigin(origin)

/** The health of an origin. */
export const healthIn = (tables: Tables, origin: Origin): OriginHealth => storedIn(tables, origin).health

/** Stores the health of an origin. */
export const keepHealth = (tables: Tables, origin: Origin, health: OriginHealth): void => {
  tables.origins.set(origin, { ...storedIn(tables, origin), health })
}

/** The state of each provider. */
export const statesIn = ({ origins }: Tables, now: Instant): ReadonlyArray<ProviderState> =>
  statesOf([...origins.values()], now)

/** The pauses in force, by origin. */
export const pausesIn = ({ origins }: Tables, now: Instant): ReadonlyMap<Origin, Pause> =>
  new Map(
    [...origins.values()].flatMap(({ origin, health }) =>
      RA.fromOption(pauseOf(health, now)).map((pause) => [origin, pause] as const),
    ),
  )

/** Changes the stored health of a provider, and records the act if the state differs. */
const changeProvider = (
  tables: Tables,
  provider: Provider,
  now: Instant,
  change: () => void,
  act: TimedAct | undefined,
): void => {
  const state = () => statesIn(tables, now).find((one) => one.provider === provider)
  tables.origins.set(wholeOf(provider), storedIn(tables, wholeOf(provider)))
  const before = state()
  change()
  const after = state()
  const changes = before && after ? providerChanges(before, after) : []
  if (changes.length > 0) recordAct(tables, act, { kind: 'provider', id: provider }, changes)
}

/** The health of providers and origins, in memory. */
export const memoryProviders = (tables: Tables): Providers => ({
  states: (now) => TE.fromIO(() => statesIn(tables, now)),
  pause: (provider, now, act) =>
    TE.fromIO(() => {
      const whole = wholeOf(provider)
      const health = pausedHealth(healthIn(tables, whole), provider, now)
      changeProvider(tables, provider, now, () => keepHealth(tables, whole, health), act)
      return O.toNullable(health.pause) as Pause
    }),
  resume: (provider, { now, overrideUntil }, act) =>
    TE.fromIO(() => {
      const ended = statesIn(tables, now)
        .filter((state) => state.provider === provider)
        .flatMap(({ pause, origins }) => [...RA.fromOption(pause), ...origins])
      const reset = () => {
        const theirs = [...tables.origins.keys()].filter((origin) => providerOf(origin) === provider)
        for (const origin of theirs) keepHealth(tables, origin, NEW_HEALTH)
        tables.origins.set(wholeOf(provider), {
          origin: wholeOf(provider),
          health: NEW_HEALTH,
          overrideUntil,
          overrideSince: now,
        })
      }
      changeProvider(tables, provider, now, reset, act)
      return ended
    }),
})
