import type * as O from 'fp-ts/lib/Option.js'
import type { DeviceKind, DeviceToken, Provider } from '../people/destinations.ts'
import type { DeviceId } from '../people/model.ts'
import type { Email } from '../values/addresses.ts'
import type { NotificationId } from '../values/ids.ts'
import type { Instant } from '../values/time.ts'
import type { Notification, Outcome, Shortened } from './model.ts'
import type { Origin } from './origin.ts'
import type { Pause } from './pause.ts'

/** A device as it was fixed when its notification was taken up (G4). */
export interface Recipient {
  readonly deviceId: DeviceId
  /** The user who held it then. */
  readonly email: Email
  /** Sends so far. */
  readonly attempts: number
  /** How often its provider refused us for it while it accepted others. */
  readonly refusals: number
}

/** The name of a claimable part of a notification's recipients. */
export interface BatchId {
  readonly notificationId: NotificationId
  readonly number: number
}

/** A claim on a batch. It is valid until another claim has a greater `fence`. */
export interface Claim extends BatchId {
  readonly fence: number
}

/** Recipients without an outcome, claimed by one process. */
export interface Batch {
  readonly claim: Claim
  readonly notification: Notification
  /** The end of the notification's life. */
  readonly endsAt: Instant
  readonly recipients: ReadonlyArray<Recipient>
}

/** A recipient's device that is still there, still that user's, and whose user is still subscribed (G4). */
export interface EligibleDevice {
  readonly token: DeviceToken
  readonly kind: DeviceKind
  readonly attachedAt: Instant
}

/** What there is to send to, of some recipients, at this moment. */
export interface Eligibility {
  readonly devices: ReadonlyMap<DeviceId, EligibleDevice>
  /** The origins with a pause in force; the name of a provider stands for its first server and, if `stopped`, for all of them (G5, G15). */
  readonly closed: ReadonlyMap<Origin, ClosedOrigin>
}

/** An origin that nothing is to be sent to. */
export interface ClosedOrigin {
  readonly kind: Pause['kind']
  /** The device of this notification that is sent to all the same, as a probe. */
  readonly probe: O.Option<DeviceId>
}

/**
 * Why a push is tried again: its device, or the answer about it, may be another one later; there was no answer; the origin refuses the sender; or it
 * accepts the sender, but lacks our credentials for the service behind it.
 */
export type RetryCause = 'device' | 'silence' | 'sender' | 'partner'

/** The result of one attempt to reach a recipient. */
export type DeliveryResult = {
  readonly deviceId: DeviceId
} /** No provider was asked. */ & (
  | { readonly kind: 'notSent'; readonly outcome: 'failed' | 'skipped' }
  /** The provider took the push, or will never take it. */
  | { readonly kind: 'responded'; readonly origin: Origin; readonly outcome: 'delivered' | 'failed' }
  /** The provider says that the device, as it was attached at that time, is no more. */
  | { readonly kind: 'unregistered'; readonly origin: Origin; readonly attachedAt: Instant }
  /** A retry may succeed. It is due at this time; none if there is no time left for one. */
  | {
      readonly kind: 'retry'
      readonly origin: Origin
      readonly cause: RetryCause
      readonly reason: string
      readonly at: O.Option<Instant>
    }
  /** The origin asks us to wait, for this number of milliseconds if it names one. */
  | {
      readonly kind: 'heldBack'
      readonly origin: Origin
      readonly after: O.Option<number>
      readonly reason: string
    }
  /** It waits for its origin, and was not sent. */
  | { readonly kind: 'deferred'; readonly origin: Origin }
)

/** The effect of a result on its recipient. */
export type Settled = { readonly deviceId: DeviceId } & (
  | { readonly kind: 'ended'; readonly outcome: Outcome }
  /** It is tried again at this time. `isStrike`: its provider refused us for it, and accepts others. */
  | { readonly kind: 'waiting'; readonly at: Instant; readonly isStrike: boolean }
  /** It waits for its origin, which is no attempt. */
  | { readonly kind: 'held'; readonly origin: Origin; readonly isStrike: boolean }
)

/** The effect of recording results. */
export interface Recorded {
  readonly results: ReadonlyArray<Settled>
  /** Origins that these results have stopped, or that are probed from now on. */
  readonly paused: ReadonlyArray<Pause>
}

/** What goes with results when they are recorded. */
export interface RecordingTime {
  readonly now: Instant
  /** Whether the batch is done. */
  readonly last: boolean
  /** Fingerprints of the credentials that the pushes were sent with; an empty text stands for those of a provider without any. */
  readonly credentials: SenderCredentials
  /** What was left out of the message (G6). */
  readonly shortened?: Shortened
}

/** Fingerprints of credentials by provider. */
export type SenderCredentials = Readonly<Partial<Record<Provider, string>>>

/** A lease on a batch, as it is stored: each renewal gives it another end. */
export interface Lease extends Claim {
  readonly until: Instant
}

/** What a review may claim. */
export interface ClaimRequest {
  readonly now: Instant
  /** The most recipients of a batch. */
  readonly most: number
  /** The kind that is claimed first, if there are both. */
  readonly first: 'retries' | 'new recipients'
  /** Batches that this process is sending, regardless of their leases. */
  readonly except: ReadonlyArray<BatchId>
  /** Returns whether a lease was not renewed for its length, by the clock of this process that is never set. Its end has come by `now` (I9). */
  readonly isAbandoned: (lease: Lease) => boolean
}

/** Asks for devices to be released that wait for their origin. */
export interface ReleaseRequest {
  readonly now: Instant
  /** The providers that this process sends by: others are left to a process that has them. */
  readonly by: ReadonlyArray<Provider>
  /** Returns how many more devices of an origin this process can take now. */
  readonly room: (origin: Origin) => number
  /** From 0 to below 1: which of the waiting devices a probe is sent to. */
  readonly fraction: number
}

/** The claim is no longer valid: another process has claimed the batch, or the notification was deleted. */
export interface ClaimLost {
  readonly _tag: 'ClaimLost'
}

/** The one {@link ClaimLost}. */
export const CLAIM_LOST: ClaimLost = { _tag: 'ClaimLost' }

/** The remaining work of a review. */
export interface Backlog {
  /** Notifications that are being sent. */
  readonly sending: number
  /** Batches that some process has claimed. */
  readonly claimed: number
  /** Time of the next retry. Deferred devices have none. */
  readonly nextRetry: O.Option<Instant>
}
