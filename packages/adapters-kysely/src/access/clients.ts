import type { Client, ClientId, Instant } from '@almoner/domain'
import { type ClientOverview, isPublicClient, type StoredSecret } from '@almoner/domain/access'
import type {
  ClientExists,
  ClientIsPublic,
  ClientNotFound,
  Clients,
  ClientWithSecrets,
} from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { compiledQuery, type Database, type Db, param } from '../database/database.ts'
import { insertChunks, quietly } from '../database/writes.ts'
import { recordAct } from '../history.ts'
import type { ClientRow, ClientSecretRow } from '../schema/client.table.ts'
import { namesColumn, rolesOf, scopesOf } from './tokens.ts'

/** The client that a row holds. */
export const clientOf = (row: ClientRow): Client => ({
  id: row.id,
  name: row.name,
  scopes: scopesOf(row.scopes),
  roles: rolesOf(row.roles),
  email: O.fromNullable(row.email),
  disabled: row.disabled === 1,
  ...(row.for_people === 1 && {
    forPeople: { isPublic: row.public === 1, audience: O.fromNullable(row.audience) },
  }),
})

/** The row that holds a client. */
const clientRow = (client: Client): ClientRow => ({
  id: client.id,
  name: client.name,
  scopes: namesColumn(client.scopes),
  roles: namesColumn(client.roles),
  email: O.toNullable(client.email),
  disabled: client.disabled ? 1 : 0,
  for_people: client.forPeople === undefined ? 0 : 1,
  public: isPublicClient(client) ? 1 : 0,
  audience: O.toNullable(client.forPeople?.audience ?? O.none),
})

/** The secret that a row holds. */
const secretOf = ({ hash, until, life }: Pick<ClientSecretRow, 'hash' | 'until' | 'life'>): StoredSecret => ({
  hash,
  until: O.fromNullable(until),
  ...(life !== null && { life }),
})

/** Reads all clients, their secrets and their last uses from one state. */
const overview =
  (database: Database): Clients['overview'] =>
  () =>
    database.readSnapshot(async (db): Promise<ReadonlyArray<ClientOverview>> => {
      const rows = await db
        .selectFrom('client')
        .leftJoin('client_use', 'client_use.client_id', 'client.id')
        .selectAll('client')
        .select('client_use.used_at')
        .orderBy('client.id')
        .execute()
      const secrets = await db.selectFrom('client_secret').selectAll().orderBy('seq', 'desc').execute()
      const ofClient = Map.groupBy(secrets, ({ client_id }) => client_id)
      return rows.map((row) => ({
        client: clientOf(row),
        secrets: (ofClient.get(row.id) ?? []).map(secretOf),
        lastUsedAt: O.fromNullable(row.used_at),
      }))
    })

/** Stores last uses, in the order of the ids, so that two processes never wait for each other. No cache holds them. */
const noteUses =
  (database: Database): Clients['noteUses'] =>
  (uses) =>
    quietly(database, async (db) => {
      const rows = [...uses]
        .map(([client_id, used_at]) => ({ client_id, used_at }))
        .sort((a, b) => (a.client_id < b.client_id ? -1 : 1))
      for (const chunk of insertChunks(rows))
        await db
          .insertInto('client_use')
          .values(chunk)
          .onConflict((conflict) =>
            conflict
              .column('client_id')
              .doUpdateSet(({ ref }) => ({ used_at: ref('excluded.used_at') }))
              .whereRef('client_use.used_at', '<', 'excluded.used_at'),
          )
          .execute()
    })

/** A client, held still until the transaction ends. */
const lockedClient = async (db: Db, id: ClientId): Promise<O.Option<Client>> => {
  const row = await db.selectFrom('client').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return O.map(clientOf)(O.fromNullable(row))
}

/** Gives a client one more secret, without an end. */
const addSecret = async (db: Db, id: ClientId, hash: string): Promise<void> => {
  const newest = await db
    .selectFrom('client_secret')
    .select(({ fn }) => fn.max('seq').as('seq'))
    .where('client_id', '=', id)
    .executeTakeFirst()
  const seq = (newest?.seq ?? 0) + 1
  await db.insertInto('client_secret').values({ client_id: id, seq, hash, until: null, life: null }).execute()
}

/** Replaces one stored form of a client's secret by another; its end stays. */
const replaceHash = async (db: Db, id: ClientId, from: string, to: string): Promise<void> => {
  await db
    .updateTable('client_secret')
    .set({ hash: to })
    .where('client_id', '=', id)
    .where('hash', '=', from)
    .execute()
}

/** Ends the secrets that a client has: at a moment, unless they end earlier, or at once. @param rotatedAt from when that is counted, if known */
const endSecrets = async (
  db: Db,
  id: ClientId,
  until: O.Option<Instant>,
  rotatedAt?: Instant,
): Promise<void> => {
  if (O.isNone(until)) await db.deleteFrom('client_secret').where('client_id', '=', id).execute()
  else
    await db
      .updateTable('client_secret')
      .set({ until: until.value, life: rotatedAt === undefined ? null : until.value - rotatedAt })
      .where('client_id', '=', id)
      .where((secret) => secret.or([secret('until', 'is', null), secret('until', '>', until.value)]))
      .execute()
}

const NOT_FOUND: ClientNotFound = { _tag: 'ClientNotFound' }

/** Every request for a token reads a client, by one statement that is compiled once: a row for each secret, or one without any. */
const find = (database: Database): Clients['find'] => {
  const withSecrets = compiledQuery((db) =>
    db
      .selectFrom('client')
      .leftJoin('client_secret', 'client_secret.client_id', 'client.id')
      .selectAll('client')
      .select(['client_secret.hash', 'client_secret.until', 'client_secret.life'])
      .where('client.id', '=', param<ClientId>(0))
      .orderBy('client_secret.seq', 'desc')
      .compile(),
  )
  return (id) =>
    database.read(async (db): Promise<O.Option<ClientWithSecrets>> => {
      const rows = await withSecrets(db, [id])
      const [row] = rows
      if (row === undefined) return O.none
      const secrets = rows.flatMap(({ hash, until, life }) =>
        hash === null ? [] : [secretOf({ hash, until, life })],
      )
      return O.some({ client: clientOf(row), secrets })
    })
}

/** Clients and the digests of their secrets (A1, A6). */
export const makeClients = (database: Database): Clients => ({
  add: (client, secretHash, act) =>
    database.write(async (db): Promise<E.Either<ClientExists, void>> => {
      const added = await db
        .insertInto('client')
        .values(clientRow(client))
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning('id')
        .executeTakeFirst()
      if (added === undefined) return E.left({ _tag: 'ClientExists' })
      if (secretHash !== undefined) await addSecret(db, client.id, secretHash)
      await recordAct(db, act, { kind: 'client', id: client.id })
      return E.right(undefined)
    }),

  withdraw: (id, secretHash, act) =>
    database.write(async (db): Promise<E.Either<ClientNotFound, void>> => {
      const client = await lockedClient(db, id)
      const [first, ...others] = await db
        .selectFrom('client_secret')
        .select('hash')
        .where('client_id', '=', id)
        .execute()
      if (O.isNone(client) || first?.hash !== secretHash || others.length > 0) return E.left(NOT_FOUND)
      await db.deleteFrom('client_secret').where('client_id', '=', id).execute()
      await db.deleteFrom('client').where('id', '=', id).execute()
      await recordAct(db, act, { kind: 'client', id })
      return E.right(undefined)
    }),

  find: find(database),

  all: () =>
    database.read(async (db): Promise<ReadonlyArray<Client>> => {
      const rows = await db.selectFrom('client').selectAll().orderBy('id').execute()
      return rows.map(clientOf)
    }),

  overview: overview(database),

  noteUses: noteUses(database),

  rotate: (id, secretHash, oldUntil, act) =>
    database.write(async (db): Promise<E.Either<ClientNotFound | ClientIsPublic, Client>> => {
      const client = await lockedClient(db, id)
      if (O.isNone(client)) return E.left(NOT_FOUND)
      if (isPublicClient(client.value)) return E.left({ _tag: 'ClientIsPublic' })
      await endSecrets(db, id, oldUntil, act?.at)
      await addSecret(db, id, secretHash)
      await recordAct(db, act, { kind: 'client', id })
      return E.right(client.value)
    }),

  replaceSecretHash: (id, from, to) =>
    database.write(
      async (db): Promise<E.Either<never, void>> => E.right(await replaceHash(db, id, from, to)),
    ),

  setDisabled: (id, disabled, act) =>
    database.write(async (db): Promise<E.Either<ClientNotFound, Client>> => {
      const client = await lockedClient(db, id)
      if (O.isNone(client)) return E.left(NOT_FOUND)
      if (client.value.disabled === disabled) return E.right(client.value)
      const change = { disabled: disabled ? 1 : 0 } as const
      await db.updateTable('client').set(change).where('id', '=', id).execute()
      await recordAct(db, act, { kind: 'client', id })
      return E.right({ ...client.value, disabled })
    }),
})
