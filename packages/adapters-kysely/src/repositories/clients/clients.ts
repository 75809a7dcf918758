import type {
  Client,
  ClientExists,
  ClientId,
  ClientNotFound,
  Clients,
  ClientWithSecrets,
} from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { slot, statement } from '../../database/compiled-query.ts'
import type { Database } from '../../database/database.ts'
import { flag } from '../../schema/columns.ts'
import { clientOf, clientRow, lockedClient } from './client-rows.ts'
import { addSecret, endSecrets, replaceHash, secretsOn } from './client-secrets.ts'

const NOT_FOUND: ClientNotFound = { _tag: 'ClientNotFound' }

/** Every request for a token reads a client, so both statements are compiled once. */
const find = (database: Database): Clients['find'] => {
  const client = statement((db) =>
    db.selectFrom('client').selectAll().where('id', '=', slot<ClientId>(0)).compile(),
  )
  const secretsOf = secretsOn()
  return (id) =>
    database.read(async (db): Promise<O.Option<ClientWithSecrets>> => {
      const [row] = await client(db, [id])
      return row === undefined ? O.none : O.some({ client: clientOf(row), secrets: await secretsOf(db, id) })
    })
}

/** Clients and the digests of their secrets (A1, A6). */
export const makeClients = (database: Database): Clients => ({
  add: (client, secretHash) =>
    database.write(async (db): Promise<E.Either<ClientExists, void>> => {
      const added = await db
        .insertInto('client')
        .values(clientRow(client))
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning('id')
        .executeTakeFirst()
      if (added === undefined) return E.left({ _tag: 'ClientExists' })
      await addSecret(db, client.id, secretHash)
      return E.right(undefined)
    }),

  find: find(database),

  all: () =>
    database.read(async (db): Promise<ReadonlyArray<Client>> => {
      const rows = await db.selectFrom('client').selectAll().orderBy('id').execute()
      return rows.map(clientOf)
    }),

  rotate: (id, secretHash, oldUntil) =>
    database.write(async (db): Promise<E.Either<ClientNotFound, Client>> => {
      const client = await lockedClient(db, id)
      if (O.isNone(client)) return E.left(NOT_FOUND)
      await endSecrets(db, id, oldUntil)
      await addSecret(db, id, secretHash)
      return E.right(client.value)
    }),

  replaceSecretHash: (id, from, to) =>
    database.write(
      async (db): Promise<E.Either<never, void>> => E.right(await replaceHash(db, id, from, to)),
    ),

  setDisabled: (id, disabled) =>
    database.write(async (db): Promise<E.Either<ClientNotFound, Client>> => {
      const row = await db
        .updateTable('client')
        .set({ disabled: flag(disabled) })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
      return row === undefined ? E.left(NOT_FOUND) : E.right(clientOf(row))
    }),
})
