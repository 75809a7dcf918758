import { type ClaimRequest, isHeld, leaseFrom } from '@almoner/domain/delivery'
import { type Instant, isFarAhead, type NotificationId } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { type Fixed, openIn, type Sending } from './sending.ts'

/** Recipients that may be claimed together. */
export interface Candidate {
  readonly id: NotificationId
  readonly sending: Sending
  /** The existing batch of the recipients; none for a new batch. */
  readonly batch: O.Option<number>
  readonly recipients: ReadonlyArray<Fixed>
}

type Candidates = (id: NotificationId, sending: Sending, request: ClaimRequest) => ReadonlyArray<Candidate>

/** Unclaimed batches with remaining recipients. */
const abandoned: Candidates = (id, sending, { now, most, except, isAbandoned }) =>
  sending.batches.flatMap(({ until, fence }, number) => {
    const isServed = except.some((one) => one.notificationId === id && one.number === number)
    const isLeft = O.isNone(until) || isAbandoned({ notificationId: id, number, fence, until: until.value })
    const isFree = !isServed && isLeft && !isHeld(until, now)
    const recipients = isFree ? openIn(sending, number).slice(0, most) : []
    return recipients.length === 0 ? [] : [{ id, sending, batch: O.some(number), recipients }]
  })

const isRetryDue = ({ at, planned }: { readonly at: Instant; readonly planned: Instant }, now: Instant) =>
  at <= now || isFarAhead(planned, now)

/** The due retries, longest wait first. */
const retries: Candidates = (id, sending, { now, most }) => {
  const due = sending.recipients
    .flatMap((recipient) => {
      const { standing } = recipient
      const isRetry = standing.kind === 'waiting' || standing.kind === 'held'
      return isRetry && isRetryDue(standing, now) ? [{ at: standing.at, recipient }] : []
    })
    .sort((a, b) => a.at - b.at)
    .slice(0, most)
    .map(({ recipient }) => recipient)
  return due.length === 0 ? [] : [{ id, sending, batch: O.none, recipients: due }]
}

/** The next unclaimed recipients. */
const untouched: Candidates = (id, sending, { most }) => {
  const next = sending.recipients.filter(({ standing }) => standing.kind === 'open').slice(0, most)
  return next.length === 0 ? [] : [{ id, sending, batch: O.none, recipients: next }]
}

/** Returns recipients of the notification that has waited longest, if there are any. */
export const candidateFor = (
  sendings: Iterable<readonly [NotificationId, Sending]>,
  request: ClaimRequest,
): Candidate | undefined => {
  const all = [...sendings]
  const fresh = request.first === 'retries' ? [retries, untouched] : [untouched, retries]
  const first = [abandoned, ...fresh]
    .map((candidates) => all.flatMap(([id, sending]) => candidates(id, sending, request)))
    .find((found) => found.length > 0)
  return first?.sort((a, b) => a.sending.claimedAs - b.sending.claimedAs)[0]
}

/** Puts recipients into a batch of this claim. Returns its number and fence. */
export const hold = ({ sending, batch, recipients }: Candidate, now: Instant) => {
  const number = O.isSome(batch) ? batch.value : sending.batches.length
  const held = sending.batches[number] ?? { fence: 0, until: O.none }
  held.fence += 1
  held.until = O.some(leaseFrom(now))
  sending.batches[number] = held
  for (const recipient of recipients) recipient.standing = { kind: 'claimed', batch: number }
  return { number, fence: held.fence }
}
