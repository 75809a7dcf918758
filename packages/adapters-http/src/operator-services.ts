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

/** The use cases of operators in the console: people, managers, and clients of the API. */
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
  readonly listClients: ReturnType<typeof makeListClients>
  readonly registerClient: ReturnType<typeof makeRegisterClient>
  readonly rotateClient: ReturnType<typeof makeRotateClient>
  readonly disableClient: ReturnType<typeof makeDisableClient>
}

/** Binds the use cases of operators to ports. */
export const makeOperatorServices = (ports: Ports): OperatorServices => ({
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
  listClients: makeListClients(ports),
  registerClient: makeRegisterClient(ports),
  rotateClient: makeRotateClient(ports),
  disableClient: makeDisableClient(ports),
})
