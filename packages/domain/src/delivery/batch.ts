import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import type { Notification, Outcome, Shortened } from '../notifications/model.ts'
import type { DeviceKind, DeviceToken, Provider } from '../people/destinations.ts'
import type { DeviceId } from '../people/model.ts'
import type { Email } from '../values/addresses.ts'
import type { NotificationId } from '../values/ids.ts'
import { addMillis, type Instant, MINUTE, SECOND } from '../values/time.ts'
import type { Origin, Pause } from './origins.ts'

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

/** How long a claimed batch stays with its claimer after each thing that it recorded, in milliseconds. */
export const LEASE = 30 * SECOND

/** A gateway answers for a device within this time, in milliseconds: well within the lease, and soon enough for a process that stops. */
export const ANSWER_WITHIN = 8 * SECOND

/** When a lease that is taken or renewed now ends (G5). */
export const leaseFrom = (now: Instant): Instant => addMillis(now, LEASE)

/** How far clocks of processes, and the moment at which one was asked, may lie apart, in milliseconds. */
const TOLERANCE = 30 * SECOND

/** A lease that ends after this was given by a clock that has since been set back. */
export const latestLease = (now: Instant): Instant => addMillis(now, LEASE + TOLERANCE)

/**
 * Whether a lease still excludes other claims. A lease with an impossible end is ignored, so that a wrong clock cannot block a batch.
 */
export const isHeld = (until: O.Option<Instant>, now: Instant): boolean =>
  O.isSome(until) && now < until.value && until.value <= latestLease(now)

/** What scatters devices: a factor, and a prime number of milliseconds. Neighbouring numbers come apart. */
export const SCATTER = { factor: 7919, spread: 10_007 }

/**
 * Returns how much earlier a released device is due, in milliseconds: devices of one origin are mixed and not sent to by number, so that those of one
 * kind do not come in a row (G15). Stores do the same in SQL.
 */
export const scatter = (deviceId: DeviceId): number => (deviceId * SCATTER.factor) % SCATTER.spread

const DAY = 24 * 60 * MINUTE

/** Returns the moment before which ended notifications are deleted, `days` after their end (G8). */
export const endOfRetention = (now: Instant, days: number): Instant => addMillis(now, -days * DAY)

/** Days by which deletion may be late, because it runs every hour and a server may be off for a night. */
const GRACE_DAYS = 1

/** Whether something that ended then should have been deleted by now (G8). */
export const isOverdue = (endedAt: Instant, now: Instant, days: number): boolean =>
  endedAt < endOfRetention(now, days + GRACE_DAYS)

/** Retries that are counted at most, so that asking costs little however many there are. */
export const MOST_RETRIES = 100_000

/** The delivery queue, for metrics. It is the same for all processes on one store. */
export interface SendingQueue {
  /** The date of the oldest notification that is due and that no review has taken up; none when none is late. */
  readonly dueSince: O.Option<Instant>
  /** The date of the oldest notification that is due and has not been sent to the last of its devices. */
  readonly unsentSince: O.Option<Instant>
  /** Devices without an outcome, of the notifications that are being sent. */
  readonly pending: number
  /** Those of them that wait for a retry, or for a provider that is paused: {@link MOST_RETRIES} stands for any more. */
  readonly retries: number
}

/** When there is something to send next. Each time may lie in the past. */
export interface Upcoming {
  /** The first notification that no review has taken up, by date and then by id. */
  readonly due: O.Option<{ readonly id: NotificationId; readonly date: Instant }>
  /** When the first retry is due; a device that waits for its origin has none. */
  readonly retry: O.Option<Instant>
  /** When devices may go on that wait for an origin, or one of them as a probe (G15): of several origins the first. */
  readonly origin: O.Option<{ readonly origin: Origin; readonly at: Instant }>
  /** When the first lease ends: its batch can be taken over, unless its holder renews it. */
  readonly lease: O.Option<Instant>
}

/** A retry waits so long for others that a review serves with it, in milliseconds: a review for each would cost more than it gives. */
export const RETRY_GATHERING = 5 * SECOND

/** A moment at which there is something to do. */
export interface WakeUp {
  readonly at: Instant
  /** What for: a wake-up for the same after the work was done says that the work had no effect. */
  readonly why: string
}

/** Returns the moment of the next review: that of the next due date, or a little after the next retry, or the end of a lease (G9). */
export const nextReview = ({ due, retry, origin, lease }: Upcoming): O.Option<WakeUp> => {
  const all: ReadonlyArray<O.Option<WakeUp>> = [
    O.map(({ id, date }: { readonly id: NotificationId; readonly date: Instant }) => ({
      at: date,
      why: id as string,
    }))(due),
    O.map((at: Instant) => ({ at: addMillis(at, RETRY_GATHERING), why: `retry at ${at}` }))(retry),
    O.map((one: { readonly origin: Origin; readonly at: Instant }) => ({
      at: one.at,
      why: `${one.origin} at ${one.at}`,
    }))(origin),
    O.map((at: Instant) => ({ at, why: `lease until ${at}` }))(lease),
  ]
  const [first] = all.flatMap(RA.fromOption).sort((a, b) => a.at - b.at)
  return O.fromNullable(first)
}
