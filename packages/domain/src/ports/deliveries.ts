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
  ReleaseRequest,
} from '../notifications/batch.ts'
import type { SendingQueue } from '../notifications/sending-queue.ts'
import type { Upcoming } from '../notifications/upcoming.ts'
import type { NotificationId } from '../values/ids.ts'
import type { Instant } from '../values/instant.ts'
import type { Unavailable } from './unavailable.ts'

/**
 * The work of sending, shared by every process on the same store. The ledger that stands behind it keeps each outcome once, by
 * notification and device.
 */
export interface Deliveries {
  /**
   * Takes up every notification that is due ({@link isDue}) and has not been: fixes its recipients, the devices of the language's
   * subscribed readers at this moment, and its end ({@link endOfLife}, `life` in milliseconds). Each is taken up once, by one
   * process. One without recipients is finished at once. Gives which were taken up.
   */
  start(now: Instant, life: number): TaskEither<Unavailable, ReadonlyArray<NotificationId>>
  /**
   * Claims a batch, with a lease of {@link LEASE}: one whose lease is not held ({@link isHeld}), with a greater fence; else
   * retries that are due; else the next recipients that nobody has claimed yet. Notifications take turns. Recipients come in the
   * order of their devices, those alone whose turn has not ended and who do not wait for a retry. None when there is nothing to claim.
   */
  claim(request: ClaimRequest): TaskEither<Unavailable, Option<Batch>>
  /** Which of these recipients of a batch can still be sent to, and by which providers nothing is to be sent now. */
  checkEligibility(
    claim: Claim,
    recipients: ReadonlyArray<Recipient>,
    now: Instant,
  ): TaskEither<ClaimLost | Unavailable, Eligibility>
  /**
   * Writes into the ledger how turns went and renews the lease, in one transaction. A recipient whose outcome is there already
   * keeps it. The health of the providers that answered changes as {@link updateHealth} says; what a paused one calls dead is held
   * ({@link deferUnregistered}). A `dead` device is detached, unless it has moved to another user or was attached again since, and can be
   * restored from then on (G5). A `held` turn comes when {@link Deliveries.release} says so, or at the end of the notification's
   * life, and its recipient has not been sent to once more. With `last`, the batch is done. The notification is finished when all
   * its turns have ended. Durable when it succeeds.
   */
  record(
    claim: Claim,
    results: ReadonlyArray<DeliveryResult>,
    at: { readonly now: Instant; readonly last: boolean },
  ): TaskEither<ClaimLost | Unavailable, Recorded>
  /**
   * Lets turns come now that were held for providers that are not paused any more, as many as one call takes: a bounded number, and of a
   * provider that {@link isUntried} at most `first`. Gives how many: when none, there are no more.
   */
  release(request: ReleaseRequest): TaskEither<Unavailable, number>
  /**
   * Ends a batch whose results cannot be recorded (G10): its recipients whose turn has not ended and who do not wait for a retry
   * count as failed, without an outcome of their own in the ledger. It is never claimed again. Touches as little as possible, so
   * that it succeeds where {@link Deliveries.record} throws. Gives how many recipients that were.
   */
  setAside(claim: Claim, now: Instant): TaskEither<ClaimLost | Unavailable, number>
  /** Lets go of a claim before its time, so that others need not wait for the lease to end. A lost claim is no fault. */
  letGo(claim: Claim): TaskEither<Unavailable, void>
  /** What there is left to do. */
  backlog(): TaskEither<Unavailable, Backlog>
  /** When there is something to send next, at a cost that does not grow with how much waits. */
  upcoming(): TaskEither<Unavailable, Upcoming>
  /** What waits to be sent, at a cost that does not grow with how much that is. */
  queue(now: Instant): TaskEither<Unavailable, SendingQueue>
}
