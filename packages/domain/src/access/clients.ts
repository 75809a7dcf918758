import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { Email } from '../values/addresses.ts'
import { ClientId } from '../values/ids.ts'
import { parameters } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import { BooleanParameter, integer, isStorable, oneOf, type Refined, refined } from '../values/refined.ts'
import { addMillis, type Instant, SECOND } from '../values/time.ts'
import type { ActedBy } from './acts.ts'
import {
  type Caller,
  type InsufficientRole,
  type InsufficientScope,
  isRole,
  isScope,
  type PresenceRequired,
  permitted,
  ROLES,
  type Role,
  SCOPES,
  type Scope,
} from './caller.ts'
import { type Client, earlierSecretsUntil, grantsNothing, isPublicClient } from './model.ts'
import type { AccessPorts, ClientExists, ClientIsPublic, ClientNotFound } from './ports.ts'

const wordsOf = (text: string): ReadonlyArray<string> => [
  ...new Set(text.split(/\s+/).filter((word) => word !== '')),
]

const namesOf = <A extends string>(
  name: string,
  known: ReadonlyArray<A>,
  isKnown: (text: string) => text is A,
  description: string,
): Refined<ReadonlyArray<A>> =>
  refined(
    name,
    (text) => {
      const words = wordsOf(text)
      return words.every(isKnown) ? E.right(words) : E.left(`must be some of ${known.join(', ')}`)
    },
    { type: 'string', description: `${description}, separated by spaces: some of ${known.join(', ')}.` },
  )

/** Reads the scopes of a client, separated by spaces as in OAuth. */
const ScopeNames = namesOf<Scope>('ScopeNames', SCOPES, isScope, 'Scopes of the client')

/** Reads the roles of a client, separated by spaces. */
const RoleNames = namesOf<Role>('RoleNames', ROLES, isRole, 'Roles of the client')

const LONGEST_NAME = 200

/** Whether a text can be the name that a client is shown under. */
export const isClientName = (text: string): boolean => isStorable(text) && text.length <= LONGEST_NAME

/** The most characters of an audience. */
const LONGEST_AUDIENCE = 255

/** Whether a text can be the one audience of a client (A10). */
export const isAudience = (text: string): boolean =>
  text !== '' && text.length <= LONGEST_AUDIENCE && isStorable(text)

const ClientName = refined<string>(
  'ClientName',
  (text) => (isClientName(text) ? E.right(text) : E.left(`must have at most ${LONGEST_NAME} characters`)),
  { type: 'string', description: 'Name of the client. Default: its identifier.', maxLength: LONGEST_NAME },
)

const Audience = refined<string>(
  'Audience',
  (text) => (isAudience(text) ? E.right(text) : E.left(`must have at most ${LONGEST_AUDIENCE} characters`)),
  {
    type: 'string',
    description: 'The only audience whose ID tokens the client may exchange. Default: each of the service.',
    maxLength: LONGEST_AUDIENCE,
  },
)

/** How a client obtains tokens for people (A10): `no`, with its `secret`, or without one, as a `public` client. */
export type PeopleKind = 'no' | 'secret' | 'public'

/** All kinds, from the first in lists. */
export const PEOPLE_KINDS: ReadonlyArray<PeopleKind> = ['no', 'secret', 'public']

const People = oneOf(
  'PeopleKind',
  PEOPLE_KINDS,
  'Whether the client obtains tokens for people: `no`, the default; with its `secret`; or as a `public` client without one, for an app on phones.',
)

/** Parameters of POST /clients. A public client has no roles and not the scope `content-manager` (A10). */
export const RegisterClient = parameters({
  name: 'RegisterClient',
  required: { clientId: ClientId },
  optional: {
    name: ClientName,
    scopes: ScopeNames,
    roles: RoleNames,
    email: Email,
    people: People,
    audience: Audience,
  },
  conditions: [
    {
      field: 'roles',
      message: 'must be empty for a public client',
      unmet: ({ people, roles = '' }) => people === 'public' && wordsOf(roles).length > 0,
    },
    {
      field: 'scopes',
      message: 'must not have content-manager for a public client',
      unmet: ({ people, scopes = '' }) => people === 'public' && wordsOf(scopes).includes('content-manager'),
    },
    {
      field: 'audience',
      message: 'is only for clients that obtain tokens for people',
      unmet: ({ people = 'no', audience }) => people === 'no' && audience !== undefined,
    },
    {
      field: 'scopes',
      message: 'is required unless the roles include super-admin',
      unmet: ({ scopes = '', roles = '' }) =>
        wordsOf(scopes).length === 0 && grantsNothing({ scopes: [], roles: wordsOf(roles).filter(isRole) }),
    },
  ],
})
export type RegisterClient = typeof RegisterClient._A

/** The longest time that an earlier secret may stay valid, in seconds: 30 days. */
const LONGEST_OVERLAP = 30 * 24 * 3600

/** How long an earlier secret stays valid unless the request says otherwise, in seconds: a day. */
export const DEFAULT_OVERLAP = 24 * 3600

/** Parameters of POST /clients/<clientId>/secret. */
export const RotateClient = parameters({
  name: 'RotateClient',
  required: { clientId: ClientId },
  optional: {
    keepOld: integer(
      'KeepOld',
      0,
      LONGEST_OVERLAP,
      'Seconds for which the earlier secret stays valid. Default: a day.',
    ),
  },
})
export type RotateClient = typeof RotateClient._A

/** Parameters of PUT /clients/<clientId>/disabled. */
export const DisableClient = parameters({
  name: 'DisableClient',
  required: { clientId: ClientId, disabled: BooleanParameter },
  optional: {},
})
export type DisableClient = typeof DisableClient._A

/** Parameters of GET /clients. */
export const ListClients = parameters({ name: 'ListClients', required: {}, optional: {} })
export type ListClients = typeof ListClients._A

/** Returns the client that is to be registered: enabled, and named by its identifier unless it has a name. */
export const newClient = ({
  clientId,
  name,
  scopes = [],
  roles = [],
  email,
  people = 'no',
  audience,
}: RegisterClient): Client => ({
  id: clientId,
  name: name ?? clientId,
  scopes,
  roles,
  email: O.fromNullable(email),
  disabled: false,
  ...(people !== 'no' && {
    forPeople: { isPublic: people === 'public', audience: O.fromNullable(audience) },
  }),
})

/** Returns how a client obtains tokens for people (A10). */
export const peopleKindOf = ({ forPeople }: Client): PeopleKind => {
  if (forPeople === undefined) return 'no'
  return forPeople.isPublic ? 'public' : 'secret'
}

/** A client and its new secret, which is shown once (A6). */
export interface ClientAndSecret {
  readonly client: Client
  /** Empty for a public client, which has none (A10). */
  readonly secret: string
}

type ManageClientsNeeds = 'clients' | 'secrets'

/** Registers a client under a new secret, which is stored as a digest only (A6); a public client gets none (A10). For operators: checks no caller. */
export const makeAddClient =
  (ports: Pick<AccessPorts, ManageClientsNeeds>) =>
  (client: Client, by?: ActedBy): TE.TaskEither<ClientExists | Unavailable, ClientAndSecret> => {
    const secret = isPublicClient(client) ? '' : ports.secrets.mint()
    const hash = secret === '' ? undefined : ports.secrets.digest(secret)
    return pipe(
      ports.clients.add(client, hash, by && { ...by, action: 'add-client' }),
      TE.map(() => ({ client, secret })),
    )
  }

/**
 * Takes back a client that was just added, because its secret could not be shown (A6). Fails with ClientNotFound if it has another one by
 * now. For operators: checks no caller.
 */
export const makeWithdrawClient =
  (ports: Pick<AccessPorts, ManageClientsNeeds>) =>
  ({ client, secret }: ClientAndSecret, by?: ActedBy): TE.TaskEither<ClientNotFound | Unavailable, void> =>
    ports.clients.withdraw(
      client.id,
      ports.secrets.digest(secret),
      by && { ...by, action: 'withdraw-client' },
    )

/** Gives a client a fresh secret; the old ones count until `oldUntil`, or no longer (A6). Its tokens live on. A public client gets none (A10). */
export const makeRotateSecret =
  (ports: Pick<AccessPorts, ManageClientsNeeds>) =>
  (
    id: ClientId,
    oldUntil: O.Option<Instant>,
    by?: ActedBy,
  ): TE.TaskEither<ClientNotFound | ClientIsPublic | Unavailable, ClientAndSecret> => {
    const secret = ports.secrets.mint()
    return pipe(
      ports.clients.rotate(
        id,
        ports.secrets.digest(secret),
        oldUntil,
        by && { ...by, action: 'rotate-client' },
      ),
      TE.map((client) => ({ client, secret })),
    )
  }

/** A client as operators see it. */
export interface ListedClient {
  readonly client: Client
  /** The last use, some minutes late; none if no use is stored. */
  readonly lastUsedAt: O.Option<Instant>
  /** Until when an earlier secret counts beside the newest (A6). */
  readonly oldUntil: O.Option<Instant>
}

/** The secret of a client, which is shown once (A6). */
export interface ShownSecret {
  readonly client: Client
  readonly secret: string
  /** Until when the earlier secret counts; none if there is none, or it counts no more. */
  readonly oldUntil: O.Option<Instant>
}

type Refused = InsufficientScope | InsufficientRole

const actedBy = (caller: Caller, { clock }: Pick<AccessPorts, 'clock'>): ActedBy => ({
  actor: caller.actor,
  at: clock.now(),
})

/** Lists the clients of the API with their last use, without secrets. Requires the role `super-admin` (M2). */
export const makeListClients =
  (ports: Pick<AccessPorts, 'clients' | 'clock'>) =>
  (
    caller: Caller,
    _parameters: ListClients,
  ): TE.TaskEither<Refused | Unavailable, ReadonlyArray<ListedClient>> =>
    permitted(
      'listClients',
      caller,
    )(() =>
      pipe(
        ports.clients.overview(),
        TE.map((all) => {
          const now = ports.clock.now()
          return all.map(({ client, secrets, lastUsedAt }) => ({
            client,
            lastUsedAt,
            oldUntil: earlierSecretsUntil(secrets, now),
          }))
        }),
      ),
    )

/** Registers a client under a new secret, a public one without (A10). Requires the role `super-admin` (M2, A6). */
export const makeRegisterClient =
  (ports: Pick<AccessPorts, 'clients' | 'clock' | 'secrets'>) =>
  (
    caller: Caller,
    command: RegisterClient,
  ): TE.TaskEither<Refused | PresenceRequired | ClientExists | Unavailable, ShownSecret> =>
    permitted(
      'manageClients',
      caller,
      ports.clock,
    )(() =>
      pipe(
        makeAddClient(ports)(newClient(command), actedBy(caller, ports)),
        TE.map((added) => ({ ...added, oldUntil: O.none })),
      ),
    )

/** Gives a client a new secret. The earlier ones count for the time given, a day by default. Requires the role `super-admin` (M2, A6). */
export const makeRotateClient =
  (ports: Pick<AccessPorts, 'clients' | 'clock' | 'secrets'>) =>
  (
    caller: Caller,
    { clientId, keepOld = DEFAULT_OVERLAP }: RotateClient,
  ): TE.TaskEither<Refused | PresenceRequired | ClientNotFound | ClientIsPublic | Unavailable, ShownSecret> =>
    permitted(
      'manageClients',
      caller,
      ports.clock,
    )(() => {
      const by = actedBy(caller, ports)
      const oldUntil = keepOld === 0 ? O.none : O.some(addMillis(by.at, keepOld * SECOND))
      return pipe(
        makeRotateSecret(ports)(clientId, oldUntil, by),
        TE.map((rotated) => ({ ...rotated, oldUntil })),
      )
    })

/** Disables a client, which ends its tokens, or enables it again. Requires the role `super-admin` (M2, A6). */
export const makeDisableClient =
  (ports: Pick<AccessPorts, 'clients' | 'clock'>) =>
  (
    caller: Caller,
    { clientId, disabled }: DisableClient,
  ): TE.TaskEither<Refused | PresenceRequired | ClientNotFound | Unavailable, Client> =>
    permitted(
      'manageClients',
      caller,
      ports.clock,
    )(() =>
      ports.clients.setDisabled(clientId, disabled, {
        ...actedBy(caller, ports),
        action: disabled ? 'disable-client' : 'enable-client',
      }),
    )
