import type { Instant, ItemId } from '@almoner/domain'
import type { MessageText } from '@almoner/domain/notifications'
import type { LabelId, Language, NotificationId } from '@almoner/domain/values'
import { allColumnsOf, type Flag } from './columns.ts'

/** A notification. `due` is its date in epoch milliseconds, `UNDATED` when it has none. */
export interface NotificationRow {
  readonly id: NotificationId
  readonly revision: number
  readonly lang: Language
  readonly title: MessageText
  readonly subtitle: MessageText | null
  readonly description: MessageText | null
  readonly due: number
  readonly resource_id: ItemId | null
  readonly label_id: LabelId | null
  readonly started: Flag
}

/** The columns that hold a notification itself. */
export type StoredNotification = Omit<NotificationRow, 'started'>

const STORED = {
  id: true,
  revision: true,
  lang: true,
  title: true,
  subtitle: true,
  description: true,
  due: true,
  resource_id: true,
  label_id: true,
} as const

export const NOTIFICATION_COLUMNS = allColumnsOf<StoredNotification>(STORED)

/** A notification in the inbox of a person: when it was started, and when the person first saw it (F7). */
export interface InboxRow extends StoredNotification {
  readonly started_at: Instant
  readonly seen_at: Instant | null
}

export const INBOX_COLUMNS = allColumnsOf<InboxRow>({ ...STORED, started_at: true, seen_at: true })

/** Two notifications that are one announcement, by their languages (G14). A notification stands in at most one row, which goes with it. */
interface AnnouncementRow {
  readonly en_id: NotificationId
  readonly fr_id: NotificationId
}

/** The tables of notifications. */
export interface NotificationTables {
  readonly notification: NotificationRow
  readonly announcement: AnnouncementRow
}
