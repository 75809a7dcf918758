import type { Ports } from '@almoner/domain'
import {
  makeDisableClient,
  makeEndManagerSessions,
  makeInviteAgain,
  makeInviteManager,
  makeListClients,
  makeListManagerSessions,
  makeListManagers,
  makeRegisterClient,
  makeRotateClient,
  makeSetManagerAccess,
} from '@almoner/domain/access'
import {
  makeErasePerson,
  makeFindPeople,
  makeListPostsOfPerson,
  makeShowPerson,
} from '@almoner/domain/notifications'

/** The use cases of operators in the console: people, clients of the API, and managers. */
export interface OperatorServices {
  readonly findPeople: ReturnType<typeof makeFindPeople>
  readonly showPerson: ReturnType<typeof makeShowPerson>
  readonly erasePerson: ReturnType<typeof makeErasePerson>
  readonly listPostsOfPerson: ReturnType<typeof makeListPostsOfPerson>
  readonly listClients: ReturnType<typeof makeListClients>
  readonly registerClient: ReturnType<typeof makeRegisterClient>
  readonly rotateClient: ReturnType<typeof makeRotateClient>
  readonly disableClient: ReturnType<typeof makeDisableClient>
  readonly inviteAgain: ReturnType<typeof makeInviteAgain>
  readonly setManagerAccess: ReturnType<typeof makeSetManagerAccess>
  readonly listManagers: ReturnType<typeof makeListManagers>
  readonly listManagerSessions: ReturnType<typeof makeListManagerSessions>
  readonly inviteManager: ReturnType<typeof makeInviteManager>
  readonly endManagerSessions: ReturnType<typeof makeEndManagerSessions>
}

/** Binds the use cases of operators to ports. */
export const makeOperatorServices = (ports: Ports): OperatorServices => ({
  findPeople: makeFindPeople(ports),
  showPerson: makeShowPerson(ports),
  erasePerson: makeErasePerson(ports),
  listPostsOfPerson: makeListPostsOfPerson(ports),
  listClients: makeListClients(ports),
  registerClient: makeRegisterClient(ports),
  rotateClient: makeRotateClient(ports),
  disableClient: makeDisableClient(ports),
  inviteAgain: makeInviteAgain(ports),
  setManagerAccess: makeSetManagerAccess(ports),
  listManagers: makeListManagers(ports),
  listManagerSessions: makeListManagerSessions(ports),
  inviteManager: makeInviteManager(ports),
  endManagerSessions: makeEndManagerSessions(ports),
})
