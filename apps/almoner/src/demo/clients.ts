import { type Client, type ClientId, callerOf, type Email } from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'

const common = { roles: [], email: O.none, disabled: false }

/** One client of each kind that the interface knows of. */
export const DEMO_CLIENTS: ReadonlyArray<Client> = [
  { ...common, id: 'demo-user' as ClientId, name: 'Demonstration: the public app', scopes: ['user'] },
  {
    ...common,
    id: 'demo-donor' as ClientId,
    name: 'Demonstration: a donor’s app',
    scopes: ['user', 'user-donor'],
    email: O.some('amina@example.org' as Email),
  },
  {
    ...common,
    id: 'demo-manager' as ClientId,
    name: 'Demonstration: the editors’ desk',
    scopes: ['content-manager'],
  },
  {
    ...common,
    id: 'demo-users' as ClientId,
    name: 'Demonstration: user administration',
    scopes: ['user-donor'],
    roles: ['user-manager'],
  },
]

/** Who writes the demonstration content. */
export const DEMO_EDITOR = callerOf({
  clientId: 'demo-manager' as ClientId,
  scopes: ['content-manager'],
  roles: [],
  email: O.none,
})

/** Who attaches the demonstration's devices. */
export const DEMO_USER_MANAGER = callerOf({
  clientId: 'demo-users' as ClientId,
  scopes: ['user-donor'],
  roles: ['user-manager'],
  email: O.none,
})
