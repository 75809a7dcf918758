import type { Email, Instant } from '@almoner/domain'
import type { Cursor } from '@almoner/domain/content'
import {
  CLAIM_LOST,
  type Claim,
  type ClaimLost,
  type Eligibility,
  type EligibleDevice,
  type Recipient,
} from '@almoner/domain/delivery'
import {
  NOTIFICATION_NOT_FOUND,
  NOTIFICATION_STARTED,
  type Notification,
  type NotificationNotFound,
  type NotificationQuery,
  type NotificationStarted,
  notificationCursor,
  UNDATED,
} from '@almoner/domain/notifications'
import type { DeviceId } from '@almoner/domain/people'
import type { NothingDone, Notifications, NotificationWithProgress } from '@almoner/domain/ports'
import { instant, type NotificationId } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { keepReceipt } from '../access/tokens.ts'
import { newestFirst } from '../content/select-items.ts'
import { condition, type Database, type Db, type SqlDialect } from '../database/database.ts'
import { makeList, type OrderedTable } from '../database/ordered-table.ts'
import { findInLists, paddedInLists, purging } from '../database/writes.ts'
import { recordAct } from '../history.ts'
import { endEpoch, isSubscribed } from '../people/audience.ts'
import { DEVICE_COLUMNS } from '../people/devices.ts'
import type { BatchRow } from '../schema/delivery.table.ts'
import {
  NOTIFICATION_COLUMNS,
  type NotificationRow,
  type StoredNotification,
} from '../schema/notification.table.ts'
import { closedIn } from './origins.ts'
import { clearRows } from './retention.ts'
import { RETRY_COLUMNS, recipientOf } from './retries.ts'
import {
  abandon,
  isOurs,
  type LiveDelivery,
  PROGRESS_COLUMNS,
  progressIn,
  progressOf,
  type Range,
  rangeOf,
} from './rows.ts'

/** The row of a new notification. */
const notificationRow = (notification: Notification): NotificationRow => ({
  id: notification.id,
  lang: notification.lang,
  title: notification.title,
  subtitle: O.toNullable(notification.subtitle),
  description: O.toNullable(notification.description),
  due: notificationCursor(notification).key,
  resource_id: O.toNullable(notification.resourceId),
  started: 0,
})

/** Notifications, ordered by their date, undated last (G3). */
const notificationTable: OrderedTable<Notification, StoredNotification, NotificationQuery, Cursor<number>> = {
  table: 'notification',
  columns: NOTIFICATION_COLUMNS,
  order: () => newestFirst('due'),
  cursorOf: notificationCursor,
  fromRow: (row) => ({
    id: row.id,
    lang: row.lang,
    title: row.title,
    subtitle: O.fromNullable(row.subtitle),
    description: O.fromNullable(row.description),
    date: row.due === UNDATED ? O.none : O.some(instant(row.due)),
    resourceId: O.fromNullable(row.resource_id),
  }),
  conditions: ({ lang }) => (O.isSome(lang) ? [condition('lang = ?', lang.value)] : []),
}

/** A notification by its identifier. */
export const findNotification = async (db: Db, id: NotificationId): Promise<O.Option<Notification>> => {
  const row = await db
    .selectFrom('notification')
    .select(NOTIFICATION_COLUMNS)
    .where('id', '=', id)
    .executeTakeFirst()
  return O.map(notificationTable.fromRow)(O.fromNullable(row))
}

/** Rows that one call clears away at most: it holds up other writes for some milliseconds. */
const PURGE = 2000

/**
 * Deletes some of the rows of a deleted notification's delivery, the delivery itself last; returns their number. Ends the epoch first, so that
 * no transaction that saw the delivery open can still add rows.
 */
const purge = async (db: Db, dialect: SqlDialect): Promise<number> => {
  const delivery = await db
    .selectFrom('delivery')
    .select('id')
    .where('notification_id', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (delivery === undefined) return 0
  await endEpoch(db, dialect)
  const gone = await clearRows(db, delivery.id, PURGE)
  if (gone >= PURGE) return gone
  await db.deleteFrom('delivery').where('id', '=', delivery.id).execute()
  return gone + 1
}

/** Notifications, and how far each has come (G3, G7). */
export const makeNotifications = (database: Database): Notifications => ({
  add: (notification, receipt, act) =>
    database.write(async (db): Promise<E.Either<NothingDone, void>> => {
      await db.insertInto('notification').values(notificationRow(notification)).execute()
      await recordAct(db, act, { kind: 'notification', id: notification.id })
      return E.map(() => undefined)(await keepReceipt(db, receipt, notification))
    }),

  find: (id) =>
    database.read(async (db): Promise<O.Option<NotificationWithProgress>> => {
      const notification = await findNotification(db, id)
      if (O.isNone(notification)) return O.none
      return O.some({ notification: notification.value, progress: await progressOf(db, id) })
    }),

  list: makeList(database, notificationTable),

  dated: ({ from, to, most }) =>
    database.read(async (db): Promise<ReadonlyArray<NotificationWithProgress>> => {
      const rows = await db
        .selectFrom('notification')
        .leftJoin('delivery', 'delivery.notification_id', 'notification.id')
        .select(NOTIFICATION_COLUMNS.map((column) => `notification.${column}` as const))
        .select(PROGRESS_COLUMNS.map((column) => `delivery.${column}` as const))
        .where('notification.due', '>=', from)
        .where('notification.due', '<=', to)
        .orderBy('notification.due', 'desc')
        .orderBy('notification.id', 'desc')
        .limit(most)
        .execute()
      return rows.map((row) => ({ notification: notificationTable.fromRow(row), progress: progressIn(row) }))
    }),

  remove: (id, act) =>
    database.write(async (db): Promise<E.Either<NotificationNotFound, void>> => {
      const gone = await db.deleteFrom('notification').where('id', '=', id).returning('id').executeTakeFirst()
      if (gone === undefined) return E.left(NOTIFICATION_NOT_FOUND)
      await abandon(db, [id])
      await recordAct(db, act, { kind: 'notification', id })
      return E.right(undefined)
    }),

  withdraw: (id, act) =>
    database.write(async (db): Promise<E.Either<NotificationNotFound | NotificationStarted, void>> => {
      const gone = await db
        .deleteFrom('notification')
        .where('id', '=', id)
        .where('started', '=', 0)
        .returning('id')
        .executeTakeFirst()
      if (gone === undefined) {
        const isThere = O.isSome(await findNotification(db, id))
        return E.left(isThere ? NOTIFICATION_STARTED : NOTIFICATION_NOT_FOUND)
      }
      await recordAct(db, act, { kind: 'notification', id })
      return E.right(undefined)
    }),

  purge: () => purging(database, (db) => purge(db, database.dialect)),
})

/** Recipients in the order of their devices, and how far the range was looked through. */
interface Members {
  readonly recipients: ReadonlyArray<Recipient>
  readonly upto: DeviceId
}

/** Devices looked at beyond those asked for, so that some that are no recipients do not make a batch small. */
const SLACK = 100

const devicesIn = (db: Db, { lang }: LiveDelivery, { after, upto }: Range, most: number) =>
  db
    .selectFrom('device')
    .select(['id', 'email', 'epoch'])
    .where('lang', '=', lang)
    .where(isSubscribed)
    .where('id', '>', after)
    .where('id', '<=', upto)
    .orderBy('id')
    .limit(most)
    .execute()

type Ids = ReadonlyArray<DeviceId>

/** Rows about some devices of a delivery. */
const rowsAbout = (
  db: Db,
  table: 'recipient_snapshot' | 'ledger' | 'retry',
  { id }: LiveDelivery,
  devices: Range | Ids,
) => {
  const rows = db.selectFrom(table).where('delivery_id', '=', id)
  return 'after' in devices
    ? rows.where('device_id', '>', devices.after).where('device_id', '<=', devices.upto)
    : rows.where('device_id', 'in', devices)
}

/** The device that reading came to: the end of the range, unless there is more than was read. */
const reachedBy = (rows: ReadonlyArray<{ readonly id: DeviceId }>, most: number, upto: DeviceId): DeviceId =>
  (rows.length < most ? undefined : rows.at(-1)?.id) ?? upto

const least = (a: DeviceId, b: DeviceId): DeviceId => (a < b ? a : b)

/** Returns those of the devices whose result is final or comes with the retries. */
const settledAmong = async (
  db: Db,
  delivery: LiveDelivery,
  devices: Range | Ids,
): Promise<ReadonlySet<DeviceId>> => {
  const ended = await rowsAbout(db, 'ledger', delivery, devices).select('device_id').execute()
  const again = await rowsAbout(db, 'retry', delivery, devices).select('device_id').execute()
  return new Set([...ended, ...again].map(({ device_id }) => device_id))
}

/**
 * The first recipients of a range, at most `most`, without an outcome and who do not wait for a retry. Devices are read
 * before pins: one that changes in between is then found twice, never not at all.
 */
export const membersOf = async (
  db: Db,
  delivery: LiveDelivery,
  range: Range,
  most: number,
): Promise<Members> => {
  const look = most + SLACK
  const devices = await devicesIn(db, delivery, range, look)
  const pins = await rowsAbout(db, 'recipient_snapshot', delivery, range)
    .select(['device_id as id', 'email'])
    .orderBy('device_id')
    .limit(look)
    .execute()
  const reached = least(reachedBy(devices, look, range.upto), reachedBy(pins, look, range.upto))
  const settled = await settledAmong(db, delivery, { after: range.after, upto: reached })
  const unchanged = devices.filter(({ epoch }) => epoch <= delivery.epoch)
  const emails = new Map<DeviceId, Email>([...unchanged, ...pins].map(({ id, email }) => [id, email]))
  const open = [...emails]
    .filter(([id]) => id <= reached && !settled.has(id))
    .map(([deviceId, email]): Recipient => ({ deviceId, email, attempts: 0, refusals: 0 }))
    .sort((a, b) => a.deviceId - b.deviceId)
  const recipients = open.slice(0, most)
  return { recipients, upto: open.length > most ? (recipients.at(-1)?.deviceId ?? reached) : reached }
}

const retriesAmong = async (
  db: Db,
  { delivery_id, number }: BatchRow,
  ids: Ids,
): Promise<ReadonlyArray<Recipient>> => {
  const rows = await db
    .selectFrom('retry')
    .select(RETRY_COLUMNS)
    .where('delivery_id', '=', delivery_id)
    .where('batch', '=', number)
    .where('device_id', 'in', ids)
    .execute()
  return rows.map(recipientOf)
}

/** As in a range's members: devices before snapshots, so that one that changes in between is found. */
const emailsAmong = async (
  db: Db,
  delivery: LiveDelivery,
  ids: Ids,
): Promise<ReadonlyMap<DeviceId, Email>> => {
  const unchanged = await db
    .selectFrom('device')
    .select(['id', 'email'])
    .where('id', 'in', ids)
    .where('lang', '=', delivery.lang)
    .where(isSubscribed)
    .where('epoch', '<=', delivery.epoch)
    .execute()
  const snapshots = await rowsAbout(db, 'recipient_snapshot', delivery, ids)
    .select(['device_id as id', 'email'])
    .execute()
  return new Map([...unchanged, ...snapshots].map(({ id, email }) => [id, email]))
}

const membersAmong = async (
  db: Db,
  delivery: LiveDelivery,
  { after, upto }: Range,
  ids: Ids,
): Promise<ReadonlyArray<Recipient>> => {
  const emails = await emailsAmong(db, delivery, ids)
  const settled = await settledAmong(db, delivery, ids)
  return [...emails]
    .filter(([id]) => after < id && id <= upto && !settled.has(id))
    .map(([deviceId, email]) => ({ deviceId, email, attempts: 0, refusals: 0 }))
}

/** Returns the devices that are recipients in a batch, once each. */
export const recipientsAmong = async (
  db: Db,
  delivery: LiveDelivery,
  batch: BatchRow,
  ids: Ids,
): Promise<ReadonlyMap<DeviceId, Recipient>> => {
  const range = rangeOf(batch)
  const found = await findInLists(ids, (list) =>
    range === undefined ? retriesAmong(db, batch, list) : membersAmong(db, delivery, range, list),
  )
  return new Map(found.map((recipient) => [recipient.deviceId, recipient]))
}

/** Those recipients whose device is there, theirs, and subscribed (G4), and the origins that are closed (G15). */
export const checkEligibility = async (
  db: Db,
  claim: Claim,
  { recipients, now }: { readonly recipients: ReadonlyArray<Recipient>; readonly now: Instant },
): Promise<E.Either<ClaimLost, Eligibility>> => {
  if (!(await isOurs(db, claim))) return E.left(CLAIM_LOST)
  const emails = new Map(recipients.map(({ deviceId, email }) => [deviceId, email]))
  const found = new Map<DeviceId, EligibleDevice>()
  for (const list of paddedInLists([...emails.keys()])) {
    const rows = await db
      .selectFrom('device')
      .select(DEVICE_COLUMNS)
      .where('id', 'in', list)
      .where(isSubscribed)
      .execute()
    for (const { id, email, token, kind, attached_at } of rows)
      if (email === emails.get(id)) found.set(id, { token, kind, attachedAt: attached_at })
  }
  return E.right({ devices: found, closed: await closedIn(db, claim.notificationId, now) })
}
