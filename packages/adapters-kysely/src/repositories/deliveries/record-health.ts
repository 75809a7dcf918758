import {
  type DeliveryResult,
  type Instant,
  type Pause,
  type Provider,
  pauseOf,
  samplesOf,
  updateHealth,
} from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import type { Db, SqlDialect } from '../../database/database.ts'
import { keepHealth, lockedHealth } from './provider-rows.ts'

/** What turns have told of the providers that answered. */
export interface RecordedHealth {
  /** The newly paused providers. */
  readonly news: ReadonlyArray<Pause>
  /** All paused providers. */
  readonly paused: ReadonlySet<Provider>
}

/** Updates the health of providers. All transactions lock their rows in the same order, before any device. */
export const recordHealth = async (
  db: Db,
  dialect: SqlDialect,
  results: ReadonlyArray<DeliveryResult>,
  now: Instant,
): Promise<RecordedHealth> => {
  const news: Array<Pause> = []
  const paused = new Set<Provider>()
  for (const sample of samplesOf(results)) {
    const before = await lockedHealth(db, dialect, sample.provider)
    const after = updateHealth(before, sample, now)
    if (after !== before) await keepHealth(db, sample.provider, after)
    if (O.isSome(after.pause) && after.pause !== before.pause) news.push(after.pause.value)
    if (O.isSome(pauseOf(after, now))) paused.add(sample.provider)
  }
  return { news, paused }
}
