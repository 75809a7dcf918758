import type { DeviceId, Email, Instant, Language, NotificationId, Outcome, Provider } from '@almoner/domain'
import type { GeneratedAlways } from 'kysely'
import type { Flag } from './columns.ts'

/**
 * The sending of a notification that was taken up: `sending` until it is finished or its notification, which it then has no more,
 * is deleted. Its recipients are those that
 * {@link RecipientSnapshotRow} tells; up to `claimed_upto` they are in batches, wait for a retry or have ended, and `last_device` is the last.
 */
export interface DeliveryRow {
  readonly id: GeneratedAlways<number>
  readonly notification_id: NotificationId | null
  readonly sending: Flag
  readonly lang: Language
  readonly epoch: number
  readonly started_at: Instant
  readonly ends_at: Instant
  readonly finished_at: Instant | null
  readonly recipients: number
  readonly delivered: number
  readonly failed: number
  readonly dead: number
  readonly skipped: number
  readonly last_device: DeviceId
  readonly claimed_upto: DeviceId
  readonly next_batch: number
  /** Grows with each claim on any delivery: the least has the next turn. */
  readonly last_turn: number
  /** Whether rows of its devices are stored, from being taken up until some time after its end (G8). */
  readonly has_rows: Flag
}

/**
 * A claimed part of a delivery: recipients in a range of devices, without its first end; or, without a range, retries. Of those
 * given to its claimer, `remaining` have not had their turn. A closed one holds nobody any more; it stays to tell its claimer, who
 * may say once more what is written already, from those before.
 */
export interface BatchRow {
  readonly delivery_id: number
  readonly number: number
  readonly after_device: DeviceId | null
  readonly upto_device: DeviceId | null
  readonly remaining: number
  readonly fence: number
  readonly lease_until: Instant | null
  readonly closed: Flag
}

/** A recipient that was sent to in vain, or waits for its provider; `batch` is null while it waits. */
export interface RetryRow {
  readonly delivery_id: number
  readonly device_id: DeviceId
  readonly email: Email
  readonly attempts: number
  readonly due_at: Instant
  readonly batch: number | null
  /** The provider whose pause has to end first. */
  readonly held_for: Provider | null
}

/** What is known of a provider (G5): the answers of two stretches, and its pause. */
export interface ProviderRow {
  readonly name: Provider
  readonly answers: number
  readonly dead: number
  readonly answers_before: number
  readonly dead_before: number
  readonly paused_since: Instant | null
  readonly pause_reason: string | null
  readonly paused_until: Instant | null
  readonly override_until: Instant | null
}

/** How a recipient's turn ended, once and for good (G5). */
export interface LedgerRow {
  readonly delivery_id: number
  readonly device_id: DeviceId
  readonly outcome: Outcome
  readonly at: Instant
}

/**
 * A recipient that is no longer what it was when it was fixed (G4). All others are told by their rows: the devices of the
 * delivery's language, subscribed, whose epoch is not greater than the delivery's.
 */
export interface RecipientSnapshotRow {
  readonly delivery_id: number
  readonly device_id: DeviceId
  readonly email: Email
}

/** The tables of sending. */
export interface DeliveryTables {
  readonly delivery: DeliveryRow
  readonly batch: BatchRow
  readonly retry: RetryRow
  readonly ledger: LedgerRow
  readonly recipient_snapshot: RecipientSnapshotRow
  readonly provider: ProviderRow
}
