import type { Instant, Upcoming } from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import type { Db } from '../../database/database.ts'
import { nextRetry } from './backlog.ts'
import { isUntaken } from './queue.ts'

/** When there is something to send next, from indexes that hold nothing else. */
export const upcoming = async (db: Db): Promise<Upcoming> => {
  const row = await db
    .selectFrom('notification')
    .select(['id', 'due as date'])
    .where(isUntaken)
    .orderBy('due')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return {
    due: O.fromNullable(row && { id: row.id, date: row.date as Instant }),
    retry: await nextRetry(db),
  }
}
