import { freeSince, type IdempotencyKeys, type KeyUse } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Database } from '../../database/database.ts'

/** Keys that one `purge` forgets at most: it holds up other writes for some milliseconds. */
const PURGE = 2000

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
    database.write(
      async (db): Promise<E.Either<never, number>> => {
        const gone = await db
          .deleteFrom('idempotency_key')
          .where('email', '=', email)
          .returning('key')
          .execute()
        return E.right(gone.length)
      },
      { notify: 'none' },
    ),

  purge: (now) =>
    database.write(
      async (db): Promise<E.Either<never, number>> => {
        const oldest = await db
          .selectFrom('idempotency_key')
          .select('used_at')
          .where('used_at', '<=', freeSince(now))
          .orderBy('used_at')
          .limit(PURGE)
          .execute()
        const last = oldest.at(-1)
        if (last === undefined) return E.right(0)
        const gone = await db
          .deleteFrom('idempotency_key')
          .where('used_at', '<=', last.used_at)
          .returning('key')
          .execute()
        return E.right(gone.length)
      },
      { notify: 'none' },
    ),
})
