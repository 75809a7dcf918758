import type { ClientId, Instant, StoredSecret } from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import { slot, statement } from '../../database/compiled-query.ts'
import type { Db } from '../../database/database.ts'

/** Makes a query for a client's secrets, newest first. */
export const secretsOn = () => {
  const secrets = statement((db) =>
    db
      .selectFrom('client_secret')
      .select(['hash', 'until'])
      .where('client_id', '=', slot<ClientId>(0))
      .orderBy('seq', 'desc')
      .compile(),
  )
  return async (db: Db, id: ClientId): Promise<ReadonlyArray<StoredSecret>> =>
    (await secrets(db, [id])).map(({ hash, until }) => ({ hash, until: O.fromNullable(until) }))
}

/** Gives a client one more secret, without an end. */
export const addSecret = async (db: Db, id: ClientId, hash: string): Promise<void> => {
  const newest = await db
    .selectFrom('client_secret')
    .select(({ fn }) => fn.max('seq').as('seq'))
    .where('client_id', '=', id)
    .executeTakeFirst()
  const seq = (newest?.seq ?? 0) + 1
  await db.insertInto('client_secret').values({ client_id: id, seq, hash, until: null }).execute()
}

/** Replaces one stored form of a client's secret by another; its end stays. */
export const replaceHash = async (db: Db, id: ClientId, from: string, to: string): Promise<void> => {
  await db
    .updateTable('client_secret')
    .set({ hash: to })
    .where('client_id', '=', id)
    .where('hash', '=', from)
    .execute()
}

/** Ends the secrets that a client has: at a moment, unless they end earlier, or at once. */
export const endSecrets = async (db: Db, id: ClientId, until: O.Option<Instant>): Promise<void> => {
  if (O.isNone(until)) await db.deleteFrom('client_secret').where('client_id', '=', id).execute()
  else
    await db
      .updateTable('client_secret')
      .set({ until: until.value })
      .where('client_id', '=', id)
      .where((secret) => secret.or([secret('until', 'is', null), secret('until', '>', until.value)]))
      .execute()
}
