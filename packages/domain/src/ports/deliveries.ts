import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
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
} from '../notifications/batch.ts'
import type { SendingQueue } from '../notifications/sending-queue.ts'
import type { Upcoming } from '../notifications/upcoming.ts'
import type { NotificationId } from '../values/ids.ts'
import type { Unavailable } from '../values/ports.ts'
import type { Instant } from '../values/time.ts'

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
