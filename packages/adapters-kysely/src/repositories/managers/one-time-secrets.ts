import type { OneTimeSecret, OneTimeSecrets } from '@almoner/domain/ports'
import * as O from 'fp-ts/lib/Option.js'
import type { Database } from '../../database/database.ts'
import { purgeExpired, quietly } from '../../database/writes.ts'
import { recordUserAct } from '../history/record-act.ts'

/** One-time secrets by their digest (M2). */
export const makeOneTimeSecrets = (database: Database): OneTimeSecrets => ({
  put: ({ digest, purpose, email, expiresAt }, act) =>
    quietly(database, async (db) => {
      await db
        .insertInto('one_time_secret')
        .values({ digest, purpose, email: O.toNullable(email), expires_at: expiresAt })
        .execute()
      if (O.isSome(email)) await recordUserAct(db, act, email.value, [], 'manager')
    }),

  find: (digest, purpose, now) =>
    database.read(async (db): Promise<O.Option<OneTimeSecret>> => {
      const row = await db
        .selectFrom('one_time_secret')
        .select(['email', 'expires_at'])
        .where('digest', '=', digest)
        .where('purpose', '=', purpose)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      return row === undefined
        ? O.none
        : O.some({ digest, purpose, email: O.fromNullable(row.email), expiresAt: row.expires_at })
    }),

  // The row is deleted whether or not it has expired: of several transactions, one gets it.
  take: (digest, purpose, now) =>
    quietly(database, async (db): Promise<O.Option<OneTimeSecret>> => {
      const taken = await db
        .deleteFrom('one_time_secret')
        .where('digest', '=', digest)
        .where('purpose', '=', purpose)
        .returning(['email', 'expires_at'])
        .executeTakeFirst()
      return taken !== undefined && now < taken.expires_at
        ? O.some({ digest, purpose, email: O.fromNullable(taken.email), expiresAt: taken.expires_at })
        : O.none
    }),

  purge: (before) => purgeExpired(database, before, 'one_time_secret', 'expires_at'),
})
