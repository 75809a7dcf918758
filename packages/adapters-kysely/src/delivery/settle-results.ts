import type { Instant } from '@almoner/domain'
import { groupByOrigin, newPause, type Pause, providerOf, type RecordingTime, type ServedRecipient, type Settled, settle, wholeOf } from '@almoner/domain/delivery'
import type { DeviceId } from '@almoner/domain/people'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import type { Db } from '../database/database.ts'
import type { LiveDelivery } from './delivery-rows.ts'
import { keepHealth, lockedOrigin, overrideOf, probesOf } from './origin-rows.ts'

/** A recipient, its result, and the effect of it. */
export interface SettledRecipient extends ServedRecipient {
  readonly effect: Settled
}

/** What came of settling results. */
interface SettledResults {
  readonly served: ReadonlyArray<SettledRecipient>
  /** Origins that the results have stopped, or that are probed from now on. */
  readonly paused: ReadonlyArray<Pause>
}

const isUnsent = ({ result: { kind } }: ServedRecipient): boolean => kind === 'notSent'

/** Settles results by the health of their origins, which changes. All transactions lock origins in the same order, before any device. */
export const settleResults = async (
  db: Db,
  { id, notification_id: notificationId }: LiveDelivery,
  served: ReadonlyArray<ServedRecipient>,
  { now, credentials }: Pick<RecordingTime, 'credentials'> & { readonly now: Instant },
): Promise<SettledResults> => {
  const probes = served.some(isUnsent) ? await probesOf(db, id) : new Map()
  const { byOrigin, rest } = groupByOrigin(served, probes)
  const effects = new Map<DeviceId, Settled>(rest.map((effect) => [effect.deviceId, effect]))
  const paused: Array<Pause> = []
  for (const [origin, some] of byOrigin) {
    const provider = providerOf(origin)
    const { health: before } = await lockedOrigin(db, origin)
    const { health, settled } = settle(before, some, {
      ...{ origin, notificationId, now, credentials: credentials[provider] ?? '' },
      isOverridden: O.isSome(await overrideOf(db, wholeOf(provider), now)),
    })
    if (health !== before) await keepHealth(db, origin, health)
    paused.push(...RA.fromOption(newPause(before, health)))
    for (const effect of settled) effects.set(effect.deviceId, effect)
  }
  const withEffect = (one: ServedRecipient): ReadonlyArray<SettledRecipient> => {
    const effect = effects.get(one.recipient.deviceId)
    return effect === undefined ? [] : [{ ...one, effect }]
  }
  return { served: served.flatMap(withEffect), paused }
}
