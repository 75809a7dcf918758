import type * as O from 'fp-ts/lib/Option.js'
import type { DeviceKind, Provider } from '../people/destination.ts'
import type { DeviceId } from '../people/device.ts'
import type { DeviceToken } from '../people/device-token.ts'
import type { Email } from '../values/email.ts'
import type { NotificationId } from '../values/ids.ts'
import type { Instant } from '../values/instant.ts'
import type { Outcome } from './delivery.ts'
import type { Notification } from './notification.ts'
import type { Pause } from './pause.ts'

/** A device as it was fixed when its notification was taken up (G4). */
export interface Recipient {
  readonly deviceId: DeviceId
  /** The user who held it then. */
  readonly email: Email
  /** Sends so far. */
  readonly attempts: number
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
  /** Providers that nothing is to be sent by (G5). */
  readonly paused: ReadonlySet<Provider>
}

/** The result of one attempt to reach a recipient. */
export type DeliveryResult = {
  readonly deviceId: DeviceId
} /** No provider was asked, or none responded in time. */ & (
  | { readonly kind: 'notSent'; readonly outcome: 'failed' | 'skipped' }
  /** The provider took the push, or will never take it. */
  | { readonly kind: 'responded'; readonly provider: Provider; readonly outcome: 'delivered' | 'failed' }
  /** The provider says that the device, as it was attached at that time, is no more. */
  | { readonly kind: 'unregistered'; readonly provider: Provider; readonly attachedAt: Instant }
  /** A retry may succeed; it is due at this time. */
  | { readonly kind: 'retry'; readonly at: Instant }
  /** It waits for a provider that is paused, or, with its reason, for one that has just refused us. It does not count as sent to. */
  | { readonly kind: 'deferred'; readonly provider: Provider; readonly fault: O.Option<string> }
)

/** Returns the outcome that a result records; undefined if the recipient is tried again. */
export const outcomeOf = (result: DeliveryResult): Outcome | undefined => {
  switch (result.kind) {
    case 'notSent':
    case 'responded':
      return result.outcome
    case 'unregistered':
      return 'dead'
    case 'retry':
    case 'deferred':
      return undefined
  }
}

/** The effect of recording results. */
export interface Recorded {
  /** The results as recorded: dead tokens of a paused provider are deferred. */
  readonly results: ReadonlyArray<DeliveryResult>
  /** Providers that these results have paused. */
  readonly paused: ReadonlyArray<Pause>
}

/** What a review may claim. */
export interface ClaimRequest {
  readonly now: Instant
  /** The most recipients of a batch. */
  readonly most: number
  /** Batches that this process is sending, regardless of their leases. */
  readonly except: ReadonlyArray<BatchId>
}

/** Asks for deferred devices to be released. */
export interface ReleaseRequest {
  readonly now: Instant
  /** The providers that this process sends by: others are left to a process that has them. */
  readonly by: ReadonlyArray<Provider>
  /** The most devices that are released for a provider that has accepted no push since its pause. */
  readonly first: number
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
