import type { NotificationId, Progress, Tally } from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import type { Db } from '../../database/database.ts'
import type { DeliveryRow } from '../../schema/delivery.table.ts'

/** How many of a delivery's recipients ended each way. */
export const tallyOf = ({ delivered, failed, dead, skipped }: Pick<DeliveryRow, keyof Tally>): Tally => ({
  delivered,
  failed,
  dead,
  skipped,
})

/** How far a notification's delivery has come; none before it is taken up. */
export const progressOf = async (db: Db, id: NotificationId): Promise<O.Option<Progress>> => {
  const row = await db
    .selectFrom('delivery')
    .select(['recipients', 'delivered', 'failed', 'dead', 'skipped', 'started_at', 'finished_at'])
    .where('notification_id', '=', id)
    .executeTakeFirst()
  return O.map((found: NonNullable<typeof row>) => ({
    recipients: found.recipients,
    tally: tallyOf(found),
    startedAt: found.started_at,
    finishedAt: O.fromNullable(found.finished_at),
  }))(O.fromNullable(row))
}
