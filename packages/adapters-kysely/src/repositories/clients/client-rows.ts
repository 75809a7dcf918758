import type { Client } from '@almoner/domain'
import type { StoredSecret } from '@almoner/domain/access'
import * as O from 'fp-ts/lib/Option.js'
import type { ClientRow, ClientSecretRow } from '../../schema/client.table.ts'
import { flag } from '../../schema/columns.ts'
import { namesColumn, rolesOf, scopesOf } from './access-tokens.ts'

/** The client that a row holds. */
export const clientOf = (row: ClientRow): Client => ({
  id: row.id,
  name: row.name,
  scopes: scopesOf(row.scopes),
  roles: rolesOf(row.roles),
  email: O.fromNullable(row.email),
  disabled: row.disabled === 1,
})

/** The row that holds a client. */
export const clientRow = (client: Client): ClientRow => ({
  id: client.id,
  name: client.name,
  scopes: namesColumn(client.scopes),
  roles: namesColumn(client.roles),
  email: O.toNullable(client.email),
  disabled: flag(client.disabled),
})

/** The secret that a row holds. */
export const secretOf = ({
  hash,
  until,
  life,
}: Pick<ClientSecretRow, 'hash' | 'until' | 'life'>): StoredSecret => ({
  hash,
  until: O.fromNullable(until),
  ...(life !== null && { life }),
})
