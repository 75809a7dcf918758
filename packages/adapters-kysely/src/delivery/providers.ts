import type { Instant } from '@almoner/domain'
import type { TimedAct } from '@almoner/domain/access'
import { NEW_HEALTH, type Origin, type Pause, pausedHealth, providerChanges, providerOf, type StoredOrigin, statesOf, wholeOf } from '@almoner/domain/delivery'
import type { Provider } from '@almoner/domain/people'
import type { Providers } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import type { Database, Db } from '../database/database.ts'
import { recordAct } from '../history.ts'
import { keepHealth, keepOverride, lockedOrigin, storedOrigins } from './origin-rows.ts'

/** Returns a provider as a whole and its origins, in the order in which their rows are locked. */
const originsOf = async (db: Db, provider: Provider): Promise<ReadonlyArray<Origin>> => {
  const stored = await storedOrigins(db)
  const theirs = stored.map(({ origin }) => origin).filter((origin) => providerOf(origin) === provider)
  return [...new Set([wholeOf(provider), ...theirs])].sort()
}

/** Changes the stored health of a provider's origins, and records the act if the state of the provider differs (K1). */
const changeProvider = async (
  db: Db,
  provider: Provider,
  change: (stored: StoredOrigin) => StoredOrigin,
  { now, act }: { readonly now: Instant; readonly act: TimedAct | undefined },
) => {
  const before: Array<StoredOrigin> = []
  for (const origin of await originsOf(db, provider)) before.push(await lockedOrigin(db, origin))
  const after = before.map(change)
  for (const stored of after) {
    await keepHealth(db, stored.origin, stored.health)
    await keepOverride(db, stored)
  }
  const [was, is] = [before, after].map((stored) =>
    statesOf(stored, now).find((state) => state.provider === provider),
  )
  const changes = was && is ? providerChanges(was, is) : []
  if (changes.length > 0) await recordAct(db, act, { kind: 'provider', id: provider }, changes)
  return { was, after }
}

/** The health of providers, shared by every process on the same database (G5, G15). */
export const makeProviders = (database: Database): Providers => ({
  states: (now) => database.read(async (db) => statesOf(await storedOrigins(db), now)),
  pause: (provider, now, act) =>
    database.write(async (db): Promise<E.Either<never, Pause>> => {
      const isWhole = ({ origin }: StoredOrigin) => origin === wholeOf(provider)
      const change = (stored: StoredOrigin): StoredOrigin =>
        isWhole(stored) ? { ...stored, health: pausedHealth(stored.health, provider, now) } : stored
      const { after } = await changeProvider(db, provider, change, { now, act })
      // The change has just set it.
      return E.right(O.toNullable(after.find(isWhole)?.health.pause ?? O.none) as Pause)
    }),
  resume: (provider, { now, overrideUntil }, act) =>
    database.write(async (db): Promise<E.Either<never, ReadonlyArray<Pause>>> => {
      const change = ({ origin }: StoredOrigin): StoredOrigin => ({
        ...{ origin, health: NEW_HEALTH },
        ...(origin === wholeOf(provider) ? { overrideUntil, overrideSince: now } : { overrideUntil: O.none }),
      })
      const { was } = await changeProvider(db, provider, change, { now, act })
      return E.right(was === undefined ? [] : [...RA.fromOption(was.pause), ...was.origins])
    }),
})
