import type { Either } from 'fp-ts/lib/Either.js'
import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Receipt, TimedAct } from '../access/acts.ts'
import type { LabelNotFound, Precondition, PreconditionFailed } from '../content/model.ts'
import type { CounterpartNotFound } from '../content/rules.ts'
import type { PeoplePolicy, PeoplePorts } from '../people/ports.ts'
import type { LabelId, NotificationId } from '../values/ids.ts'
import type { PageRequest, ResultSet } from '../values/page.ts'
import type { ValidationFailed } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import type { Instant } from '../values/time.ts'
import type { Announcement, ChangedAnnouncement } from './announcements.ts'
import type {
  Look,
  Notification,
  NotificationCursor,
  NotificationNotFound,
  NotificationQuery,
  NotificationStarted,
  Progress,
  PushMessage,
} from './model.ts'
import type { SmallerLimit } from './push.ts'

/** What notifications and the areas before it ask of the world. */
export interface NotificationPorts extends PeoplePorts {
  readonly notifications: Notifications
  readonly pushGateway: PayloadLimits
}

/** What a deployment decides for notifications and the areas before it. */
export interface NotificationPolicy extends PeoplePolicy {
  /** The icon and colour of every notification (G1). */
  readonly look: Look
  /** How long a notification may be on its way, in seconds (G5). */
  readonly notificationLife: number
}

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

/** A change of a notification, decided by what its transaction finds (G13). */
export interface NotificationChange<E> {
  /** The notification that it names as the counterpart (G14). */
  readonly counterpartId: Option<NotificationId>
  /** The label that it gives the notification, which must exist (G12). */
  readonly labelId: Option<LabelId>
  /** Pure: called once for each time that the transaction runs. */
  readonly decide: (found: Announcement) => Either<E, ChangedAnnouncement>
}

/** How a notification is deleted: with its counterpart (G14), and only at one of these revisions (C10). */
export interface Removal {
  readonly both: boolean
  readonly expected: Precondition
}

/** The notifications, and how far each has come. Sending them is the business of {@link Deliveries}. Writes with an act leave a record (K1). */
export interface Notifications {
  /**
   * Keeps a new notification, and the receipt in the same transaction. Ties it to a counterpart, in place of an earlier tie of that one (G14).
   * Durable when it succeeds. ValidationFailed if both have one language, LabelNotFound if its label does not exist (G12).
   */
  add(
    notification: Notification,
    receipt?: Receipt<Notification>,
    act?: TimedAct,
    counterpartId?: NotificationId,
  ): TaskEither<CounterpartNotFound | LabelNotFound | ValidationFailed | Unavailable, void>
  /**
   * Changes a notification and its tie in one transaction, during which no review takes up either side (G13, G14). A new tie replaces earlier ones
   * of both. Each notification that changes leaves a record; a change without effect leaves none.
   */
  change<E>(
    id: NotificationId,
    change: NotificationChange<E>,
    receipt?: Receipt<Notification>,
    act?: TimedAct,
  ): TaskEither<E | LabelNotFound | NotificationNotFound | Unavailable, Notification>
  /** Returns the counterparts of notifications that have one, with how far each has come (G14). */
  counterparts(
    ids: ReadonlyArray<NotificationId>,
  ): TaskEither<Unavailable, ReadonlyMap<NotificationId, NotificationWithProgress>>
  /** The notification, or none when it is unknown or deleted. */
  find(id: NotificationId): TaskEither<Unavailable, Option<NotificationWithProgress>>
  /** The notifications of a query that lie in the window, in order (G3); as lists of items otherwise (C11, C12). */
  list(
    query: NotificationQuery,
    window: PageRequest<NotificationCursor>,
  ): TaskEither<Unavailable, ResultSet<Notification, NotificationCursor>>
  /** Returns the notifications whose date is in a range, latest first, with how far each has come. */
  dated(range: DateRange): TaskEither<Unavailable, ReadonlyArray<NotificationWithProgress>>
  /** Deletes a notification; pushes that have not gone out are not sent (G3). So are those of its counterpart, if both are to go (G14). NotificationNotFound if it is unknown or deleted already. */
  remove(
    id: NotificationId,
    act?: TimedAct,
    removal?: Removal,
  ): TaskEither<NotificationNotFound | PreconditionFailed | Unavailable, void>
  /** Deletes a notification that no review has started (G3). NotificationStarted if one has; the notification stays then. */
  withdraw(
    id: NotificationId,
    act?: TimedAct,
  ): TaskEither<NotificationNotFound | NotificationStarted | Unavailable, void>
  /** Clears away what deleted notifications have left behind, at most a few thousand rows; gives how many. */
  purge(): TaskEither<Unavailable, number>
}

/** Measures messages before they are sent, as the providers of the deployment will (G6). */
export interface PayloadLimits {
  /** The bytes that a message takes with the provider where it takes most, of those it may be sent by (G6). Never fails. */
  bytesOf(message: PushMessage): number
  /** Returns the sizes of a message for services that take less than others; none where it is left out (G6). Never fails. */
  smallerLimits?(message: PushMessage): ReadonlyArray<SmallerLimit>
}
