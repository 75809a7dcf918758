import { ListIdentities, OneManager } from '@almoner/domain/managers'
import { EMPTY, json } from '../../responses/route-response.ts'
import { call, type Route, routeOf } from '../../route.ts'
import { encodeIdentity, IdentityJson } from '../../serializers/identities.ts'

const route = routeOf('Managers')

/** The accounts of the identity provider that sign managers in (M3). Unlinking one needs a recent proof of presence (M4). */
export const IDENTITY_ROUTES: ReadonlyArray<Route> = [
  route({
    access: 'listIdentities',
    method: 'GET',
    path: '/identities',
    name: 'listIdentities',
    summary:
      'List the accounts of the identity provider that sign managers in: all for operators, else one’s own.',
    parameters: ListIdentities,
    response: { kind: 'collection', key: 'identities', codec: IdentityJson, paged: false },
    handle: (services) =>
      call(services.identities.list, (all) => json({ identities: all.map(encodeIdentity) })),
  }),
  route({
    access: 'unlinkOwnIdentity',
    method: 'DELETE',
    path: '/identities/:email',
    name: 'unlinkIdentity',
    summary: 'Unlink the account of the identity provider from a manager: one’s own, or any for operators.',
    parameters: OneManager,
    response: { kind: 'empty' },
    faults: [404],
    handle: (services) => call(services.identities.unlink, () => EMPTY),
  }),
]
