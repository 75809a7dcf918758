import type { Client } from '@almoner/domain'
import { type ClientAndSecret, type ClientOverview, clientDocument } from '@almoner/domain/access'
import { toRfc3339 } from '@almoner/domain/values'
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

/** Returns a client of the list as JSON. A client that was never used has an empty time. */
export const listedDocument = ({ client, lastUsedAt }: ClientOverview) => ({
  ...clientDocument(client),
  lastUsedAt: O.getOrElse(() => '')(O.map(toRfc3339)(lastUsedAt)),
})
