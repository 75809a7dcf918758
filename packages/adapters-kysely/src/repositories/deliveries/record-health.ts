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
import type { Db } from '../../database/database.ts'
import { keepHealth, lockedHealth } from './provider-rows.ts'

/** What turns have told of the providers that answered. */
export interface RecordedHealth {
  /** Those that are paused from now on. */
  readonly news: ReadonlyArray<Pause>
  /** All of those that are paused. */
  readonly paused: ReadonlySet<Provider>
}

/** Takes note of what turns tell of providers. Their rows are locked in one order by everybody, before any device. */
export const recordHealth = async (
  db: Db,
  results: ReadonlyArray<DeliveryResult>,
  now: Instant,
): Promise<RecordedHealth> => {
  const news: Array<Pause> = []
  const paused = new Set<Provider>()
  for (const sample of samplesOf(results)) {
    const before = await lockedHealth(db, sample.provider)
    const after = updateHealth(before, sample, now)
    if (after !== before) await keepHealth(db, sample.provider, after)
    if (O.isSome(after.pause) && after.pause !== before.pause) news.push(after.pause.value)
    if (O.isSome(pauseOf(after, now))) paused.add(sample.provider)
  }
  return { news, paused }
}
