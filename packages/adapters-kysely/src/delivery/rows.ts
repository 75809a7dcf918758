import type { Instant } from '@almoner/domain'
import type { Cursor } from '@almoner/domain/content'
import { type Claim, lifeAt, type Recipient } from '@almoner/domain/delivery'
import {
  type DeliveryState,
  type Notification,
  type NotificationQuery,
  notificationCursor,
  type Progress,
  type Tally,
  UNDATED,
} from '@almoner/domain/notifications'
import type { DeviceId } from '@almoner/domain/people'
import type { NotificationWithProgress } from '@almoner/domain/ports'
import { instant, type NotificationId } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import type { Selectable } from 'kysely'
import { newestFirst } from '../content/select-items.ts'
import { type Asking, condition, type Db, param } from '../database/database.ts'
import type { OrderedTable } from '../database/ordered-table.ts'
import type { BatchRow, DeliveryRow } from '../schema/delivery.table.ts'
import { NOTIFICATION_COLUMNS, type StoredNotification } from '../schema/notification.table.ts'

/** A delivery whose notification is there. */
export type LiveDelivery = Selectable<DeliveryRow> & { readonly notification_id: NotificationId }

const locked = (db: Db) =>
  db
    .selectFrom('delivery')
    .selectAll()
    .where('notification_id', '=', param<NotificationId>(0))
    .forNoKeyUpdate()

/** Locks the delivery of an existing notification until the transaction ends. Every change of its batches starts with this lock. */
export const lockedDelivery = async (
  { db, run }: Asking,
  notificationId: NotificationId,
): Promise<LiveDelivery | undefined> => {
  const [row] = await run(db, locked, [notificationId])
  return row === undefined ? undefined : { ...row, notification_id: notificationId }
}

/** Returns a locked delivery with the end of its life as it counts now. From when that is counted is stored (I9). */
export const withLifeAt = async (db: Db, delivery: LiveDelivery, now: Instant): Promise<LiveDelivery> => {
  const { id, started_at: startedAt, ends_at: endsAt, counted_from } = delivery
  const life = lifeAt({ startedAt, endsAt, countedFrom: O.fromNullable(counted_from) }, now)
  const countedFrom = O.toNullable(life.countedFrom)
  if (countedFrom !== counted_from)
    await db.updateTable('delivery').set({ counted_from: countedFrom }).where('id', '=', id).execute()
  return { ...delivery, ends_at: life.endsAt, counted_from: countedFrom }
}

/** How many of a delivery's recipients ended each way. */
export const tallyOf = ({ delivered, failed, dead, skipped }: Pick<DeliveryRow, keyof Tally>): Tally => ({
  delivered,
  failed,
  dead,
  skipped,
})

/** The columns that {@link progressIn} reads. */
export const PROGRESS_COLUMNS = [
  'recipients',
  'delivered',
  'failed',
  'dead',
  'skipped',
  'started_at',
  'finished_at',
  'shortened',
] as const

type ProgressRow = Pick<Selectable<DeliveryRow>, (typeof PROGRESS_COLUMNS)[number]>

/** Returns the progress in a row; none if a join found no delivery. */
export const progressIn = (
  row: {
    readonly [Column in keyof ProgressRow]: ProgressRow[Column] | null
  },
): O.Option<Progress> => {
  const found = row as ProgressRow
  return row.started_at === null
    ? O.none
    : O.some({
        recipients: found.recipients,
        tally: tallyOf(found),
        startedAt: found.started_at,
        finishedAt: O.fromNullable(found.finished_at),
        shortened: found.shortened,
      })
}

/** How far a notification's delivery has come; none before it is taken up. */
export const progressOf = async (db: Db, id: NotificationId): Promise<O.Option<Progress>> => {
  const row = await db
    .selectFrom('delivery')
    .select(PROGRESS_COLUMNS)
    .where('notification_id', '=', id)
    .executeTakeFirst()
  return row === undefined ? O.none : progressIn(row)
}

const claimed = (db: Db) =>
  db
    .selectFrom('delivery')
    .innerJoin('batch', 'batch.delivery_id', 'delivery.id')
    .select('batch.number')
    .where('delivery.notification_id', '=', param<NotificationId>(0))
    .where('batch.number', '=', param<number>(1))
    .where('batch.fence', '=', param<number>(2))

/** Whether a claim is valid: no other has a greater fence, and the notification exists. */
export const isOurs = async (
  { db, run }: Asking,
  { notificationId, number, fence }: Claim,
): Promise<boolean> => (await run(db, claimed, [notificationId, number, fence])).length > 0

/** Ends a claim's lease, unless another has a greater fence. */
export const letGo = async (db: Db, { notificationId, number, fence }: Claim): Promise<void> => {
  await db
    .updateTable('batch')
    .set({ lease_until: null })
    .where('delivery_id', '=', ({ selectFrom }) =>
      selectFrom('delivery').select('id').where('notification_id', '=', notificationId),
    )
    .where('number', '=', number)
    .where('fence', '=', fence)
    .execute()
}

/** Ends deliveries whose notifications are deleted: they are not claimed, and the maintenance deletes their rows. */
export const abandon = async (db: Db, notificationIds: ReadonlyArray<NotificationId>): Promise<void> => {
  await db
    .updateTable('delivery')
    .set({ notification_id: null, sending: 0 })
    .where('notification_id', 'in', notificationIds)
    .execute()
}

/** Devices by number: those behind `after`, `upto` included. */
export interface Range {
  readonly after: DeviceId
  readonly upto: DeviceId
}

/** A batch that is the claimer's now. */
export interface TakenBatch {
  readonly number: number
  readonly fence: number
  readonly recipients: ReadonlyArray<Recipient>
}

/** The columns that say where a batch's recipients are; undefined stands for retries. */
export const rangeColumns = (range: Range | undefined) => ({
  after_device: range?.after ?? null,
  upto_device: range?.upto ?? null,
})

/** The range of a batch; undefined when it is one of retries. */
export const rangeOf = ({
  after_device: after,
  upto_device: upto,
}: Pick<BatchRow, 'after_device' | 'upto_device'>): Range | undefined =>
  after === null || upto === null ? undefined : { after, upto }

/** Adds a batch to a delivery, under the delivery's next number. */
export const addBatch = async (
  db: Db,
  { id, next_batch: number }: LiveDelivery,
  batch: Omit<BatchRow, 'delivery_id' | 'number' | 'closed'>,
): Promise<void> => {
  await db
    .insertInto('batch')
    .values({ ...batch, delivery_id: id, number, closed: 0 })
    .execute()
  await db
    .updateTable('delivery')
    .set({ next_batch: number + 1 })
    .where('id', '=', id)
    .execute()
}

const held = (db: Db) =>
  db
    .selectFrom('batch')
    .selectAll()
    .where('delivery_id', '=', param<number>(0))
    .where('number', '=', param<number>(1))
    .where('fence', '=', param<number>(2))

/** Returns the batch of a claim; undefined after another claim. */
export const heldBatch = async (
  { db, run }: Asking,
  { id }: LiveDelivery,
  { number, fence }: Claim,
): Promise<BatchRow | undefined> => (await run(db, held, [id, number, fence]))[0]

const progressed = (db: Db) =>
  db
    .updateTable('batch')
    .set({ remaining: param<number>(0), lease_until: param<Instant | null>(1) })
    .where('delivery_id', '=', param<number>(2))
    .where('number', '=', param<number>(3))

/** Stores how many recipients of a batch have no outcome, and the end of its lease. */
export const keepProgress = async (
  { db, run }: Asking,
  { id }: LiveDelivery,
  { number, remaining, lease_until }: Pick<BatchRow, 'number' | 'remaining' | 'lease_until'>,
): Promise<void> => {
  await run(db, progressed, [remaining, lease_until, id, number])
}

/** Changes a batch. */
export const changeBatch = async (
  db: Db,
  { id }: LiveDelivery,
  number: number,
  columns: Partial<BatchRow>,
): Promise<void> => {
  await db
    .updateTable('batch')
    .set(columns)
    .where('delivery_id', '=', id)
    .where('number', '=', number)
    .execute()
}

/** Closes a batch without remaining recipients. */
export const closeBatch = (db: Db, delivery: LiveDelivery, number: number): Promise<void> =>
  changeBatch(db, delivery, number, { remaining: 0, lease_until: null, closed: 1 })

const FINISHED = 'delivery.finished_at is not null'

/** The condition of each state, about the delivery of a notification where it has one (G7). */
const STATES: Readonly<Record<DeliveryState, string>> = {
  unscheduled: 'started = 0 and due < 0',
  scheduled: 'started = 0 and due >= 0',
  sending: hasDelivery('delivery.finished_at is null'),
  sent: hasDelivery(`${FINISHED} and failed = 0`),
  partial: hasDelivery(`${FINISHED} and failed > 0 and delivered > 0`),
  failed: hasDelivery(`${FINISHED} and failed > 0 and delivered = 0`),
}

function hasDelivery(which: string): string {
  return `exists (select 1 from delivery where delivery.notification_id = notification.id and ${which})`
}

const conditionsOf = ({ lang, resourceId = O.none, state = O.none }: NotificationQuery) => [
  ...(O.isSome(lang) ? [condition('lang = ?', lang.value)] : []),
  ...(O.isSome(resourceId) ? [condition('resource_id = ?', resourceId.value)] : []),
  ...(O.isSome(state) ? [condition(STATES[state.value])] : []),
]

/** Notifications, ordered by their date, undated last (G3). */
export const notificationTable: OrderedTable<
  Notification,
  StoredNotification,
  NotificationQuery,
  Cursor<number>
> = {
  table: 'notification',
  columns: NOTIFICATION_COLUMNS,
  order: () => newestFirst('due'),
  cursorOf: notificationCursor,
  fromRow: (row) => ({
    id: row.id,
    revision: row.revision,
    lang: row.lang,
    title: row.title,
    subtitle: O.fromNullable(row.subtitle),
    description: O.fromNullable(row.description),
    date: row.due === UNDATED ? O.none : O.some(instant(row.due)),
    resourceId: O.fromNullable(row.resource_id),
    labelId: O.fromNullable(row.label_id),
  }),
  conditions: conditionsOf,
  isFiltered: ({ state = O.none }) => O.isSome(state),
}

/** The columns of a notification and of its delivery, as a join gives them. */
export const WITH_PROGRESS = [
  ...NOTIFICATION_COLUMNS.map((column) => `notification.${column}` as const),
  ...PROGRESS_COLUMNS.map((column) => `delivery.${column}` as const),
]

/** Returns the notification of a row, and its progress. */
export const withProgress = (
  row: StoredNotification & { readonly [Column in keyof ProgressRow]: ProgressRow[Column] | null },
): NotificationWithProgress => ({ notification: notificationTable.fromRow(row), progress: progressIn(row) })

/** A notification by its identifier. */
export const findNotification = async (db: Db, id: NotificationId): Promise<O.Option<Notification>> => {
  const row = await db
    .selectFrom('notification')
    .select(NOTIFICATION_COLUMNS)
    .where('id', '=', id)
    .executeTakeFirst()
  return O.map(notificationTable.fromRow)(O.fromNullable(row))
}
