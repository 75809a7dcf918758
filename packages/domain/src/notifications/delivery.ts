import * as O from 'fp-ts/lib/Option.js'
import type { NotificationId } from '../values/ids.ts'
import type { Instant } from '../values/time.ts'

/** The final outcome of a device, as the ledger holds it (G5). */
export const OUTCOMES = ['delivered', 'failed', 'dead', 'skipped'] as const
/** One of {@link OUTCOMES}. */
export type Outcome = (typeof OUTCOMES)[number]

/** How many devices ended each way. */
export type Tally = Readonly<Record<Outcome, number>>

/** The tally before the first device. */
export const NO_OUTCOMES: Tally = { delivered: 0, failed: 0, dead: 0, skipped: 0 }

/** What a notification goes through, from being written down to its end (G5, G7). */
export const DELIVERY_STATES = ['unscheduled', 'scheduled', 'sending', 'sent', 'partial', 'failed'] as const
/** One of {@link DELIVERY_STATES}. */
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** The parts that are left out of a message that its item has made too long since it was created: its image, or its links too (G6). */
export const SHORTENED = ['', 'image', 'links'] as const
/** One of {@link SHORTENED}. */
export type Shortened = (typeof SHORTENED)[number]

/** How far a notification has come since a review took it up. */
export interface Progress {
  /** The devices that were fixed then (G4). */
  readonly recipients: number
  readonly tally: Tally
  readonly startedAt: Instant
  readonly finishedAt: O.Option<Instant>
  readonly shortened: Shortened
}

/** The delivery report of a notification (G7). */
export interface Delivery {
  readonly notificationId: NotificationId
  readonly state: DeliveryState
  readonly recipients: number
  readonly pending: number
  readonly tally: Tally
  readonly startedAt: O.Option<Instant>
  readonly finishedAt: O.Option<Instant>
  readonly shortened: Shortened
}

/** The end of a notification: dead and skipped devices, or no recipient at all, do not keep it from being sent (G7). */
export const finalState = ({ delivered, failed }: Tally): DeliveryState => {
  if (failed === 0) return 'sent'
  return delivered > 0 ? 'partial' : 'failed'
}

/** Returns the number of devices without an outcome. */
const pendingOf = ({ recipients, tally }: Pick<Progress, 'recipients' | 'tally'>): number =>
  recipients - OUTCOMES.reduce((sum, outcome) => sum + tally[outcome], 0)

/** Whether every recipient has an outcome. */
export const isSettled = (progress: Pick<Progress, 'recipients' | 'tally'>): boolean =>
  pendingOf(progress) === 0

const stateOf = (date: O.Option<Instant>, progress: O.Option<Progress>): DeliveryState => {
  if (O.isNone(progress)) return O.isNone(date) ? 'unscheduled' : 'scheduled'
  return O.isNone(progress.value.finishedAt) ? 'sending' : finalState(progress.value.tally)
}

/** The report of a notification (G5, G7). */
export const deliveryOf = (
  { id, date }: { readonly id: NotificationId; readonly date: O.Option<Instant> },
  progress: O.Option<Progress>,
): Delivery => ({
  notificationId: id,
  state: stateOf(date, progress),
  recipients: O.isSome(progress) ? progress.value.recipients : 0,
  pending: O.isSome(progress) ? pendingOf(progress.value) : 0,
  tally: O.isSome(progress) ? progress.value.tally : NO_OUTCOMES,
  startedAt: O.map(({ startedAt }: Progress) => startedAt)(progress),
  finishedAt: O.flatMap(({ finishedAt }: Progress) => finishedAt)(progress),
  shortened: O.isSome(progress) ? progress.value.shortened : '',
})
