import {
  instant,
  type Notification,
  type NotificationId,
  type NotificationQuery,
  notificationPlace,
  UNDATED,
} from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import { condition } from '../../database/conditions.ts'
import type { Db } from '../../database/database.ts'
import type { NotificationRow } from '../../schema/notification.table.ts'
import type { OrderedTable } from '../items/shelf-table.ts'

/** The columns that hold a notification: all but whether it was taken up. */
const COLUMNS = ['id', 'lang', 'title', 'subtitle', 'description', 'due', 'resource_id'] as const

type Row = Pick<NotificationRow, (typeof COLUMNS)[number]>

/** The row of a new notification. */
export const notificationRow = (notification: Notification): NotificationRow => ({
  id: notification.id,
  lang: notification.lang,
  title: notification.title,
  subtitle: O.toNullable(notification.subtitle),
  description: O.toNullable(notification.description),
  due: notificationPlace(notification).key,
  resource_id: O.toNullable(notification.resourceId),
  taken_up: 0,
})

/** Notifications, ordered by their date, undated last (G3). */
export const notificationTable: OrderedTable<Notification, Row, NotificationQuery, number> = {
  table: 'notification',
  columns: COLUMNS,
  key: 'due',
  placeOf: notificationPlace,
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
  until: () => O.none,
}

/** A notification by its identifier. */
export const findNotification = async (db: Db, id: NotificationId): Promise<O.Option<Notification>> => {
  const row = await db.selectFrom('notification').select(COLUMNS).where('id', '=', id).executeTakeFirst()
  return O.map(notificationTable.fromRow)(O.fromNullable(row))
}
