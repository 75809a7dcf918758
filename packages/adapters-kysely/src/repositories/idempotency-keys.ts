import type { Instant } from '@almoner/domain'
import { freeSince, type Receipt, usedAhead } from '@almoner/domain/access'
import { type IdempotencyKeys, type KeyUse, type NothingDone, unavailable } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import type { Database, Db } from '../database/database.ts'
import { inSteps, purging, QUIET, quietly } from '../database/writes.ts'
import type { IdempotencyKeyRow } from '../schema/client.table.ts'
import { identityDigest } from '../schema/device.table.ts'

const rowOf = <A>(
  { clientId, key, digest, at, about, device, responseTo }: Receipt<A>,
  result: A,
): IdempotencyKeyRow => {
  const { status, contentType, etag, body } = responseTo(result)
  return {
    client_id: clientId,
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
        .columns(['client_id', 'key'])
        .doUpdateSet(row)
        .where('idempotency_key.used_at', '<=', freeSince(receipt.at)),
    )
    .returning('key')
    .executeTakeFirst()
  return kept === undefined ? E.left(unavailable(new Error('the key is taken'))) : E.right(result)
}

/** Keys that one `purge` forgets at most: it holds up other writes for some milliseconds. */
const PURGE = 2000

const purgeSome = async (db: Db, now: Instant, most: number): Promise<number> => {
  const isFree = sql`used_at <= ${freeSince(now)} or used_at > ${usedAhead(now)}`
  const oldest = sql`select client_id, key from idempotency_key where ${isFree} order by used_at limit ${most}`
  const gone = await sql`delete from idempotency_key where (client_id, key) in (${oldest})`.execute(db)
  return Number(gone.numAffectedRows ?? 0)
}

/** Keys of requests that wrote something (I4). They are not cached, so all writes are quiet. */
export const makeIdempotencyKeys = (database: Database): IdempotencyKeys => ({
  find: (clientId, key, now) =>
    database.read(async (db): Promise<O.Option<KeyUse>> => {
      const row = await db
        .selectFrom('idempotency_key')
        .select(['digest', 'status', 'content_type', 'etag', 'body'])
        .where('client_id', '=', clientId)
        .where('key', '=', key)
        .where('used_at', '>', freeSince(now))
        .executeTakeFirst()
      if (row === undefined) return O.none
      const { digest, status, content_type, etag, body } = row
      const response = { status, contentType: O.fromNullable(content_type), etag: O.fromNullable(etag), body }
      return O.some({ digest, response })
    }),

  forget: (email) =>
    quietly(database, async (db) => {
      const gone = await db
        .deleteFrom('idempotency_key')
        .where('email', '=', email)
        .returning('key')
        .execute()
      return gone.length
    }),

  purge: (now) => purging(database, (db) => inSteps(PURGE, (most) => purgeSome(db, now, most)), QUIET),
})
