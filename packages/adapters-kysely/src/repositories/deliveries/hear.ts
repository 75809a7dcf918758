import {
  type DeliveryResult,
  heard,
  type Instant,
  type Pause,
  type Provider,
  pauseOf,
  testimonies,
} from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import type { Db } from '../../database/database.ts'
import { keepHealth, lockedHealth } from './provider-rows.ts'

/** What turns have told of the providers that answered. */
export interface Heard {
  /** Those that are paused from now on. */
  readonly news: ReadonlyArray<Pause>
  /** All of those that are paused. */
  readonly paused: ReadonlySet<Provider>
}

/** Takes note of what turns tell of providers. Their rows are locked in one order by everybody, before any device. */
export const hear = async (db: Db, results: ReadonlyArray<DeliveryResult>, now: Instant): Promise<Heard> => {
  const news: Array<Pause> = []
  const paused = new Set<Provider>()
  for (const testimony of testimonies(results)) {
    const before = await lockedHealth(db, testimony.provider)
    const after = heard(before, testimony, now)
    if (after !== before) await keepHealth(db, testimony.provider, after)
    if (O.isSome(after.pause) && after.pause !== before.pause) news.push(after.pause.value)
    if (O.isSome(pauseOf(after, now))) paused.add(testimony.provider)
  }
  return { news, paused }
}
