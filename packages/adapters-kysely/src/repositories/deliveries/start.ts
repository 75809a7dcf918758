import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  endOfLife,
  type Instant,
  instant,
  NO_OUTCOMES,
  type NotificationId,
  type Unavailable,
} from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type SqlBool, sql } from 'kysely'
import type { Database, Db, SqlDialect } from '../../database/database.ts'
import { flag } from '../../schema/columns.ts'
import { NO_DEVICE, sizeOfAudience } from '../devices/audience.ts'
import { endEpoch } from '../devices/epoch.ts'

/** Notifications looked up at a time. */
const LOOK = 100

/** Never taken up, and with a date. The text is that of the index's condition. */
const isAwaited = sql<SqlBool>`started = 0 and due >= 0`

/** The first notifications that are due and not taken up. */
const dueBy = async (db: Db, now: Instant): Promise<ReadonlyArray<NotificationId>> => {
  const rows = await db
    .selectFrom('notification')
    .select('id')
    .where(isAwaited)
    .where('due', '<=', now)
    .orderBy('due')
    .orderBy('id')
    .limit(LOOK)
    .execute()
  return rows.map(({ id }) => id)
}

interface TakeUp {
  readonly now: Instant
  /** In milliseconds. */
  readonly life: number
}

/** Takes one up; false when somebody else has, or it was deleted. */
const takeUpOne = async (
  db: Db,
  dialect: SqlDialect,
  id: NotificationId,
  { now, life }: TakeUp,
): Promise<boolean> => {
  const row = await db
    .updateTable('notification')
    .set({ started: 1 })
    .where('id', '=', id)
    .where('started', '=', 0)
    .returning(['lang', 'due'])
    .executeTakeFirst()
  if (row === undefined) return false
  const epoch = await endEpoch(db, dialect)
  const { size, last } = await sizeOfAudience(db, row.lang)
  await db
    .insertInto('delivery')
    .values({
      ...NO_OUTCOMES,
      notification_id: id,
      lang: row.lang,
      epoch,
      started_at: now,
      ends_at: endOfLife(instant(row.due), now, life),
      finished_at: size === 0 ? now : null,
      sending: flag(size > 0),
      recipients: size,
      last_device: last,
      claimed_upto: NO_DEVICE,
      next_batch: 0,
      last_turn: 0,
      has_rows: flag(size > 0),
    })
    .execute()
  return true
}

/**
 * Takes up what is due, each notification in a transaction of its own (G4). Nothing is copied: the epoch that it ends tells from
 * then on which devices were the recipients.
 */
export const makeTakeUp = (database: Database) => {
  type Taken = TE.TaskEither<Unavailable, ReadonlyArray<NotificationId>>

  const take = (id: NotificationId, at: TakeUp): Taken =>
    pipe(
      database.write(
        async (db): Promise<E.Either<never, boolean>> =>
          E.right(await takeUpOne(db, database.dialect, id, at)),
      ),
      TE.map((taken) => (taken ? [id] : [])),
      TE.tapTask(() => () => nextTurn()),
    )

  /** Those of the first that are due, and how many they were. */
  const takeFirst = (at: TakeUp) =>
    pipe(
      TE.Do,
      TE.bind('due', () => database.read((db) => dueBy(db, at.now))),
      TE.bind('taken', ({ due }) => TE.traverseSeqArray((id: NotificationId) => take(id, at))(due)),
      TE.map(({ due, taken }) => ({ due: due.length, taken: taken.flat() })),
    )

  const takeAll = (at: TakeUp): Taken =>
    pipe(
      takeFirst(at),
      TE.flatMap(
        ({ due, taken }): Taken =>
          due < LOOK
            ? TE.right(taken)
            : pipe(
                takeAll(at),
                TE.map((more) => [...taken, ...more]),
              ),
      ),
    )

  return (now: Instant, life: number) => takeAll({ now, life })
}
