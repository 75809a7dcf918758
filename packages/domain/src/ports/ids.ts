import type { ItemId, NotificationId } from '../values/ids.ts'

/** Identifiers of what is made here. Those of clients, labels and the portfolio come from outside. */
export interface Ids {
  /** A new identifier, greater in text order than every one this process made before (UUIDv7, C3). Never fails. */
  nextItemId(): ItemId
  /** As {@link nextItemId}. */
  nextNotificationId(): NotificationId
}
