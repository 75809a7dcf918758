import type * as O from 'fp-ts/lib/Option.js'
import type { Option } from 'fp-ts/lib/Option.js'
import type { Task } from 'fp-ts/lib/Task.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { TimedAct } from '../access/acts.ts'
import type { NotificationNotFound } from '../notifications/model.ts'
import type { NotificationPolicy, NotificationPorts, PayloadLimits } from '../notifications/ports.ts'
import type { Push, PushResult } from '../notifications/push.ts'
import type { Provider } from '../people/destinations.ts'
import type { NoActingUser } from '../people/model.ts'
import type { NotificationId } from '../values/ids.ts'
import type { PageRequest, ResultSet } from '../values/page.ts'
import type { Unavailable } from '../values/ports.ts'
import type { Instant } from '../values/time.ts'
import type {
  Backlog,
  Batch,
  Claim,
  ClaimLost,
  ClaimRequest,
  DeliveryResult,
  Eligibility,
  Recipient,
  Recorded,
  RecordingTime,
  ReleaseRequest,
  SenderCredentials,
  SendingQueue,
  Upcoming,
} from './batch.ts'
import type { InboxCursor, InboxEntry, InboxQuery, InboxReader, SeenMark } from './meant-for.ts'
import type { Pause } from './origins.ts'
import type { ProviderState } from './settle.ts'

/** What delivery and the areas before it ask of the world. */
export interface DeliveryPorts extends NotificationPorts {
  readonly deliveries: Deliveries
  readonly inbox: Inbox
  readonly retention: Retention
  readonly providers: Providers
  readonly pushGateway: PushGateway
}

/** What a deployment decides for delivery and the areas before it. */
export interface DeliveryPolicy extends NotificationPolicy {
  /** How long the per-device rows of a notification are kept after its end, in days (G8). */
  readonly deliveryDays: number
  /** How long a notification is kept after its end, in days; none: for ever (G8). */
  readonly notificationDays: O.Option<number>
}

/**
 * The work of sending, shared by every process on the same store. The ledger that stands behind it keeps each outcome once, by
 * notification and device.
 */
export interface Deliveries {
  /**
   * Takes up every notification that is due (`isDue`) and has not been: fixes its recipients, the devices of the language's
   * subscribed readers at this moment, and its end (`endOfLife`, `life` in milliseconds). Each is taken up once, by one
   * process. One without recipients is finished at once. Gives which were taken up.
   */
  start(now: Instant, life: number): TaskEither<Unavailable, ReadonlyArray<NotificationId>>
  /**
   * Claims a batch with a lease of `LEASE`: one without a valid lease (`isHeld`), with a greater fence, if the request calls that lease abandoned;
   * else due retries or the next unclaimed recipients, whichever the request prefers. Retries that were planned by a clock that was ahead
   * (`isFarAhead`) are due, and a delivery that such a clock has started begins now (`lifeAt`, I9). Notifications alternate. Retries come in the
   * order of their time, other recipients in that of their devices, without the ones that have an outcome or wait. None when there is nothing to
   * claim.
   */
  claim(request: ClaimRequest): TaskEither<Unavailable, Option<Batch>>
  /** Which of these recipients of a batch can still be sent to, and which origins nothing is to be sent to now. */
  checkEligibility(
    claim: Claim,
    recipients: ReadonlyArray<Recipient>,
    now: Instant,
  ): TaskEither<ClaimLost | Unavailable, Eligibility>
  /**
   * Records results in the ledger and renews the lease, in one transaction. An existing outcome of a recipient stays. Settles them by the health
   * of their origins (`settle`). Detaches a `dead` device, unless it has moved to another user or was attached again since; it can be restored then
   * (G5). A `held` device is sent to after {@link Deliveries.releaseDeferred}, or at the end of the notification's life, and its attempt does not
   * count. `last` closes the batch. The notification is finished when all recipients have an outcome. Durable when it succeeds.
   */
  record(
    claim: Claim,
    results: ReadonlyArray<DeliveryResult>,
    at: RecordingTime,
  ): TaskEither<ClaimLost | Unavailable, Recorded>
  /**
   * Makes a bounded number of deferred devices due: of an origin that is open up to its `room`, mixed by their numbers; of an origin
   * whose next probe is due the one of them that `fraction` picks, which alone may be sent to then. Returns their number; 0 when there are no more.
   */
  releaseDeferred(request: ReleaseRequest): TaskEither<Unavailable, number>
  /**
   * Ends a batch whose results cannot be recorded (G10): its recipients without an outcome or a planned retry
   * count as failed, without an outcome of their own in the ledger. It is never claimed again. Touches as little as possible, so
   * that it succeeds where {@link Deliveries.record} throws. Gives how many recipients that were.
   */
  setAside(claim: Claim, now: Instant): TaskEither<ClaimLost | Unavailable, number>
  /** Releases a claim early, so that others need not wait for the end of the lease. A lost claim is no error. */
  releaseClaim(claim: Claim): TaskEither<Unavailable, void>
  /** What there is left to do. */
  backlog(): TaskEither<Unavailable, Backlog>
  /** When there is something to send next, at a cost that does not grow with how much waits. */
  upcoming(): TaskEither<Unavailable, Upcoming>
  /** What waits to be sent, at a cost that does not grow with how much that is. */
  queue(now: Instant): TaskEither<Unavailable, SendingQueue>
}

/** The stored health of the push providers and their origins. It changes as results are recorded. */
export interface Providers {
  /** Returns the state of each of `PROVIDERS`, and of others that have answered (`statesOf`). */
  states(now: Instant): TaskEither<Unavailable, ReadonlyArray<ProviderState>>
  /**
   * Pauses a provider on all processes until it is resumed (`pausedHealth`): each asks before it sends. A provider that waits for an operator
   * already stays as it is, without a record.
   * @returns the pause in force
   */
  pause(provider: Provider, now: Instant, act?: TimedAct): TaskEither<Unavailable, Pause>
  /**
   * Ends the pauses of a provider and of all its origins, and forgets the responses that led to them (G15). The next reviews send to the deferred
   * devices. Resuming a provider without a pause has the same effect; it leaves a record only if it changes the override.
   * @param at.overrideUntil until when its reports of unregistered devices are accepted, however many they are
   * @returns the pauses that it ended, the provider's first
   */
  resume(
    provider: Provider,
    at: { readonly now: Instant; readonly overrideUntil: O.Option<Instant> },
    act?: TimedAct,
  ): TaskEither<Unavailable, ReadonlyArray<Pause>>
}

/** Carries pushes to devices, by one provider or by several. */
export interface PushGateway extends PayloadLimits {
  /** The providers that it sends by; all of the deployment when absent. */
  readonly providers?: ReadonlySet<Provider>
  /** Fingerprints of the credentials that it sends with, which do not reveal them: acceptances count for the same ones only (G15). */
  readonly credentials?: SenderCredentials
  /**
   * Sends one push, and gives what came of it within `ANSWER_WITHIN`. Never rejects: what goes wrong on the way is a result
   * too. How many it is asked for at once is for the caller to bound.
   */
  send(push: Push): Task<PushResult>
}

/**
 * The notifications that were meant for people (`meantFor`), and which of them they have seen (F7). An inbox has no rows of its entries: it follows
 * from the notifications that a review has started, and from what the person preferred in each epoch.
 */
export interface Inbox {
  /** The entries of a query that lie in the window, in order (`inboxCursor`); as lists of items otherwise (C11, C12). @param isCounted J5 */
  list(
    query: InboxQuery,
    window: PageRequest<InboxCursor>,
    isCounted?: boolean,
  ): TaskEither<Unavailable, ResultSet<InboxEntry, InboxCursor>>
  /**
   * Marks an entry of the query as seen, and gives the moment of its first mark, which later ones keep. Leaves no record (K1).
   * NotificationNotFound if the query has no such entry. NoActingUser if the reader depends on a binding that has ended (L1), which comes first.
   */
  markSeen(
    query: InboxQuery,
    mark: SeenMark,
    reader?: InboxReader,
  ): TaskEither<NoActingUser | NotificationNotFound | Unavailable, Instant>
  /** Counts the marks of a notification (G7). */
  countSeen(id: NotificationId): TaskEither<Unavailable, number>
  /**
   * Deletes a bounded number of former preferences that no notification needs which was started after this moment. Returns their number; 0 when
   * there are no more.
   */
  purgePreferences(startedBy: Instant): TaskEither<Unavailable, number>
}

/** Returns the earliest end of the stored rows; none without rows. */
export interface OldestEnded {
  /** Of the notifications whose per-device rows are stored. */
  readonly deliveryRows: Option<Instant>
  /** Of the notifications. */
  readonly notification: Option<Instant>
}

/** Deletes expired rows of ended notifications (G8). Each call deletes a bounded number; call again until it returns 0. */
export interface Retention {
  /**
   * Deletes per-device rows of a notification that ended at this moment or before: outcomes, recipient snapshots, retries and
   * batches. Its totals stay. Claims on it are lost.
   * @returns how many rows were deleted, at most a few thousand; 0 when there are none left
   */
  purgeDeliveries(endedBy: Instant): TaskEither<Unavailable, number>
  /**
   * Deletes notifications that ended at this moment or before, as {@link Notifications.remove} does.
   * @returns how many, at most some hundreds; 0 when there are none left
   */
  purgeNotifications(endedBy: Instant): TaskEither<Unavailable, number>
  /** Gives the ages that tell whether the two others keep up. */
  oldestEnded(): TaskEither<Unavailable, OldestEnded>
}
