import type { ClientId, Email, Instant, Scope } from '@almoner/domain'
import {
  type Act,
  freeSince,
  type Grant,
  isRole,
  isScope,
  type Receipt,
  type Role,
  type TokenDigest,
  usedAhead,
} from '@almoner/domain/access'
import {
  type AccessTokens,
  type IdempotencyKeys,
  type KeyUse,
  type NothingDone,
  unavailable,
} from '@almoner/domain/ports'
import { MINUTE } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import { compiledQuery, type Database, type Db, param } from '../database/database.ts'
import { type Deleted, inSteps, makeDeleteFirst, makePurgeExpired } from '../database/purges.ts'
import { purging, QUIET, quietly } from '../database/writes.ts'
import type { IdempotencyKeyRow } from '../schema/client.table.ts'
import { identityDigest } from '../schema/device.table.ts'

const split = (text: string): ReadonlyArray<string> => text.split(' ')

/** Names as one column: separated by spaces, none of which they hold. */
export const namesColumn = (names: ReadonlyArray<Scope | Role>): string => names.join(' ')

/** The scopes of a column, in the order they were written. */
export const scopesOf = (text: string): ReadonlyArray<Scope> => split(text).filter(isScope)

/** The roles of a column, in the order they were written. */
export const rolesOf = (text: string): ReadonlyArray<Role> => split(text).filter(isRole)

const grantOn = () =>
  compiledQuery((db) =>
    db
      .selectFrom('access_token')
      .innerJoin('client', 'client.id', 'access_token.client_id')
      .select([
        'access_token.client_id',
        'access_token.scopes',
        'access_token.expires_at',
        'access_token.life',
        'access_token.email as person',
        'client.roles',
        'client.email',
      ])
      .where('access_token.digest', '=', param<TokenDigest>(0))
      .where('access_token.expires_at', '>', param<Instant>(1))
      // `isInLife`, for a token of which it is known.
      .where(sql`coalesce(access_token.expires_at - access_token.life, 0)`, '<=', param<number>(2))
      .where('client.disabled', '=', 0)
      .compile(),
  )

const grantOf = (database: Database): AccessTokens['grantOf'] => {
  const grant = grantOn()
  return (digest, now) =>
    database.read(async (db): Promise<O.Option<Grant>> => {
      const [row] = await grant(db, [digest, now, now + MINUTE])
      if (row === undefined) return O.none
      return O.some({
        clientId: row.client_id,
        scopes: scopesOf(row.scopes),
        ...(row.person === null
          ? { roles: rolesOf(row.roles), email: O.fromNullable(row.email) }
          : { roles: [], email: O.some(row.person), personToken: digest }),
        expiresAt: row.expires_at,
        ...(row.life !== null && { issuedAt: (row.expires_at - row.life) as Instant }),
      })
    })
}

const insertOn = () =>
  compiledQuery((db) =>
    db
      .insertInto('access_token')
      .values({
        digest: param<TokenDigest>(0),
        client_id: param<ClientId>(1),
        scopes: param<string>(2),
        expires_at: param<Instant>(3),
        life: param<number | null>(4),
        email: param<Email | null>(5),
      })
      .compile(),
  )

const add = (database: Database): AccessTokens['add'] => {
  const insert = insertOn()
  return ({ digest, clientId, scopes, expiresAt, life = null, person = null }) =>
    quietly(database, async (db) => {
      await insert(db, [digest, clientId, namesColumn(scopes), expiresAt, life, person])
    })
}

/** Access tokens by their digest (A6). */
export const makeAccessTokens = (database: Database): AccessTokens => ({
  add: add(database),

  grantOf: grantOf(database),

  revoke: (digest, clientId) =>
    database.write(
      async (db): Promise<E.Either<never, boolean>> => {
        const row = await db
          .deleteFrom('access_token')
          .where('digest', '=', digest)
          .where('client_id', '=', clientId)
          .returning('digest')
          .executeTakeFirst()
        return E.right(row !== undefined)
      },
      { notify: ['access'] },
    ),

  purge: makePurgeExpired(database, 'access_token'),
})

/** Looks up the binding that an act depends on, and locks it until the transaction ends. */
type HoldBinding = (db: Db, act: Pick<Act, 'actor' | 'boundTo' | 'boundBy'> | undefined) => Promise<boolean>

const makeEmailOfToken = () =>
  compiledQuery((db) =>
    db
      .selectFrom('access_token')
      .select('email')
      .where('digest', '=', param<TokenDigest>(0))
      .forShare()
      .compile(),
  )

/** Returns a receipt that may be kept, and locks what it depends on. */
type HoldReceipt = <A>(db: Db, receipt: Receipt<A> | undefined) => Promise<Receipt<A> | undefined>

/**
 * Makes the function that drops the receipt of a person whose token has ended, and keeps erasures out until the transaction ends (L1): the key
 * would outlive the person's data. Like a binding, a token is locked first.
 */
export const makeHoldReceipt = (): HoldReceipt => {
  const ofToken = makeEmailOfToken()
  return async (db, receipt) => {
    if (receipt?.person === undefined) return receipt
    const [row] = receipt.personToken === undefined ? [] : await ofToken(db, [receipt.personToken])
    return row?.email === receipt.person ? receipt : undefined
  }
}

/**
 * Makes the function that returns whether the actor of an act is still bound to its user, and keeps erasures out until the transaction ends
 * (L1). It is the first lock of every write for a user: an erasure takes the bindings first, too (ARCHITECTURE.md, Locks).
 */
export const makeHoldBinding = (): HoldBinding => {
  const ofClient = compiledQuery((db) =>
    db.selectFrom('client').select('email').where('id', '=', param<ClientId>(0)).forShare().compile(),
  )
  const ofToken = makeEmailOfToken()
  const ofPerson = compiledQuery((db) =>
    db.selectFrom('user_number').select('email').where('id', '=', param<number>(0)).forShare().compile(),
  )
  return async (db, act) => {
    if (act?.boundTo === undefined) return true
    const { actor, boundTo, boundBy } = act
    const ofActor = () =>
      actor.kind === 'person' ? ofPerson(db, [Number(actor.id)]) : ofClient(db, [actor.id])
    const [row] = await (boundBy === undefined ? ofActor() : ofToken(db, [boundBy]))
    return row?.email === boundTo
  }
}

/**
 * Ends the bindings of clients to a user and the person's own tokens (A10), and locks the number that binds the sessions of a manager. Waits for the
 * writes that hold one of them. Returns how many bindings there were.
 */
export const endBindings = async (db: Db, email: Email): Promise<number> => {
  const clients = await db
    .selectFrom('client')
    .select('id')
    .where('email', '=', email)
    .orderBy('id')
    .forUpdate()
    .execute()
  const ids = clients.map(({ id }) => id)
  if (ids.length > 0) await db.updateTable('client').set({ email: null }).where('id', 'in', ids).execute()
  await db.selectFrom('user_number').select('id').where('email', '=', email).forUpdate().execute()
  const tokens = await db
    .selectFrom('access_token')
    .select('digest')
    .where('email', '=', email)
    .orderBy('digest')
    .forUpdate()
    .execute()
  if (tokens.length > 0) await db.deleteFrom('access_token').where('email', '=', email).execute()
  return ids.length + tokens.length
}

/** The owner of a key besides its client, for keys of clients alone. */
const NO_PERSON = '' as const

const rowOf = <A>(
  { clientId, person, key, digest, at, about, device, responseTo }: Receipt<A>,
  result: A,
): IdempotencyKeyRow => {
  const { status, contentType, etag, body } = responseTo(result)
  return {
    client_id: clientId,
    person: person ?? NO_PERSON,
    key,
    digest,
    used_at: at,
    email: O.toNullable(about),
    token_digest: device === undefined ? null : identityDigest(device),
    status,
    content_type: O.toNullable(contentType),
    etag: O.toNullable(etag),
    body,
  }
}

/**
 * Keeps the receipt of a write, if it has one, as the last thing in its transaction (I4), and gives the write's result. Waits for another
 * transaction that has just used the key; NothingDone, so that the write is undone, once that is committed.
 */
export const keepReceipt = async <A>(
  db: Db,
  receipt: Receipt<A> | undefined,
  result: A,
): Promise<E.Either<NothingDone, A>> => {
  if (receipt === undefined) return E.right(result)
  const row = rowOf(receipt, result)
  const kept = await db
    .insertInto('idempotency_key')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['client_id', 'person', 'key'])
        .doUpdateSet(row)
        .where('idempotency_key.used_at', '<=', freeSince(receipt.at)),
    )
    .returning('key')
    .executeTakeFirst()
  return kept === undefined ? E.left(unavailable(new Error('the key is taken'))) : E.right(result)
}

/** The condition of the index of the keys of people: an engine uses the index only for queries that name it. */
export const hasPerson = sql<boolean>`person <> ''`

/** Deletes the keys of a user, and those whose response holds an address or a device token of the user (L1). Returns how many. */
export const forgetKeys = async (db: Db, email: Email): Promise<number> => {
  const about = await db.deleteFrom('idempotency_key').where('email', '=', email).returning('key').execute()
  const own = await db
    .deleteFrom('idempotency_key')
    .where('person', '=', email)
    .where(hasPerson)
    .returning('key')
    .execute()
  return about.length + own.length
}

/** Keys that one `purge` forgets at most: it holds up other writes for some milliseconds. */
const PURGE = 2000

/** Keys of requests that wrote something (I4). They are not cached, so all writes are quiet. */
export const makeIdempotencyKeys = (database: Database): IdempotencyKeys => {
  const keys = { table: 'idempotency_key', key: ['client_id', 'person', 'key'], order: 'used_at' }
  const [deleteOldest, deleteAhead] = [makeDeleteFirst(keys), makeDeleteFirst(keys)]
  const purge = async (db: Db, now: Instant, most: number): Promise<Deleted> => {
    const oldest = await deleteOldest(db, sql`used_at <= ${freeSince(now)}`, most)
    if (!oldest.isOver) return oldest
    const ahead = await deleteAhead(db, sql`used_at > ${usedAhead(now)}`, most - oldest.gone)
    return { gone: oldest.gone + ahead.gone, isOver: ahead.isOver }
  }
  return {
    find: ({ clientId, person, key }, now) =>
      database.read(async (db): Promise<O.Option<KeyUse>> => {
        const row = await db
          .selectFrom('idempotency_key')
          .select(['digest', 'status', 'content_type', 'etag', 'body'])
          .where('client_id', '=', clientId)
          .where('person', '=', person ?? NO_PERSON)
          .where('key', '=', key)
          .where('used_at', '>', freeSince(now))
          .executeTakeFirst()
        if (row === undefined) return O.none
        const { digest, status, content_type, etag, body } = row
        const response = {
          status,
          contentType: O.fromNullable(content_type),
          etag: O.fromNullable(etag),
          body,
        }
        return O.some({ digest, response })
      }),

    forget: (email) => quietly(database, (db) => forgetKeys(db, email)),

    purge: (now) => purging(database, (db) => inSteps(PURGE, (most) => purge(db, now, most)), QUIET),
  }
}
