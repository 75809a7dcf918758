import type { Backlog, Instant } from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import type { Db } from '../../database/database.ts'
import { isWaiting } from './candidates.ts'
import { isOpen } from './open.ts'

/** What there is left to do. */
export const backlog = async (db: Db): Promise<Backlog> => {
  const open = db.selectFrom('delivery').where(isOpen)
  const { sending } = await open
    .select(({ fn }) => fn.countAll<number>().as('sending'))
    .executeTakeFirstOrThrow()
  const { claimed } = await open
    .crossJoin('batch')
    .whereRef('batch.delivery_id', '=', 'delivery.id')
    .where('batch.closed', '=', 0)
    .where('lease_until', 'is not', null)
    .select(({ fn }) => fn.countAll<number>().as('claimed'))
    .executeTakeFirstOrThrow()
  return { sending, claimed, nextRetry: await nextRetry(db) }
}

/** When the first retry is due; devices that wait for a paused provider do not count. */
export const nextRetry = async (db: Db): Promise<O.Option<Instant>> => {
  const open = db.selectFrom('delivery').where(isOpen)
  const firsts = open.select(({ selectFrom }) =>
    selectFrom('retry')
      .select('due_at')
      .whereRef('retry.delivery_id', '=', 'delivery.id')
      .where(isWaiting)
      .where('held_for', 'is', null)
      .orderBy('due_at')
      .limit(1)
      .as('due_at'),
  )
  const { next } = await db
    .selectFrom(firsts.as('first'))
    .select(({ fn }) => fn.min('due_at').as('next'))
    .executeTakeFirstOrThrow()
  return O.fromNullable(next)
}
