import type { Email, Instant } from '@almoner/domain'
import type { Origin } from '@almoner/domain/delivery'
import type { Outcome, Shortened } from '@almoner/domain/notifications'
import type { DeviceId } from '@almoner/domain/people'
import type { LabelId, Language, NotificationId } from '@almoner/domain/values'
import type { Generated, GeneratedAlways } from 'kysely'
import type { Flag } from './columns.ts'

/**
 * The delivery of a started notification: `sending` until it is finished, or until its notification is deleted and the reference removed.
 * {@link RecipientSnapshotRow} defines its recipients. Up to `claimed_upto` they are in batches, wait for a retry or have an outcome;
 * `last_device` is the last one.
 */
export interface DeliveryRow {
  readonly id: GeneratedAlways<number>
  readonly notification_id: NotificationId | null
  readonly sending: Flag
  readonly lang: Language
  /** The topic that its recipients follow, or everything (G12). */
  readonly label_id: LabelId | null
  readonly epoch: number
  readonly started_at: Instant
  readonly ends_at: Instant
  /** From when its life counts while its start lies in the future (I9). */
  readonly counted_from: Instant | null
  readonly finished_at: Instant | null
  readonly recipients: number
  readonly delivered: number
  readonly failed: number
  readonly dead: number
  readonly skipped: number
  readonly last_device: DeviceId
  readonly claimed_upto: DeviceId
  readonly next_batch: number
  /** Grows with each claim on any delivery: the lowest is claimed next. */
  readonly last_turn: number
  /** Whether rows of its devices are stored, from being taken up until some time after its end (G8). */
  readonly has_rows: Flag
  /** What was left out of the message because its item has grown since (G6). */
  readonly shortened: Generated<Shortened>
}

/**
 * A batch of a delivery: recipients in a range of devices, excluding its lower bound; or, without a range, retries. `remaining` of its recipients
 * have no outcome. A closed batch has none; its row stays to recognize its claim, which may repeat a record.
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

/** A recipient that was sent to in vain, or waits for its origin; `batch` is null while it waits. */
export interface RetryRow {
  readonly delivery_id: number
  readonly device_id: DeviceId
  readonly email: Email
  readonly attempts: number
  readonly due_at: Instant
  /** When that was decided; null in a row of an unreleased state. */
  readonly planned_at: Instant | null
  readonly batch: number | null
  /** The origin that has to accept pushes first. */
  readonly held_for: Origin | null
  /** How often its provider refused us for it while it accepted pushes to others (G15). */
  readonly refusals: Generated<number>
}

/**
 * The health of an origin (G5, G15): the responses of two samples, its pause, pushes in a row without an answer or refused because of the sender, and
 * the last accepted one. `probes` is 0 unless it is probed. The override is the provider's, in the row with its name.
 */
export interface ProviderRow {
  readonly name: Origin
  readonly answers: number
  readonly dead: number
  readonly answers_before: number
  readonly dead_before: number
  readonly paused_since: Instant | null
  readonly pause_reason: string | null
  readonly paused_until: Instant | null
  /** When `paused_until` was decided; null in a row of an unreleased state. */
  readonly planned_at: Instant | null
  readonly override_until: Instant | null
  readonly override_since: Instant | null
  readonly unanswered: Generated<number>
  readonly refusals: Generated<number>
  readonly backoffs: Generated<number>
  readonly probes: Generated<number>
  readonly probe_at: Instant | null
  readonly probe_delivery: number | null
  readonly probe_device: DeviceId | null
  readonly accepted_at: Instant | null
  readonly accepted_with: string | null
}

/** The final outcome of a recipient (G5). */
interface LedgerRow {
  readonly delivery_id: number
  readonly device_id: DeviceId
  readonly outcome: Outcome
  readonly at: Instant
}

/**
 * The snapshot of a recipient that has changed since the start (G4). The other recipients are the subscribed devices of the delivery's language
 * whose epoch is not greater than the delivery's.
 */
interface RecipientSnapshotRow {
  readonly delivery_id: number
  readonly device_id: DeviceId
  readonly email: Email
}

/** When a person first saw a notification. The mark goes with the notification (F7, G8). */
interface SeenMarkRow {
  readonly delivery_id: number
  readonly email: Email
  readonly seen_at: Instant
}

/** The tables of sending. */
export interface DeliveryTables {
  readonly delivery: DeliveryRow
  readonly batch: BatchRow
  readonly retry: RetryRow
  readonly ledger: LedgerRow
  readonly recipient_snapshot: RecipientSnapshotRow
  readonly seen_mark: SeenMarkRow
  readonly provider: ProviderRow
}
