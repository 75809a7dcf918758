import type { ItemId, Language, MessageText, NotificationId } from '@almoner/domain'
import type { Flag } from './flag.ts'

/** A notification. `due` is its date in epoch milliseconds, `UNDATED` when it has none. */
export interface NotificationRow {
  readonly id: NotificationId
  readonly lang: Language
  readonly title: MessageText
  readonly subtitle: MessageText | null
  readonly description: MessageText | null
  readonly due: number
  readonly resource_id: ItemId | null
  readonly taken_up: Flag
}

/** The table of notifications. */
export interface NotificationTables {
  readonly notification: NotificationRow
}
