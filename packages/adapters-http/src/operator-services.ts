import type { Ports } from '@almoner/domain'
import {
  makeDisableClient,
  makeListClients,
  makeRegisterClient,
  makeRotateClient,
} from '@almoner/domain/access'
import {
  makeErasePerson,
  makeFindPeople,
  makeListPostsOfPerson,
  makeShowPerson,
} from '@almoner/domain/notifications'

/** The use cases of operators in the console: people, and clients of the API. */
export interface OperatorServices {
  readonly findPeople: ReturnType<typeof makeFindPeople>
  readonly showPerson: ReturnType<typeof makeShowPerson>
  readonly erasePerson: ReturnType<typeof makeErasePerson>
  readonly listPostsOfPerson: ReturnType<typeof makeListPostsOfPerson>
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
  listClients: makeListClients(ports),
  registerClient: makeRegisterClient(ports),
  rotateClient: makeRotateClient(ports),
  disableClient: makeDisableClient(ports),
})
