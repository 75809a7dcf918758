import type { Email, Instant } from '@almoner/domain'
import type { TokenDigest } from '@almoner/domain/access'
import {
  MANAGER_DISABLED,
  MANAGER_NOT_FOUND,
  type ManagerDisabled,
  type ManagerNotFound,
  PASSWORD_NOT_FOUND,
  type PasswordNotFound,
  type StoredPassword,
} from '@almoner/domain/managers'
import type { OneTimeSecret, OneTimeSecrets, Passwords, SignInChallenge } from '@almoner/domain/ports'
import { isInLife } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Database, Db } from '../database/database.ts'
import { makePurgeExpired } from '../database/purges.ts'
import { QUIET, quietly } from '../database/writes.ts'
import { recordUserAct } from '../history.ts'
import type { ManagerPasswordRow, OneTimeSecretRow } from '../schema/manager.table.ts'
import { changeCredential, lockManager } from './managers.ts'

const rowOf = (password: StoredPassword): ManagerPasswordRow => ({
  email: password.email,
  hash: password.hash,
  totp_secret: password.totpSecret,
  used_step: password.usedStep,
  changed_at: password.changedAt,
  last_used_at: O.toNullable(password.lastUsedAt),
})

/** Returns the password of a manager. */
export const passwordOf = async (db: Db, email: Email): Promise<O.Option<StoredPassword>> => {
  const row = await db
    .selectFrom('manager_password')
    .selectAll()
    .where('email', '=', email)
    .executeTakeFirst()
  const codes = await db
    .selectFrom('recovery_code')
    .select('digest')
    .where('email', '=', email)
    .orderBy('digest')
    .execute()
  if (row === undefined) return O.none
  return O.some({
    email,
    hash: row.hash,
    totpSecret: row.totp_secret,
    usedStep: row.used_step,
    recoveryCodes: codes.map(({ digest }) => digest),
    changedAt: row.changed_at,
    lastUsedAt: O.fromNullable(row.last_used_at),
  })
}

/** Deletes the password of a manager, who is locked, and its recovery codes. Returns whether there was one. */
export const deletePassword = async (db: Db, email: Email): Promise<boolean> => {
  await db.deleteFrom('recovery_code').where('email', '=', email).execute()
  const deleted = await db
    .deleteFrom('manager_password')
    .where('email', '=', email)
    .returning('email')
    .execute()
  return deleted.length > 0
}

const replaceCodes = async (db: Db, email: Email, digests: ReadonlyArray<TokenDigest>): Promise<void> => {
  await db.deleteFrom('recovery_code').where('email', '=', email).execute()
  if (digests.length > 0)
    await db
      .insertInto('recovery_code')
      .values(digests.map((digest) => ({ digest, email })))
      .execute()
}

const setHash = async (
  db: Db,
  email: Email,
  { hash, changedAt }: Pick<StoredPassword, 'hash' | 'changedAt'>,
): Promise<void> => {
  await db
    .updateTable('manager_password')
    .set({ hash, changed_at: changedAt })
    .where('email', '=', email)
    .execute()
}

const isSet = async (db: Db, email: Email): Promise<boolean> => O.isSome(await passwordOf(db, email))

/** Passwords of managers (M3). No cache holds anything of them. */
export const makePasswords = (database: Database): Passwords => ({
  set: (password, by = {}) =>
    changeCredential(database, password.email, by, async (db): Promise<E.Either<never, void>> => {
      const { email, recoveryCodes } = password
      const { email: _email, ...columns } = rowOf(password)
      await db
        .insertInto('manager_password')
        .values(rowOf(password))
        .onConflict((conflict) => conflict.column('email').doUpdateSet(columns))
        .execute()
      return E.right(await replaceCodes(db, email, recoveryCodes))
    }),

  find: (email) => database.read((db) => passwordOf(db, email)),

  owners: () =>
    database.read(async (db) => {
      const rows = await db.selectFrom('manager_password').select('email').execute()
      return new Set(rows.map(({ email }) => email))
    }),

  change: (email, change, by = {}) =>
    changeCredential(database, email, by, async (db): Promise<E.Either<PasswordNotFound, void>> => {
      if (!(await isSet(db, email))) return E.left(PASSWORD_NOT_FOUND)
      await ('recoveryCodes' in change
        ? replaceCodes(db, email, change.recoveryCodes)
        : setHash(db, email, change))
      return E.right(undefined)
    }),

  remove: (email, by = {}) =>
    changeCredential(
      database,
      email,
      by,
      async (db): Promise<E.Either<PasswordNotFound, void>> =>
        (await deletePassword(db, email)) ? E.right(undefined) : E.left(PASSWORD_NOT_FOUND),
    ),
})

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

  purge: makePurgeExpired(database, 'one_time_secret'),
})
