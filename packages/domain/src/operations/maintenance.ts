import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { endOfRetention } from '../delivery/batch.ts'
import type { AuditQuery } from '../history/model.ts'
import type { ManagerPolicy } from '../managers/ports.ts'
import { COPY_DAYS } from '../managers/working-copy.ts'
import { oldestRetained } from '../people/model.ts'
import { DOUBT, elapsed, type Unavailable, watchSteps } from '../values/ports.ts'
import { type Instant, MINUTE } from '../values/time.ts'
import type { OperationsPorts } from './ports.ts'

/** Milliseconds from the newest record beyond which the clock of a start is doubted (I9). */
const DAY = 24 * 60 * MINUTE

const ALL: AuditQuery = { since: O.none, until: O.none, actor: O.none, action: O.none, subject: O.none }

/** Returns when the latest change was recorded; none in a store without records. */
export const newestRecord = ({
  history,
}: Pick<OperationsPorts, 'history'>): TE.TaskEither<Unavailable, O.Option<Instant>> =>
  pipe(
    history.audit(ALL, { lim: O.some(1), offset: 0, after: O.none }),
    TE.flatMap(({ batches }) => async () => {
      for await (const [newest] of batches) if (newest !== undefined) return E.right(O.some(newest.at))
      return E.right(O.none)
    }),
  )

/** Returns whether a moment is more than a day away from the newest record. */
export const isFarFrom = (newest: O.Option<Instant>, now: Instant): boolean =>
  O.isSome(newest) && Math.abs(now - newest.value) > DAY

/**
 * Makes the question whether purges are to wait, which begins with the start of a process (I9). What a clock that jumped ahead deletes is lost, so
 * nothing is purged within an hour after a step of more than a minute, or after a start more than a day away from the newest record.
 */
export const makePurgeHold = ({
  clock,
  history,
}: Pick<OperationsPorts, 'clock' | 'history'>): TE.TaskEither<Unavailable, boolean> => {
  const start = { at: clock.now(), since: elapsed(clock) }
  const stepsOf = watchSteps(clock)
  stepsOf()
  let isStartDoubted = false
  // Asked at once: what this process records later says nothing of its clock.
  let looked: Promise<E.Either<Unavailable, O.Option<Instant>>> | undefined = newestRecord({ history })()
  const lookAtStart = async (): Promise<E.Either<Unavailable, void>> => {
    if (looked === undefined) return E.right(undefined)
    const newest = await looked
    if (E.isLeft(newest)) {
      looked = newestRecord({ history })()
      return newest
    }
    looked = undefined
    isStartDoubted = isFarFrom(newest.right, start.at)
    return E.right(undefined)
  }
  return async () => {
    const isStepDoubted = stepsOf() !== undefined
    const isEarly = elapsed(clock) - start.since < DOUBT
    const seen = await lookAtStart()
    return E.isLeft(seen) ? seen : E.right(isStepDoubted || (isStartDoubted && isEarly))
  }
}

/** Deletes a bounded number of expired things, and returns how many. */
export type Purge = () => TE.TaskEither<Unavailable, number>

/** Deletes expired access tokens (A6). */
export const makePurgeTokens =
  (ports: Pick<OperationsPorts, 'accessTokens' | 'clock'>): Purge =>
  () =>
    ports.accessTokens.purge(ports.clock.now())

/** Deletes ended sessions, expired one-time secrets (M2, M4) and preview tokens (A11). */
export const makePurgeSessions =
  (ports: Pick<OperationsPorts, 'clock' | 'oneTimeSecrets' | 'previewTokens' | 'sessions'>): Purge =>
  () => {
    const now = ports.clock.now()
    return pipe(
      TE.Do,
      TE.bind('sessions', () => ports.sessions.purge(now)),
      TE.bind('secrets', () => ports.oneTimeSecrets.purge(now)),
      TE.bind('previews', () => ports.previewTokens.purge(now)),
      TE.map(({ sessions, secrets, previews }) => sessions + secrets + previews),
    )
  }

/** Deletes working copies, 90 days after their last change (M7). */
export const makePurgeCopies =
  (ports: Pick<OperationsPorts, 'clock' | 'workingCopies'>): Purge =>
  () =>
    ports.workingCopies.purge(endOfRetention(ports.clock.now(), COPY_DAYS))

/** Deletes dead devices that can no longer be restored (F4). */
export const makePurgeDeadDevices =
  (ports: Pick<OperationsPorts, 'deadDevices' | 'clock'>): Purge =>
  () =>
    ports.deadDevices.purge(oldestRetained(ports.clock.now()))

/** Deletes the per-device rows of notifications that ended longer ago than the policy says (G8). */
export const makePurgeDeliveries =
  (
    ports: Pick<OperationsPorts, 'retention' | 'clock'>,
    { deliveryDays }: Pick<ManagerPolicy, 'deliveryDays'>,
  ): Purge =>
  () =>
    ports.retention.purgeDeliveries(endOfRetention(ports.clock.now(), deliveryDays))

/** Deletes the former preferences of people that only notifications need which are too old for an inbox (F7). */
export const makePurgePreferences =
  (
    ports: Pick<OperationsPorts, 'clock' | 'inbox'>,
    { deliveryDays }: Pick<ManagerPolicy, 'deliveryDays'>,
  ): Purge =>
  () =>
    ports.inbox.purgePreferences(endOfRetention(ports.clock.now(), deliveryDays))

/** Deletes notifications that ended longer ago than the policy says, if it says so (G8). */
export const makePurgeEndedNotifications =
  (
    ports: Pick<OperationsPorts, 'retention' | 'clock'>,
    { notificationDays }: Pick<ManagerPolicy, 'notificationDays'>,
  ): Purge =>
  () =>
    O.isNone(notificationDays)
      ? TE.right(0)
      : ports.retention.purgeNotifications(endOfRetention(ports.clock.now(), notificationDays.value))

/** Days for which deletions are remembered longer than the oldest cursor lives (N3). */
const CURSOR_DAYS = 2

/** Deletes audit records that are older than the policy says, except items' latest revisions, and forgets deletions (K3). */
export const makePurgeHistory =
  (
    ports: Pick<OperationsPorts, 'history' | 'changes' | 'clock'>,
    { historyDays }: Pick<ManagerPolicy, 'historyDays'>,
  ): Purge =>
  () => {
    const now = ports.clock.now()
    return pipe(
      TE.Do,
      TE.bind('records', () => ports.history.purge(endOfRetention(now, historyDays))),
      TE.bind('deletions', () => ports.changes.purge(endOfRetention(now, historyDays + CURSOR_DAYS))),
      TE.map(({ records, deletions }) => records + deletions),
    )
  }
