import { type Caller, type Client, type ClientId, callerOf, type Email } from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'

const client = (id: string, name: string, more: Partial<Client>): Client => ({
  id: id as ClientId,
  name: `Demonstration: ${name}`,
  scopes: [],
  roles: [],
  email: O.none,
  disabled: false,
  ...more,
})

const manager = client('demo-manager', 'the editors’ desk', { scopes: ['content-manager'] })
const users = client('demo-users', 'user administration', {
  scopes: ['user-donor'],
  roles: ['user-manager'],
})

/** One client of each kind that the interface knows. */
export const DEMO_CLIENTS: ReadonlyArray<Client> = [
  client('demo-user', 'the public app', { scopes: ['user'] }),
  client('demo-donor', 'a donor’s app', {
    scopes: ['user', 'user-donor'],
    email: O.some('amina@example.org' as Email),
  }),
  manager,
  users,
]

const actingAs = ({ id, ...given }: Client): Caller => callerOf({ ...given, clientId: id })

/** Writes the demonstration's items and notifications. */
export const EDITOR = actingAs(manager)

/** Writes the demonstration's users. */
export const USER_MANAGER = actingAs(users)
