import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import {
  type Instant,
  NEW_HEALTH,
  type Pause,
  PROVIDERS,
  type Providers,
  pauseOf,
  resumedHealth,
} from '../src/index.ts'
import type { Tables } from './tables.ts'

/** The pauses in force. */
export const pausesIn = ({ health }: Tables, now: Instant): ReadonlyArray<Pause> =>
  PROVIDERS.flatMap((provider) => {
    const pause = pauseOf(health.get(provider) ?? NEW_HEALTH, now)
    return O.isSome(pause) ? [pause.value] : []
  })

/** The health of providers, in memory. */
export const memoryProviders = (tables: Tables): Providers => ({
  pauses: (now) => TE.fromIO(() => pausesIn(tables, now)),
  resume: (provider, { now, believedUntil }) =>
    TE.fromIO(() => {
      const pause = pauseOf(tables.health.get(provider) ?? NEW_HEALTH, now)
      tables.health.set(provider, resumedHealth(believedUntil))
      return pause
    }),
})
