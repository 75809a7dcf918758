import type { ClientId } from '@almoner/domain'
import type { IdempotencyKey } from '@almoner/domain/access'
import type { DeviceToken } from '@almoner/domain/people'
import type { Db } from '../../database/database.ts'
import { tokenDigest } from '../device.table.ts'
import type { Migration } from './migration.ts'

/** Responses that are read at a time. */
const SOME = 500

/** Matches the response to an attachment; others hold no token. */
const ATTACHED = /^\{"token":\{/

/** Returns the device token that a response holds. */
const tokenIn = (body: string): DeviceToken | undefined => {
  if (!ATTACHED.test(body)) return undefined
  const { token } = JSON.parse(body) as { readonly token: { readonly device_token?: DeviceToken } }
  return token.device_token
}

type Key = readonly [ClientId, IdempotencyKey]

const responsesBehind = (db: Db, last: Key | undefined) =>
  db
    .selectFrom('idempotency_key')
    .select(['client_id', 'key', 'body'])
    .where('email', 'is not', null)
    .$if(last !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('client_id', 'key'), '>', tuple(...(last as Key))),
      ),
    )
    .orderBy('client_id')
    .orderBy('key')
    .limit(SOME)
    .execute()

const fill = async (db: Db): Promise<void> => {
  let rows = await responsesBehind(db, undefined)
  for (let last: Key | undefined; rows.length > 0; rows = await responsesBehind(db, last))
    for (const { client_id, key, body } of rows) {
      last = [client_id, key]
      const token = tokenIn(body)
      if (token === undefined) continue
      await db
        .updateTable('idempotency_key')
        .set({ token_digest: tokenDigest(token) })
        .where('client_id', '=', client_id)
        .where('key', '=', key)
        .execute()
    }
}

/** Finds stored responses by the device token that they hold: it may have come to another user since (L1). */
export const responseTokens: Migration = {
  name: '0034-response-tokens',
  statements: ({ text }) => [
    `alter table idempotency_key add column token_digest ${text}`,
    'create index idempotency_key_token on idempotency_key (token_digest) where token_digest is not null',
  ],
  fill,
}
