import type { ItemId, NotificationId } from '../values/ids.ts'

/** Creates identifiers. Clients, labels and the portfolio have external ones. */
export interface Ids {
  /** A new identifier, greater in text order than every one this process made before (UUIDv7, C3). Never fails. */
  nextItemId(): ItemId
  /** As {@link nextItemId}. */
  nextNotificationId(): NotificationId
}
