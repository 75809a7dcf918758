import * as O from 'fp-ts/lib/Option.js'
import type { Client } from './client.ts'

/** Returns a client without any secret, as JSON. Text that is absent is empty (C2). */
export const clientDocument = ({ id, name, scopes, roles, email, disabled }: Client) => ({
  client_id: id,
  name,
  scope: scopes.join(' '),
  roles,
  email: O.getOrElse((): string => '')(email),
  disabled,
})
