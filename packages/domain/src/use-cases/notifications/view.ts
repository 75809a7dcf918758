import type { NotificationLinks } from '../../notifications/links.ts'
import type { Notification } from '../../notifications/notification.ts'

/** A notification as it is read: with what its related item gives it now (G1). */
export interface NotificationView {
  readonly notification: Notification
  readonly links: NotificationLinks
}
