import {
  makePurgeCopies,
  makePurgeDeadDevices,
  makePurgeDeliveries,
  makePurgeEndedNotifications,
  makePurgeHistory,
  makePurgeSessions,
  makePurgeTokens,
} from '../operations/maintenance.ts'
import { makeAdoptStorage, makeCountOrphans, makeMatchStorage, makeSweepImages } from '../operations/sweep.ts'
import type { Policy } from '../policy.ts'
import type { Ports } from '../ports.ts'

/** Jobs that keep a store small. Run each purge and the sweep once an hour. None checks a caller. */
export interface MaintenanceArea {
  /**
   * Deletes expired access tokens, and returns their number (A6).
   * Fails with Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.maintenance.purgeTokens()
   * ```
   */
  readonly purgeTokens: ReturnType<typeof makePurgeTokens>
  /**
   * Deletes ended sessions and expired sign-in links, and returns their number (M2, M4).
   * Fails with Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.maintenance.purgeSessions()
   * ```
   */
  readonly purgeSessions: ReturnType<typeof makePurgeSessions>
  /**
   * Deletes a bounded number of working copies, 90 days after their last change; returns how many (M7).
   * Fails with Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.maintenance.purgeCopies()
   * ```
   */
  readonly purgeCopies: ReturnType<typeof makePurgeCopies>
  /**
   * Deletes a bounded number of detached devices that can no longer be restored, seven days after the detachment; returns how many (F4).
   * Fails with Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.maintenance.purgeDeadDevices()
   * ```
   */
  readonly purgeDeadDevices: ReturnType<typeof makePurgeDeadDevices>
  /**
   * Deletes a bounded number of per-device rows of notifications that ended more than `deliveryDays` days ago; returns how many (G8).
   * Fails with Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.maintenance.purgeDeliveries()
   * ```
   */
  readonly purgeDeliveries: ReturnType<typeof makePurgeDeliveries>
  /**
   * Deletes a bounded number of notifications that ended more than `notificationDays` days ago; returns how many (G8).
   * Fails with Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.maintenance.purgeEndedNotifications()
   * ```
   */
  readonly purgeEndedNotifications: ReturnType<typeof makePurgeEndedNotifications>
  /**
   * Deletes a bounded number of audit records older than `historyDays` days, except the latest revision of each item; returns how many (K3).
   * Fails with Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.maintenance.purgeHistory()
   * ```
   */
  readonly purgeHistory: ReturnType<typeof makePurgeHistory>
  /**
   * Deletes stored images that nothing references and that are older than an hour (D5, D6, H1).
   * Fails with SweepStopped, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.maintenance.sweepImages()
   * ```
   */
  readonly sweepImages: ReturnType<typeof makeSweepImages>
  /**
   * Counts the images that a sweep would delete (D6). Changes nothing.
   * Fails with Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.maintenance.countOrphans()
   * ```
   */
  readonly countOrphans: ReturnType<typeof makeCountOrphans>
  /**
   * Returns whether the image storage belongs to this database (D6). Changes nothing.
   * Fails with Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.maintenance.matchStorage()
   * ```
   */
  readonly matchStorage: ReturnType<typeof makeMatchStorage>
  /**
   * Gives the image storage the identity of this database, so that sweeps run (D6).
   * Fails with Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.maintenance.adoptStorage()
   * ```
   */
  readonly adoptStorage: ReturnType<typeof makeAdoptStorage>
}

/** Binds the maintenance jobs to ports and a policy. */
export const makeMaintenanceArea = (ports: Ports, policy: Policy): MaintenanceArea => ({
  purgeTokens: makePurgeTokens(ports),
  purgeSessions: makePurgeSessions(ports),
  purgeCopies: makePurgeCopies(ports),
  purgeDeadDevices: makePurgeDeadDevices(ports),
  purgeDeliveries: makePurgeDeliveries(ports, policy),
  purgeEndedNotifications: makePurgeEndedNotifications(ports, policy),
  purgeHistory: makePurgeHistory(ports, policy),
  sweepImages: makeSweepImages(ports),
  countOrphans: makeCountOrphans(ports),
  matchStorage: makeMatchStorage(ports),
  adoptStorage: makeAdoptStorage(ports),
})
