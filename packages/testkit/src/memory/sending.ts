import type { Origin } from '@almoner/domain/delivery'
import type { Outcome, Progress, Shortened, Tally } from '@almoner/domain/notifications'
import type { DeviceId } from '@almoner/domain/people'
import type { Email, Instant } from '@almoner/domain/values'
import type * as O from 'fp-ts/lib/Option.js'

/** The state of a recipient. */
export type Standing =
  /** Not claimed yet. */
  | { readonly kind: 'open' }
  /** In a batch. */
  | { readonly kind: 'claimed'; readonly batch: number }
  /** Waits for a retry. */
  | { readonly kind: 'waiting'; readonly at: Instant; readonly planned: Instant }
  /** Deferred while its origin is closed, until the end of the notification's life at most. */
  | { readonly kind: 'held'; readonly origin: Origin; readonly at: Instant; readonly planned: Instant }
  | { readonly kind: 'ended'; readonly outcome: Outcome; readonly at: Instant }

/** A recipient, copied from its device when the notification started (G4). */
export interface Fixed {
  readonly deviceId: DeviceId
  readonly email: Email
  attempts: number
  refusals: number
  standing: Standing
}

/** A batch; each recipient has the number of its batch. */
export interface ClaimableBatch {
  fence: number
  /** End of the lease; none after a release. */
  until: O.Option<Instant>
}

/** The delivery of a notification that was started. */
export interface Sending {
  readonly startedAt: Instant
  readonly endsAt: Instant
  /** From when its life counts while its start lies in the future (I9). */
  countedFrom: O.Option<Instant>
  /** In the order of their devices. */
  readonly recipients: ReadonlyArray<Fixed>
  /** By number, from 0. */
  readonly batches: Array<ClaimableBatch>
  /** The claim counter at its last claim: the notification with the lowest value is claimed next. */
  claimedAs: number
  finishedAt: O.Option<Instant>
  /** What was left out of its message (G6). */
  shortened: Shortened
  /** The progress at the time when its recipients were deleted (G8). */
  readonly summary?: Progress
  /** The outcomes of recipients that were erased (L1). */
  readonly erased: Tally
}

/** The recipients of a batch without an outcome or a planned retry. */
export const openIn = ({ recipients }: Sending, batch: number): ReadonlyArray<Fixed> =>
  recipients.filter(({ standing }) => standing.kind === 'claimed' && standing.batch === batch)

/** Counts the progress of a delivery from its recipients. */
export const progressOf = ({
  recipients,
  startedAt,
  finishedAt,
  summary,
  erased,
  shortened,
}: Sending): Progress => {
  if (summary !== undefined) return summary
  const tally = { ...erased }
  for (const { standing } of recipients) if (standing.kind === 'ended') tally[standing.outcome] += 1
  const gone = Object.values(erased).reduce((sum, count) => sum + count, 0)
  return { recipients: recipients.length + gone, tally, startedAt, finishedAt, shortened }
}
