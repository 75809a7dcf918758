import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Instant } from '@almoner/domain'
import { endOfLife } from '@almoner/domain/delivery'
import { NO_OUTCOMES } from '@almoner/domain/notifications'
import type { Deliveries } from '@almoner/domain/ports'
import { instant, type NotificationId } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { attempt, type Database, type Db, orThrow, type SqlDialect } from '../database/database.ts'
import { always, QUIET, quietly } from '../database/writes.ts'
import { endEpoch, NO_DEVICE, sizeOfAudience } from '../people/audience.ts'
import { flag } from '../schema/columns.ts'
import { makeClaim } from './claiming.ts'
import { checkEligibility } from './members.ts'
import { backlog, isUnstarted, queue, upcoming } from './queue.ts'
import { record, setAside } from './recording.ts'
import { makeRelease } from './releases.ts'
import { letGo } from './rows.ts'

/** Notifications looked up at a time. */
const LOOK = 100

/** The first notifications that are due and not started. */
const dueBy = async (db: Db, now: Instant): Promise<ReadonlyArray<NotificationId>> => {
  const rows = await db
    .selectFrom('notification')
    .select('id')
    .where(isUnstarted)
    .where('due', '<=', now)
    .orderBy('due')
    .orderBy('id')
    .limit(LOOK)
    .execute()
  return rows.map(({ id }) => id)
}

interface Start {
  readonly now: Instant
  /** In milliseconds. */
  readonly life: number
}

/** Starts one; false when another process has, or it was deleted. */
const startOne = async (
  db: Db,
  dialect: SqlDialect,
  id: NotificationId,
  { now, life }: Start,
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
      counted_from: null,
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
 * Starts what is due, each notification in its own transaction (G4). Nothing is copied: the epoch that it ends determines from then on which
 * devices were the recipients.
 */
const makeStart = (database: Database): Deliveries['start'] => {
  const begin = (id: NotificationId, at: Start) =>
    orThrow(database.write(always((db) => startOne(db, database.dialect, id, at))))

  const startAll = async (at: Start): Promise<ReadonlyArray<NotificationId>> => {
    const started: Array<NotificationId> = []
    let due: ReadonlyArray<NotificationId>
    do {
      due = await orThrow(database.read((db) => dueBy(db, at.now)))
      for (const id of due) {
        if (await begin(id, at)) started.push(id)
        await nextTurn()
      }
    } while (due.length === LOOK)
    return started
  }

  return (now, life) => attempt(async () => E.right(await startAll({ now, life })))
}

/** The sending of notifications, shared by every process on the same database (G4, G5). */
export const makeDeliveries = (database: Database): Deliveries => ({
  start: makeStart(database),
  claim: makeClaim(database),
  checkEligibility: (claim, recipients, now) =>
    pipe(
      database.read((db) => checkEligibility(db, claim, { recipients, now })),
      TE.flatMapEither(identity),
    ),
  record: (claim, results, at) => database.write((db) => record(db, { claim, results, ...at }), QUIET),
  setAside: (claim, now) => database.write((db) => setAside(db, claim, now), QUIET),
  releaseDeferred: makeRelease(database),
  releaseClaim: (claim) => quietly(database, (db) => letGo(db, claim)),
  backlog: () => database.read(backlog),
  upcoming: () => database.read(upcoming),
  queue: (now) => database.read((db) => queue(db, now)),
})
