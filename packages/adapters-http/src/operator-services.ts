import type { Policy, Ports } from '@almoner/domain'
import {
  makeDisableClient,
  makeEndManagerSessions,
  makeInviteAgain,
  makeInviteManager,
  makeListClients,
  makeListIdentities,
  makeListManagerSessions,
  makeListManagers,
  makeRegisterClient,
  makeRotateClient,
  makeSetManagerAccess,
  makeUnlinkIdentity,
} from '@almoner/domain/access'
import {
  makeErasePerson,
  makeFindPeople,
  makeListPostsOfPerson,
  makeShowPerson,
} from '@almoner/domain/notifications'
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

/** The use cases of operators in the console: people, clients of the API, managers, and what the service does. */
export interface OperatorServices {
  readonly findPeople: ReturnType<typeof makeFindPeople>
  readonly showPerson: ReturnType<typeof makeShowPerson>
  readonly erasePerson: ReturnType<typeof makeErasePerson>
  readonly listPostsOfPerson: ReturnType<typeof makeListPostsOfPerson>
  readonly listManagers: ReturnType<typeof makeListManagers>
  readonly inviteManager: ReturnType<typeof makeInviteManager>
  readonly inviteAgain: ReturnType<typeof makeInviteAgain>
  readonly setManagerAccess: ReturnType<typeof makeSetManagerAccess>
  readonly listManagerSessions: ReturnType<typeof makeListManagerSessions>
  readonly endManagerSessions: ReturnType<typeof makeEndManagerSessions>
  readonly listIdentities: ReturnType<typeof makeListIdentities>
  readonly unlinkIdentity: ReturnType<typeof makeUnlinkIdentity>
  readonly listClients: ReturnType<typeof makeListClients>
  readonly registerClient: ReturnType<typeof makeRegisterClient>
  readonly rotateClient: ReturnType<typeof makeRotateClient>
  readonly disableClient: ReturnType<typeof makeDisableClient>
  readonly listFindings: ReturnType<typeof makeListFindings>
  readonly listProviders: ReturnType<typeof makeListProviders>
  readonly pauseProvider: ReturnType<typeof makePauseProvider>
  readonly resumeProvider: ReturnType<typeof makeResumeProvider>
  readonly showStatistics: ReturnType<typeof makeShowStatistics>
  readonly showFigures: ReturnType<typeof makeShowFigures>
  readonly listAudit: ReturnType<typeof makeListAudit>
}

/** Binds the use cases of operators to ports. They see what the host knows of itself, if it is given. */
export const makeOperatorServices = (ports: Ports, policy: Policy, host?: Host): OperatorServices => ({
  findPeople: makeFindPeople(ports),
  showPerson: makeShowPerson(ports),
  erasePerson: makeErasePerson(ports),
  listPostsOfPerson: makeListPostsOfPerson(ports),
  listManagers: makeListManagers(ports),
  inviteManager: makeInviteManager(ports),
  inviteAgain: makeInviteAgain(ports),
  setManagerAccess: makeSetManagerAccess(ports),
  listManagerSessions: makeListManagerSessions(ports),
  endManagerSessions: makeEndManagerSessions(ports),
  listIdentities: makeListIdentities(ports),
  unlinkIdentity: makeUnlinkIdentity(ports),
  listClients: makeListClients(ports),
  registerClient: makeRegisterClient(ports),
  rotateClient: makeRotateClient(ports),
  disableClient: makeDisableClient(ports),
  listFindings: makeListFindings(ports, policy, host),
  listProviders: makeListProviders(ports),
  pauseProvider: makePauseProvider(ports, policy),
  resumeProvider: makeResumeProvider(ports, policy),
  showStatistics: makeShowStatistics(ports, policy),
  showFigures: makeShowFigures(ports, host),
  listAudit: makeListAudit(ports, policy),
})
