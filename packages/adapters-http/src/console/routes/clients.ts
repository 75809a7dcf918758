import { DisableClient, ListClients, RegisterClient, RotateClient } from '@almoner/domain/access'
import { EMPTY, json } from '../../responses/route-response.ts'
import { call, type Route, routeOf } from '../../route.ts'
import { ClientJson, CredentialsJson, encodeClient, encodeCredentials } from '../../serializers/clients.ts'

const route = routeOf('Clients')

const ONE = '/clients/:clientId'

const CHANGING = { access: 'manageClients', confidential: true } as const

/** Clients of the API. No response with a secret is stored for an idempotency key: the secret is shown once (A6, I4). */
export const CLIENT_ROUTES: ReadonlyArray<Route> = [
  route({
    access: 'listClients',
    confidential: true,
    method: 'GET',
    path: '/clients',
    name: 'listClients',
    summary: 'List the clients of the API with their last use, without secrets.',
    parameters: ListClients,
    response: { kind: 'collection', key: 'clients', codec: ClientJson, paged: false },
    handle: (services) =>
      call(services.access.listClients, (all) => json({ clients: all.map(encodeClient) })),
  }),
  route({
    ...CHANGING,
    method: 'POST',
    path: '/clients',
    name: 'registerClient',
    summary: 'Register a client. The response has its secret, which is shown this once.',
    parameters: RegisterClient,
    response: { kind: 'one', codec: CredentialsJson },
    handle: (services) => call(services.access.registerClient, (added) => json(encodeCredentials(added))),
  }),
  route({
    ...CHANGING,
    method: 'POST',
    path: `${ONE}/secret`,
    name: 'rotateClient',
    summary: 'Give a client a new secret. Earlier ones stay valid for the time given.',
    parameters: RotateClient,
    response: { kind: 'one', codec: CredentialsJson },
    faults: [404],
    handle: (services) => call(services.access.rotateClient, (rotated) => json(encodeCredentials(rotated))),
  }),
  route({
    ...CHANGING,
    method: 'PUT',
    path: `${ONE}/disabled`,
    name: 'disableClient',
    summary: 'Disable a client, which ends its tokens, or enable it again.',
    parameters: DisableClient,
    response: { kind: 'empty' },
    faults: [404],
    handle: (services) => call(services.access.disableClient, () => EMPTY),
  }),
]
