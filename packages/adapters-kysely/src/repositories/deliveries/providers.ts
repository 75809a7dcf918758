import { type Pause, type Providers, pauseOf, resumedHealth } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import type * as O from 'fp-ts/lib/Option.js'
import type { Database } from '../../database/database.ts'
import { keepHealth, lockedHealth, statesIn } from './provider-rows.ts'

/** The health of providers, shared by every process on the same database (G5). */
export const makeProviders = (database: Database): Providers => ({
  states: (now) => database.read((db) => statesIn(db, now)),
  resume: (provider, { now, overrideUntil }) =>
    database.write(async (db): Promise<E.Either<never, O.Option<Pause>>> => {
      const health = await lockedHealth(db, provider)
      await keepHealth(db, provider, resumedHealth(health, { now, overrideUntil }))
      return E.right(pauseOf(health, now))
    }),
})
