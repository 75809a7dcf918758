import { makeReportDelivery } from '../delivery/reports.ts'
import { makeReview } from '../delivery/review.ts'
import { makePreviewNotification } from '../notifications/previews.ts'
import {
  makeCreateNotification,
  makeListNotifications,
  makeRemoveNotification,
} from '../notifications/use-cases.ts'
import type { Policy } from '../policy.ts'
import type { Ports } from '../ports.ts'

/** Scheduled push notifications. */
export interface NotificationsArea {
  /**
   * Lists notifications by date, latest first and undated ones last (G1, G3).
   * Fails with InsufficientScope, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.notifications.list(manager, { lang: 'en', lim: 10 })
   * ```
   */
  readonly list: ReturnType<typeof makeListNotifications>
  /**
   * Schedules a notification for its `date`; without one it is never sent (G2, G4, G6).
   * Fails with InsufficientScope, PresenceRequired, ResourceNotFound, ValidationFailed, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const input = parseInput(CreateNotification, { lang: 'en', title: 'Our year is out', resource_type: 'Library', date: 1_790_000_000 })
   * if (input.ok) await almoner.promises.notifications.schedule(manager, input.value)
   * ```
   */
  readonly schedule: ReturnType<typeof makeCreateNotification>
  /**
   * Deletes a notification. One that is being sent stops (G3).
   * Fails with InsufficientScope, NotificationNotFound, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.notifications.remove(manager, { id: notification.id })
   * ```
   */
  readonly remove: ReturnType<typeof makeRemoveNotification>
  /**
   * Reports how many devices a notification has reached so far (G7).
   * Fails with InsufficientScope, NotificationNotFound, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.notifications.reportDelivery(manager, { id: notification.id })
   * ```
   */
  readonly reportDelivery: ReturnType<typeof makeReportDelivery>
  /**
   * Returns the message, its size in bytes and the number of recipients as of now; sends nothing (G1). For operators: checks no caller.
   * Fails with NotificationNotFound, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.notifications.preview(notification.id)
   * ```
   */
  readonly preview: ReturnType<typeof makePreviewNotification>
  /**
   * Starts due notifications and sends until no batch is left (G4, G5, G7). Call it every minute; several processes may review at once.
   * `window` is the largest number of pushes without a recorded outcome, which a crash can repeat. `signal` ends the review early.
   * Fails with Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.notifications.review({ window: 100, signal: stop.signal })
   * ```
   */
  readonly review: ReturnType<typeof makeReview>
}

/** Binds the use cases of notifications to ports and a policy. */
export const makeNotificationsArea = (ports: Ports, policy: Policy): NotificationsArea => ({
  list: makeListNotifications(ports),
  schedule: makeCreateNotification(ports, policy),
  remove: makeRemoveNotification(ports),
  reportDelivery: makeReportDelivery(ports),
  preview: makePreviewNotification(ports, policy),
  review: makeReview(ports, policy),
})
