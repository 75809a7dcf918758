import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Receipt, TimedAct } from '../access/acts.ts'
import type { Progress } from '../notifications/delivery.ts'
import type {
  Notification,
  NotificationNotFound,
  NotificationStarted,
} from '../notifications/notification.ts'
import type { NotificationCursor, NotificationQuery } from '../notifications/queries.ts'
import type { NotificationId } from '../values/ids.ts'
import type { PageRequest, ResultSet } from '../values/page.ts'
import type { Unavailable } from '../values/ports.ts'
import type { Instant } from '../values/time.ts'

/** A notification and how far its delivery has come; no progress before a review takes it up. */
export interface NotificationWithProgress {
  readonly notification: Notification
  readonly progress: Option<Progress>
}

/** A range of dates, both ends included, and how many notifications are returned at most. */
export interface DateRange {
  readonly from: Instant
  readonly to: Instant
  readonly most: number
}

/** The notifications, and how far each has come. Sending them is the business of {@link Deliveries}. Writes with an act leave a record (K1). */
export interface Notifications {
  /** Keeps a new notification, and the receipt in the same transaction. Durable when it succeeds. */
  add(
    notification: Notification,
    receipt?: Receipt<Notification>,
    act?: TimedAct,
  ): TaskEither<Unavailable, void>
  /** The notification, or none when it is unknown or deleted. */
  find(id: NotificationId): TaskEither<Unavailable, Option<NotificationWithProgress>>
  /** The notifications of a query that lie in the window, in order (G3); as lists of items otherwise (C11, C12). */
  list(
    query: NotificationQuery,
    window: PageRequest<NotificationCursor>,
  ): TaskEither<Unavailable, ResultSet<Notification, NotificationCursor>>
  /** Returns the notifications whose date is in a range, latest first, with how far each has come. */
  dated(range: DateRange): TaskEither<Unavailable, ReadonlyArray<NotificationWithProgress>>
  /** Deletes a notification; pushes that have not gone out are not sent (G3). NotificationNotFound if it is unknown or deleted already. */
  remove(id: NotificationId, act?: TimedAct): TaskEither<NotificationNotFound | Unavailable, void>
  /** Deletes a notification that no review has started (G3). NotificationStarted if one has; the notification stays then. */
  withdraw(
    id: NotificationId,
    act?: TimedAct,
  ): TaskEither<NotificationNotFound | NotificationStarted | Unavailable, void>
  /** Clears away what deleted notifications have left behind, at most a few thousand rows; gives how many. */
  purge(): TaskEither<Unavailable, number>
}
