import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { endOfRetention } from '../../delivery/batch.ts'
import type { ManagerPolicy } from '../../managers/ports.ts'
import { COPY_DAYS } from '../../managers/working-copy.ts'
import { oldestRetained } from '../../people/model.ts'
import type { OperationsPorts } from '../../ports/of-operations.ts'
import type { Unavailable } from '../../values/ports.ts'

/** Deletes a bounded number of expired things, and returns how many. */
export type Purge = () => TE.TaskEither<Unavailable, number>

/** Deletes expired access tokens (A6). */
export const makePurgeTokens =
  (ports: Pick<OperationsPorts, 'accessTokens' | 'clock'>): Purge =>
  () =>
    ports.accessTokens.purge(ports.clock.now())

/** Deletes ended sessions and expired one-time secrets (M2, M4). */
export const makePurgeSessions =
  (ports: Pick<OperationsPorts, 'clock' | 'oneTimeSecrets' | 'sessions'>): Purge =>
  () => {
    const now = ports.clock.now()
    return pipe(
      TE.Do,
      TE.bind('sessions', () => ports.sessions.purge(now)),
      TE.bind('secrets', () => ports.oneTimeSecrets.purge(now)),
      TE.map(({ sessions, secrets }) => sessions + secrets),
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

/** Deletes audit records that are older than the policy says, except items' latest revisions (K3). */
export const makePurgeHistory =
  (
    ports: Pick<OperationsPorts, 'history' | 'clock'>,
    { historyDays }: Pick<ManagerPolicy, 'historyDays'>,
  ): Purge =>
  () =>
    ports.history.purge(endOfRetention(ports.clock.now(), historyDays))
