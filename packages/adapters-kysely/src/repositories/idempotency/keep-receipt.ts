import { freeSince, type NothingDone, type Receipt, unavailable } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Db } from '../../database/database.ts'
import type { IdempotencyKeyRow } from '../../schema/client.table.ts'

const rowOf = <A>(
  { clientId, key, digest, at, about, responseTo }: Receipt<A>,
  result: A,
): IdempotencyKeyRow => {
  const { status, contentType, etag, body } = responseTo(result)
  return {
    client_id: clientId,
    key,
    digest,
    used_at: at,
    email: O.toNullable(about),
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
