import type { Client, ClientAndSecret } from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'

/** A client as `client add` and `client rotate` print it, with the secret that is told this once (A6). */
export const credentialsDocument = ({ client, secret }: ClientAndSecret) => ({
  client_id: client.id,
  client_secret: secret,
  scope: client.scopes.join(' '),
  roles: client.roles,
  email: emailText(client),
})

export type Credentials = ReturnType<typeof credentialsDocument>

/** A client without any secret. */
export const clientDocument = (client: Client) => ({
  client_id: client.id,
  name: client.name,
  scope: client.scopes.join(' '),
  roles: client.roles,
  email: emailText(client),
  disabled: client.disabled,
})

/** Text that is absent is empty, as in the interface (C2). */
const emailText = ({ email }: Client): string => O.getOrElse(() => '')(email)
