import { type Instant, PROVIDERS } from '@almoner/domain'
import type { Db, SqlDialect } from '../engine.ts'
import { isOpen, lockedDelivery } from './open.ts'
import { pausedIn } from './provider-rows.ts'

/** Held turns that one call lets come. */
const MOST = 1000

/** Lets turns come now that were held for providers that are not paused, of one delivery. Gives how many. */
export const release = async (db: Db, dialect: SqlDialect, now: Instant): Promise<number> => {
  const paused = await pausedIn(db, now)
  const running = PROVIDERS.filter((provider) => !paused.has(provider))
  if (running.length === 0) return 0
  const first = await db
    .selectFrom('retry')
    .innerJoin('delivery', 'delivery.id', 'retry.delivery_id')
    .select(['delivery.notification_id', 'retry.held_for'])
    .where('retry.held_for', 'in', running)
    .where(isOpen)
    .limit(1)
    .executeTakeFirst()
  if (first === undefined || first.notification_id === null) return 0
  const delivery = await lockedDelivery(db, dialect, first.notification_id)
  if (delivery === undefined) return 0
  const { id } = delivery
  const { held_for } = first
  const rows = await db
    .selectFrom('retry')
    .select('device_id')
    .where('delivery_id', '=', id)
    .where('held_for', '=', held_for)
    .orderBy('device_id')
    .limit(MOST)
    .execute()
  const last = rows.at(-1)
  if (last === undefined) return 0
  await db
    .updateTable('retry')
    .set({ due_at: now, held_for: null })
    .where('delivery_id', '=', id)
    .where('held_for', '=', held_for)
    .where('device_id', '<=', last.device_id)
    .execute()
  return rows.length
}
