import type { Cursor } from '@almoner/domain/content'
import {
  type Notification,
  type NotificationQuery,
  notificationCursor,
  UNDATED,
} from '@almoner/domain/notifications'
import { instant, type NotificationId } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import type { Db } from '../../database/database.ts'
import { condition } from '../../database/query.ts'
import {
  NOTIFICATION_COLUMNS,
  type NotificationRow,
  type StoredNotification,
} from '../../schema/notification.table.ts'
import type { OrderedTable } from '../collections/ordered-table.ts'
import { newestFirst } from '../items/content-table.ts'

/** The row of a new notification. */
export const notificationRow = (notification: Notification): NotificationRow => ({
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
