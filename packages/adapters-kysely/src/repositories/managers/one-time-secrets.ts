import type { Email } from '@almoner/domain'
import {
  MANAGER_DISABLED,
  MANAGER_NOT_FOUND,
  type ManagerDisabled,
  type ManagerNotFound,
} from '@almoner/domain/access'
import type { OneTimeSecret, OneTimeSecrets, SignInChallenge } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Database, Db } from '../../database/database.ts'
import { purgeExpired, QUIET, quietly } from '../../database/writes.ts'
import { recordUserAct } from '../history/record-act.ts'
import { lockManager } from './manager-writes.ts'

const insert = async (
  db: Db,
  { digest, purpose, expiresAt }: SignInChallenge,
  email: Email | null,
): Promise<void> => {
  await db.insertInto('one_time_secret').values({ digest, purpose, email, expires_at: expiresAt }).execute()
}

/** One-time secrets by their digest (M2). */
export const makeOneTimeSecrets = (database: Database): OneTimeSecrets => ({
  putChallenge: (challenge) => quietly(database, (db) => insert(db, challenge, null)),

  put: ({ email, ...secret }, act) =>
    database.write(async (db): Promise<E.Either<ManagerNotFound | ManagerDisabled, void>> => {
      const manager = await lockManager(db, email)
      if (manager === undefined) return E.left(MANAGER_NOT_FOUND)
      if (manager.disabled === 1) return E.left(MANAGER_DISABLED)
      await insert(db, secret, email)
      await recordUserAct(db, act, email, [], 'manager')
      return E.right(undefined)
    }, QUIET),

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
