import {
  InviteManager,
  ListManagers,
  OneManager,
  OneManagerPasskey,
  SetManagerAccess,
} from '@almoner/domain/managers'
import { EMPTY, json } from '../../responses/route-response.ts'
import { call, type Route, routeOf } from '../../route.ts'
import { int } from '../../serializers/codecs.ts'
import {
  encodeLink,
  encodeListedManager,
  encodeManager,
  LinkJson,
  ListedManagerJson,
  ManagerJson,
} from '../../serializers/managers.ts'
import { encodePasskey, PasskeyJson } from '../../serializers/passkeys.ts'
import { EndedJson, encodeOneSession, OneSessionJson } from '../../serializers/sessions.ts'

const route = routeOf('Managers')

const LISTING = { access: 'listManagers' } as const
const CHANGING = { access: 'manageManagers' } as const

/** The managers, for operators (M2, M4). No request is a POST, whose stored response (I4) would hold the secret of a link. */
export const MANAGER_ROUTES: ReadonlyArray<Route> = [
  route({
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
  route({
    ...CHANGING,
    method: 'PUT',
    path: '/managers/:email',
    name: 'inviteManager',
    summary: 'Add a manager, and make a link that signs in once within 24 hours.',
    parameters: InviteManager,
    response: { kind: 'one', codec: LinkJson },
    handle: (services) => call(services.managers.invite, (link) => json(encodeLink(link))),
  }),
  route({
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
  route({
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
  route({
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
  route({
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
  route({
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
  route({
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
  route({
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
