import { makeListProviders, makePauseProvider, makeResumeProvider } from '../delivery/providers.ts'
import { makeListAudit } from '../history/use-cases.ts'
import { makeShowFigures } from '../operations/figures.ts'
import { makeListFindings } from '../operations/findings.ts'
import type { Host } from '../operations/model.ts'
import { makeShowStatistics } from '../operations/statistics.ts'
import type { Policy } from '../policy.ts'
import type { Ports } from '../ports.ts'

/** What operators watch and do. Each needs a caller with the role `super-admin`. */
export interface OperationsArea {
  /**
   * Returns what the checks of the store find: pauses, nodes, images, devices, retention and the portfolio's years (D6, F5, G5, G8, H2).
   * Fails with InsufficientRole or InsufficientScope.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.operations.findings(operator, {})
   * ```
   */
  readonly findings: ReturnType<typeof makeListFindings>
  /**
   * Returns the state of each push provider (G5).
   * Fails with InsufficientRole, InsufficientScope, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.operations.providers(operator, {})
   * ```
   */
  readonly providers: ReturnType<typeof makeListProviders>
  /**
   * Pauses a provider on all processes until it is resumed, and returns the states after that (G5, K1).
   * Fails with InsufficientRole, InsufficientScope, ValidationFailed, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.operations.pauseProvider(operator, { provider: 'fcm' })
   * ```
   */
  readonly pauseProvider: ReturnType<typeof makePauseProvider>
  /**
   * Ends the pause of a provider, and returns the states after that (G5, K1).
   * Fails with InsufficientRole, InsufficientScope, PresenceRequired, ValidationFailed, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.operations.resumeProvider(operator, { provider: 'fcm' })
   * ```
   */
  readonly resumeProvider: ReturnType<typeof makeResumeProvider>
  /**
   * Counts content by state and language, devices by kind, and the outcomes of the deliveries of 30 days (B8). At most a minute old.
   * Fails with InsufficientRole, InsufficientScope, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.operations.statistics(operator, {})
   * ```
   */
  readonly statistics: ReturnType<typeof makeShowStatistics>
  /**
   * Returns what waits to be sent, the states of the providers and the number of nodes (G5, I3).
   * Fails with InsufficientRole, InsufficientScope, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.operations.figures(operator, {})
   * ```
   */
  readonly figures: ReturnType<typeof makeShowFigures>
  /**
   * Lists the records of changes, the latest first, by actor, action, subject and days (K1, K4).
   * Fails with InsufficientRole, InsufficientScope, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.operations.audit(operator, { action: 'pause-provider', lim: 20 })
   * ```
   */
  readonly audit: ReturnType<typeof makeListAudit>
}

/** Binds the use cases of operators to ports and a policy. */
export const makeOperationsArea = (ports: Ports, policy: Policy, host?: Host): OperationsArea => ({
  findings: makeListFindings(ports, policy, host),
  providers: makeListProviders(ports),
  pauseProvider: makePauseProvider(ports, policy),
  resumeProvider: makeResumeProvider(ports, policy),
  statistics: makeShowStatistics(ports, policy),
  figures: makeShowFigures(ports, host),
  audit: makeListAudit(ports, policy),
})
