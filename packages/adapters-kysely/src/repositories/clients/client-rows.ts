import type { Client, ClientId } from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import type { Db } from '../../database/database.ts'
import type { ClientRow } from '../../schema/client.table.ts'
import { flag } from '../../schema/columns.ts'
import { namesColumn, rolesOf, scopesOf } from './names.ts'

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

/** A client, held still until the transaction ends. */
export const lockedClient = async (db: Db, id: ClientId): Promise<O.Option<Client>> => {
  const row = await db.selectFrom('client').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return O.map(clientOf)(O.fromNullable(row))
}
