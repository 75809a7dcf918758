import type { Policy, Ports } from '@almoner/domain'
import {
  type Host,
  makeListAudit,
  makeListFindings,
  makeListProviders,
  makePauseProvider,
  makeResumeProvider,
  makeShowFigures,
  makeShowStatistics,
} from '@almoner/domain/operations'

/** The use cases of operators, bound to one set of ports. */
export interface OperationServices {
  readonly listFindings: ReturnType<typeof makeListFindings>
  readonly listProviders: ReturnType<typeof makeListProviders>
  readonly pauseProvider: ReturnType<typeof makePauseProvider>
  readonly resumeProvider: ReturnType<typeof makeResumeProvider>
  readonly showStatistics: ReturnType<typeof makeShowStatistics>
  readonly showFigures: ReturnType<typeof makeShowFigures>
  readonly listAudit: ReturnType<typeof makeListAudit>
}

/** Binds the use cases of operators. */
export const makeOperationServices = (ports: Ports, policy: Policy, host?: Host): OperationServices => ({
  listFindings: makeListFindings(ports, policy, host),
  listProviders: makeListProviders(ports),
  pauseProvider: makePauseProvider(ports, policy),
  resumeProvider: makeResumeProvider(ports, policy),
  showStatistics: makeShowStatistics(ports, policy),
  showFigures: makeShowFigures(ports, host),
  listAudit: makeListAudit(ports, policy),
})
