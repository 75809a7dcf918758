import { DisableClient, ListClients, RegisterClient, RotateClient } from '@almoner/domain/access'
import {
  DeleteCopy,
  InviteManager,
  ListCopies,
  ListIdentities,
  ListManagers,
  OneCopy,
  OneCopyImage,
  OneManager,
  OneManagerPasskey,
  PutCopy,
  SetManagerAccess,
} from '@almoner/domain/managers'
import { EMPTY, json, revisionOf } from '../../responses/headers.ts'
import { call, type Route, routeOf, upload } from '../../route.ts'
import { ClientJson, CredentialsJson, encodeClient, encodeCredentials } from '../../serializers/clients.ts'
import { int } from '../../serializers/codecs.ts'
import {
  CopyImageJson,
  CopyJson,
  CopySummaryJson,
  EndedJson,
  encodeCopy,
  encodeCopyImage,
  encodeCopySummary,
  encodeIdentity,
  encodeLink,
  encodeListedManager,
  encodeManager,
  encodeOneSession,
  encodePasskey,
  IdentityJson,
  LinkJson,
  ListedManagerJson,
  ManagerJson,
  OneSessionJson,
  PasskeyJson,
} from '../../serializers/managers.ts'

const managersRoute = routeOf('Managers')

const LISTING = { access: 'listManagers' } as const
const CHANGING = { access: 'manageManagers' } as const

/** The managers, for operators (M2, M4). No request is a POST, whose stored response (I4) would hold the secret of a link. */
export const MANAGER_ROUTES: ReadonlyArray<Route> = [
  managersRoute({
    ...LISTING,
    method: 'GET',
    path: '/managers',
    name: 'listManagers',
    summary: 'List all managers by address.',
    parameters: ListManagers,
    response: { kind: 'collection', key: 'managers', codec: ListedManagerJson, paged: false },
    handle: (services) =>
      call(services.managers.list, (managers) => json({ managers: managers.map(encodeListedManager) })),
  }),
  managersRoute({
    ...CHANGING,
    method: 'PUT',
    path: '/managers/:email',
    name: 'inviteManager',
    summary: 'Add a manager, and make a link that signs in once within 24 hours.',
    parameters: InviteManager,
    response: { kind: 'one', codec: LinkJson },
    handle: (services) => call(services.managers.invite, (link) => json(encodeLink(link))),
  }),
  managersRoute({
    ...CHANGING,
    method: 'PUT',
    path: '/managers/:email/link',
    name: 'inviteAgain',
    summary: 'Make another link that signs a manager in once within 24 hours.',
    parameters: OneManager,
    response: { kind: 'one', codec: LinkJson },
    faults: [404],
    handle: (services) => call(services.managers.inviteAgain, (link) => json(encodeLink(link))),
  }),
  managersRoute({
    ...CHANGING,
    method: 'PUT',
    path: '/managers/:email/access',
    name: 'setManagerAccess',
    summary: "Change a manager's duty, or disable or enable the manager. Ends the manager's sessions.",
    parameters: SetManagerAccess,
    response: { kind: 'one', codec: ManagerJson },
    faults: [404, 409],
    handle: (services) => call(services.managers.setAccess, (manager) => json(encodeManager(manager))),
  }),
  managersRoute({
    ...CHANGING,
    method: 'DELETE',
    path: '/managers/:email/password',
    name: 'removeManagerPassword',
    summary: "Delete a manager's password, as after a lost phone. Ends the manager's sessions.",
    parameters: OneManager,
    response: { kind: 'empty' },
    faults: [404],
    handle: (services) => call(services.managers.removePassword, () => EMPTY),
  }),
  managersRoute({
    ...LISTING,
    method: 'GET',
    path: '/managers/:email/passkeys',
    name: 'listManagerPasskeys',
    summary: 'List the passkeys of a manager.',
    parameters: OneManager,
    response: { kind: 'collection', key: 'passkeys', codec: PasskeyJson, paged: false },
    faults: [404],
    handle: (services) =>
      call(services.managers.listPasskeys, (passkeys) => json({ passkeys: passkeys.map(encodePasskey) })),
  }),
  managersRoute({
    ...CHANGING,
    method: 'DELETE',
    path: '/managers/:email/passkeys/:id',
    name: 'removeManagerPasskey',
    summary:
      "Delete a passkey of a manager, as after the theft of a phone. Ends the manager's sessions and links.",
    parameters: OneManagerPasskey,
    response: { kind: 'empty' },
    faults: [404],
    handle: (services) => call(services.managers.removePasskey, () => EMPTY),
  }),
  managersRoute({
    ...LISTING,
    method: 'GET',
    path: '/managers/:email/sessions',
    name: 'listManagerSessions',
    summary: 'List the open sessions of a manager, newest first.',
    parameters: OneManager,
    response: { kind: 'collection', key: 'sessions', codec: OneSessionJson, paged: false },
    faults: [404],
    handle: (services) =>
      call(services.managers.listSessions, (sessions) =>
        json({ sessions: sessions.map((session) => encodeOneSession({ session, isCurrent: false })) }),
      ),
  }),
  managersRoute({
    ...CHANGING,
    method: 'DELETE',
    path: '/managers/:email/sessions',
    name: 'endManagerSessions',
    summary: 'End all sessions of a manager.',
    parameters: OneManager,
    response: { kind: 'one', codec: EndedJson },
    faults: [404],
    handle: (services) => call(services.managers.endSessions, (ended) => json({ ended: int(ended) })),
  }),
]

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

const copiesRoute = routeOf('Working copies')

const PATH = '/copies/:key'

/** Bytes of a body with fields: escaping may make their text four times as long. */
export const LARGEST_COPY = 4 * 262_144 + 16_384

const summary = encodeCopySummary(revisionOf)

/** What the signed-in manager has typed and not saved (M7). */
export const COPY_ROUTES: ReadonlyArray<Route> = [
  copiesRoute({
    method: 'GET',
    path: '/copies',
    name: 'listCopies',
    summary: 'List the working copies of the signed-in manager, the latest change first.',
    access: 'workOnCopies',
    parameters: ListCopies,
    response: { kind: 'collection', key: 'copies', codec: CopySummaryJson, paged: false },
    handle: (services) =>
      call(services.console.listCopies, (copies) => json({ copies: copies.map(summary) })),
  }),
  copiesRoute({
    method: 'GET',
    path: PATH,
    name: 'getCopy',
    summary: 'Get a working copy of the signed-in manager.',
    access: 'workOnCopies',
    parameters: OneCopy,
    response: { kind: 'one', codec: CopyJson },
    faults: [404],
    handle: (services) =>
      call(services.console.getCopy, (copy) => json(encodeCopy(services.ports.mediaAddresses, copy))),
  }),
  copiesRoute({
    method: 'PUT',
    path: PATH,
    name: 'putCopy',
    summary: 'Store a working copy of the signed-in manager, valid or not.',
    access: 'workOnCopies',
    parameters: PutCopy,
    response: { kind: 'one', codec: CopySummaryJson },
    faults: [412],
    bodyLimit: LARGEST_COPY,
    handle: (services) => call(services.console.putCopy, (copy) => json(summary(copy))),
  }),
  copiesRoute({
    method: 'DELETE',
    path: PATH,
    name: 'deleteCopy',
    summary: 'Delete a working copy of the signed-in manager, if there is one.',
    access: 'workOnCopies',
    parameters: DeleteCopy,
    response: { kind: 'empty' },
    faults: [412],
    handle: (services) => call(services.console.deleteCopy, () => EMPTY),
  }),
  copiesRoute({
    method: 'PUT',
    path: `${PATH}/media/:image(^cover$|^notification$|^image$)`,
    name: 'storeCopyImage',
    summary: 'Store an image of a new item, JPEG or PNG, which belongs to the working copy until then.',
    access: 'workOnCopies',
    parameters: OneCopyImage,
    upload: 'first',
    response: { kind: 'one', codec: CopyImageJson },
    faults: [413, 415],
    handle: (services) =>
      upload(services.console.storeCopyImage, (name) =>
        json(encodeCopyImage(services.ports.mediaAddresses, name)),
      ),
  }),
]

const clientsRoute = routeOf('Clients')

const ONE = '/clients/:clientId'

const CHANGING_CLIENTS = { access: 'manageClients', confidential: true } as const

/** Clients of the API. No response with a secret is stored for an idempotency key: the secret is shown once (A6, I4). */
export const CLIENT_ROUTES: ReadonlyArray<Route> = [
  clientsRoute({
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
  clientsRoute({
    ...CHANGING_CLIENTS,
    method: 'POST',
    path: '/clients',
    name: 'registerClient',
    summary:
      'Register a client. The response has its secret, which is shown this once; a public client has none.',
    parameters: RegisterClient,
    response: { kind: 'one', codec: CredentialsJson },
    handle: (services) => call(services.access.registerClient, (added) => json(encodeCredentials(added))),
  }),
  clientsRoute({
    ...CHANGING_CLIENTS,
    method: 'POST',
    path: `${ONE}/secret`,
    name: 'rotateClient',
    summary: 'Give a client a new secret. Earlier ones stay valid for the time given.',
    parameters: RotateClient,
    response: { kind: 'one', codec: CredentialsJson },
    faults: [404],
    handle: (services) => call(services.access.rotateClient, (rotated) => json(encodeCredentials(rotated))),
  }),
  clientsRoute({
    ...CHANGING_CLIENTS,
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
