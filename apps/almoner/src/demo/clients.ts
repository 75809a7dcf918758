import { type Caller, type Client, callerOf } from '@almoner/domain'
import clients from '../../demo/clients.json' with { type: 'json' }
import { readClient } from '../commands/client/read-client.ts'

/** One client of each kind that the interface knows. */
export const DEMO_CLIENTS: ReadonlyArray<Client> = clients.map(({ id, name, scopes, roles, email }) =>
  readClient({
    id,
    name: `Demonstration: ${name}`,
    scope: scopes,
    ...(roles && { role: roles }),
    ...(email && { email }),
  }),
)

const actingAs = (clientId: string): Caller => {
  const client = DEMO_CLIENTS.find(({ id }) => id === clientId)
  if (client === undefined) throw new TypeError(`there is no client ${clientId}`)
  return callerOf({ ...client, clientId: client.id })
}

/** Writes the demonstration's items and notifications. */
export const EDITOR = actingAs('demo-manager')

/** Writes the demonstration's users. */
export const USER_MANAGER = actingAs('demo-users')
