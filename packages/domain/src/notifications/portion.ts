import type * as O from 'fp-ts/lib/Option.js'
import type { DeviceKind } from '../people/destination.ts'
import type { DeviceId } from '../people/device.ts'
import type { DeviceToken } from '../people/device-token.ts'
import type { Email } from '../values/email.ts'
import type { NotificationId } from '../values/ids.ts'
import type { Instant } from '../values/instant.ts'
import type { Outcome } from './delivery.ts'
import type { Notification } from './notification.ts'

/** A device as it was fixed when its notification was taken up (G4). */
export interface Recipient {
  readonly deviceId: DeviceId
  /** The user who held it then. */
  readonly email: Email
  /** Sends so far. */
  readonly attempts: number
}

/** The name of a claimable part of a notification's recipients. */
export interface PortionId {
  readonly notificationId: NotificationId
  readonly number: number
}

/** A claim on a portion: worth something only as long as nobody has claimed it with a greater `fence`. */
export interface Claim extends PortionId {
  readonly fence: number
}

/** Recipients whose turn has not ended, claimed to be served by one process. */
export interface Portion {
  readonly claim: Claim
  readonly notification: Notification
  /** The end of the notification's life. */
  readonly endsAt: Instant
  readonly recipients: ReadonlyArray<Recipient>
}

/** A recipient's device that is still there, still that user's, and whose user is still subscribed (G4). */
export interface Reachable {
  readonly token: DeviceToken
  readonly kind: DeviceKind
  readonly attachedAt: Instant
}

/** How a recipient's turn went. */
export type Turn = { readonly deviceId: DeviceId } & (
  | { readonly kind: 'ended'; readonly outcome: Exclude<Outcome, 'dead'> }
  /** The device, as it was attached at that time, is no more. */
  | { readonly kind: 'dead'; readonly attachedAt: Instant }
  /** It was sent to in vain, and its turn comes again. */
  | { readonly kind: 'again'; readonly at: Instant }
)

/** How a turn has ended for good; undefined when it comes again. */
export const outcomeOf = (turn: Turn): Outcome | undefined => {
  if (turn.kind === 'again') return undefined
  return turn.kind === 'dead' ? 'dead' : turn.outcome
}

/** What a review may claim. */
export interface ClaimRequest {
  readonly now: Instant
  /** The most recipients of a portion. */
  readonly most: number
  /** Portions that this process serves already, whatever a clock says of their lease. */
  readonly except: ReadonlyArray<PortionId>
}

/** The claim is worth nothing any more: somebody else has claimed the portion since, or the notification was deleted. */
export interface ClaimLost {
  readonly _tag: 'ClaimLost'
}

export const CLAIM_LOST: ClaimLost = { _tag: 'ClaimLost' }

/** What there is left to do, for whoever waits for it. */
export interface Backlog {
  /** Notifications that are being sent. */
  readonly sending: number
  /** Portions that some process has claimed. */
  readonly claimed: number
  /** When the next retry is due. */
  readonly nextRetry: O.Option<Instant>
}
