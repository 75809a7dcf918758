import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { Email } from '../values/addresses.ts'
import { ClientId } from '../values/ids.ts'
import { parameters } from '../values/parameters.ts'
import { BooleanParameter, integer, isStorable, type Refined, refined } from '../values/refined.ts'
import { type Client, grantsNothing } from './client.ts'
import { isRole, isScope, ROLES, type Role, SCOPES, type Scope } from './scopes.ts'

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

const ClientName = refined<string>(
  'ClientName',
  (text) => (isClientName(text) ? E.right(text) : E.left(`must have at most ${LONGEST_NAME} characters`)),
  { type: 'string', description: 'Name of the client. Default: its identifier.', maxLength: LONGEST_NAME },
)

/** Parameters of POST /clients. */
export const RegisterClient = parameters({
  name: 'RegisterClient',
  required: { clientId: ClientId },
  optional: { name: ClientName, scopes: ScopeNames, roles: RoleNames, email: Email },
  conditions: [
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
export const newClient = ({ clientId, name, scopes = [], roles = [], email }: RegisterClient): Client => ({
  id: clientId,
  name: name ?? clientId,
  scopes,
  roles,
  email: O.fromNullable(email),
  disabled: false,
})
