import type { Email, Instant } from '@almoner/domain'
import {
  MANAGER_DISABLED,
  MANAGER_NOT_FOUND,
  type ManagerDisabled,
  type ManagerNotFound,
} from '@almoner/domain/managers'
import type { OneTimeSecret, OneTimeSecrets, SignInChallenge } from '@almoner/domain/ports'
import { isInLife } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Database, Db } from '../../database/database.ts'
import { purgeExpired, QUIET, quietly } from '../../database/writes.ts'
import type { OneTimeSecretRow } from '../../schema/manager.table.ts'
import { recordUserAct } from '../history/record-act.ts'
import { lockManager } from './manager-writes.ts'

const insert = async (
  db: Db,
  { digest, purpose, expiresAt, life }: SignInChallenge,
  email: Email | null,
): Promise<void> => {
  await db
    .insertInto('one_time_secret')
    .values({ digest, purpose, email, expires_at: expiresAt, life: life ?? null })
    .execute()
}

/** Returns a secret that counts at a moment. */
const secretOf = (
  secret: Pick<OneTimeSecret, 'digest' | 'purpose'>,
  row: Pick<OneTimeSecretRow, 'email' | 'expires_at' | 'life'> | undefined,
  now: Instant,
): O.Option<OneTimeSecret> =>
  row !== undefined && isInLife({ expiresAt: row.expires_at, life: row.life ?? undefined }, now)
    ? O.some({
        ...secret,
        email: O.fromNullable(row.email),
        expiresAt: row.expires_at,
        ...(row.life !== null && { life: row.life }),
      })
    : O.none

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
        .select(['email', 'expires_at', 'life'])
        .where('digest', '=', digest)
        .where('purpose', '=', purpose)
        .executeTakeFirst()
      return secretOf({ digest, purpose }, row, now)
    }),

  // The row is deleted whether or not it has expired: of several transactions, one gets it.
  take: (digest, purpose, now) =>
    quietly(database, async (db): Promise<O.Option<OneTimeSecret>> => {
      const taken = await db
        .deleteFrom('one_time_secret')
        .where('digest', '=', digest)
        .where('purpose', '=', purpose)
        .returning(['email', 'expires_at', 'life'])
        .executeTakeFirst()
      return secretOf({ digest, purpose }, taken, now)
    }),

  purge: (before) => purgeExpired(database, before, 'one_time_secret'),
})
