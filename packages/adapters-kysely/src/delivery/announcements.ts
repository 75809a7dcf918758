import type { Receipt, TimedAct } from '@almoner/domain/access'
import {
  checkPrecondition,
  LABEL_NOT_FOUND,
  type LabelNotFound,
  type PreconditionFailed,
} from '@almoner/domain/content'
import {
  type ChangedAnnouncement,
  NOTIFICATION_NOT_FOUND,
  type Notification,
  type NotificationNotFound,
  type Standing,
} from '@almoner/domain/notifications'
import type {
  NothingDone,
  NotificationChange,
  Notifications,
  NotificationWithProgress,
  Removal,
} from '@almoner/domain/ports'
import type { NotificationId } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { keepReceipt } from '../access/tokens.ts'
import type { Database, Db } from '../database/database.ts'
import { paddedInList, workOf } from '../database/writes.ts'
import { recordAct } from '../history.ts'
import { holdTopic, lockedNotifications, NOTIFICATIONS, storedOf, tie } from './notifications.ts'
import { abandon, WITH_PROGRESS, withProgress } from './rows.ts'

/** The other side of a notification's tie (G14). */
const counterpartIdOf = async (db: Db, id: NotificationId): Promise<NotificationId | undefined> => {
  const row = await db
    .selectFrom('announcement')
    .selectAll()
    .where((of) => of.or([of('en_id', '=', id), of('fr_id', '=', id)]))
    .executeTakeFirst()
  return row?.en_id === id ? row.fr_id : row?.en_id
}

/** A notification and its counterpart, and all that are locked with them. */
interface LockedPair {
  readonly own: Standing | undefined
  readonly counterpart: O.Option<Standing>
  readonly rows: ReadonlyMap<NotificationId, Standing>
}

/** Locks a notification and its counterpart, and others. The tie may change before the lock is held, so that it is read again. */
const lockedPair = async (
  db: Db,
  id: NotificationId,
  ...others: ReadonlyArray<NotificationId>
): Promise<LockedPair> => {
  const before = await counterpartIdOf(db, id)
  const locked = await lockedNotifications(db, [id, before, ...others])
  const counterpartId = await counterpartIdOf(db, id)
  const rows =
    counterpartId === undefined || locked.has(counterpartId)
      ? locked
      : new Map([...locked, ...(await lockedNotifications(db, [counterpartId]))])
  return {
    own: rows.get(id),
    counterpart: O.fromNullable(counterpartId === undefined ? undefined : rows.get(counterpartId)),
    rows,
  }
}

/** Writes what differs: a notification, its counterpart if that moves, and the tie, with a record of each that changes (G13, G14, K1). */
const writeChange = async (
  db: Db,
  before: LockedPair,
  { own, moved, counterpartId }: ChangedAnnouncement,
  act: TimedAct | undefined,
): Promise<void> => {
  const tiedTo = O.toUndefined(counterpartId)
  const isTied = O.toUndefined(before.counterpart)?.notification.id !== tiedTo
  for (const one of [own, ...(O.isSome(moved) ? [moved.value] : [])]) {
    const isChanged = one.revision !== before.rows.get(one.id)?.notification.revision
    if (isChanged) await db.updateTable('notification').set(storedOf(one)).where('id', '=', one.id).execute()
    if (isChanged || (one.id === own.id && isTied))
      await recordAct(db, act, { kind: 'notification', id: one.id })
  }
  if (isTied) await tie(db, own, tiedTo)
}

/** Changes a notification by what its transaction finds (G13). */
const changeNotification = async <F>(
  db: Db,
  id: NotificationId,
  { counterpartId, labelId, decide }: NotificationChange<F>,
  receipt: Receipt<Notification> | undefined,
  act: TimedAct | undefined,
): Promise<E.Either<F | LabelNotFound | NotificationNotFound | NothingDone, Notification>> => {
  const isKnown = await holdTopic(db, labelId)
  const pair = await lockedPair(db, id, ...(O.isSome(counterpartId) ? [counterpartId.value] : []))
  const { own, counterpart, rows } = pair
  if (own === undefined) return E.left(NOTIFICATION_NOT_FOUND)
  if (!isKnown) return E.left(LABEL_NOT_FOUND)
  const named = O.flatMap((name: NotificationId) => O.fromNullable(rows.get(name)))(counterpartId)
  const decided = decide({ own, counterpart, named })
  if (E.isLeft(decided)) return decided
  await writeChange(db, pair, decided.right, act)
  return keepReceipt(db, receipt, decided.right.own)
}

/** Deletes a notification, and with `both` its counterpart (G3, G14). */
const removeNotification = async (
  db: Db,
  id: NotificationId,
  act: TimedAct | undefined,
  { both, expected }: Removal = { both: false, expected: O.none },
): Promise<E.Either<NotificationNotFound | PreconditionFailed, void>> => {
  const { own, counterpart } = await lockedPair(db, id)
  if (own === undefined) return E.left(NOTIFICATION_NOT_FOUND)
  const checked = checkPrecondition(expected)(own.notification)
  if (E.isLeft(checked)) return checked
  const ids = both && O.isSome(counterpart) ? [id, counterpart.value.notification.id] : [id]
  await db.deleteFrom('notification').where('id', 'in', ids).execute()
  await abandon(db, ids)
  for (const gone of ids) await recordAct(db, act, { kind: 'notification', id: gone })
  return E.right(undefined)
}

/** Returns the counterparts of notifications that have one, by one statement (G14). */
const readCounterparts = async (
  db: Db,
  ids: ReadonlyArray<NotificationId>,
): Promise<ReadonlyMap<NotificationId, NotificationWithProgress>> => {
  if (ids.length === 0) return new Map()
  const list = paddedInList(ids)
  const side = (own: 'en_id' | 'fr_id', other: 'en_id' | 'fr_id') =>
    db
      .selectFrom('announcement')
      .innerJoin('notification', 'notification.id', `announcement.${other}`)
      .leftJoin('delivery', 'delivery.notification_id', 'notification.id')
      .select(`announcement.${own} as of`)
      .select(WITH_PROGRESS)
      .where(`announcement.${own}`, 'in', list)
  const rows = await side('en_id', 'fr_id').unionAll(side('fr_id', 'en_id')).execute()
  return new Map(rows.map((row) => [row.of, withProgress(row)]))
}

/** Changes and deletions of notifications, together with their counterparts (G13, G14). */
export const makeAnnouncements = (
  database: Database,
): Pick<Notifications, 'change' | 'counterparts' | 'remove'> => ({
  change: (id, asked, receipt, act) =>
    database.write((db) => changeNotification(db, id, asked, receipt, act), NOTIFICATIONS),
  counterparts: (ids) => database.read((db) => readCounterparts(db, ids), workOf(ids)),
  remove: (id, act, removal) =>
    database.write((db) => removeNotification(db, id, act, removal), NOTIFICATIONS),
})
