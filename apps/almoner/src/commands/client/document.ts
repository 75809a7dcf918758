import type { Client } from '@almoner/domain'
import type { ClientAndSecret } from '@almoner/domain/access'
import * as O from 'fp-ts/lib/Option.js'

/** Text that is absent is empty, as in the interface (C2). */
const emailText = ({ email }: Client): string => O.getOrElse(() => '')(email)

/** Returns a client with its secret, which is shown only once (A6), as JSON. */
export const credentialsDocument = ({ client, secret }: ClientAndSecret) => ({
  client_id: client.id,
  client_secret: secret,
  scope: client.scopes.join(' '),
  roles: client.roles,
  email: emailText(client),
})

export type Credentials = ReturnType<typeof credentialsDocument>

/** Returns a client without any secret, as JSON. */
export const clientDocument = (client: Client) => ({
  client_id: client.id,
  name: client.name,
  scope: client.scopes.join(' '),
  roles: client.roles,
  email: emailText(client),
  disabled: client.disabled,
})
