import type { Email, Instant } from '@almoner/domain'
import { PASSWORD_NOT_FOUND, type PasswordNotFound, type StoredPassword } from '@almoner/domain/access'
import type { PasswordOptions, Passwords, TokenDigest } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Database, Db } from '../../database/database.ts'
import { QUIET, quietly } from '../../database/writes.ts'
import type { ManagerPasswordRow } from '../../schema/manager.table.ts'
import { recordUserAct } from '../history/record-act.ts'

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

/** Locks the password of a manager, before its recovery codes are written, and returns whether there is one. */
const lockPassword = async (db: Db, email: Email): Promise<boolean> => {
  const row = await db
    .selectFrom('manager_password')
    .select('email')
    .where('email', '=', email)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes the password of a manager and its recovery codes. Returns whether there was one. */
export const deletePassword = async (db: Db, email: Email): Promise<boolean> => {
  if (!(await lockPassword(db, email))) return false
  await db.deleteFrom('recovery_code').where('email', '=', email).execute()
  await db.deleteFrom('manager_password').where('email', '=', email).execute()
  return true
}

const replaceCodes = async (db: Db, email: Email, digests: ReadonlyArray<TokenDigest>): Promise<void> => {
  await db.deleteFrom('recovery_code').where('email', '=', email).execute()
  if (digests.length > 0)
    await db
      .insertInto('recovery_code')
      .values(digests.map((digest) => ({ digest, email })))
      .execute()
}

const endSessions = async (db: Db, email: Email, { except }: PasswordOptions): Promise<void> => {
  const all = db.deleteFrom('manager_session').where('email', '=', email)
  await (except === undefined ? all : all.where('digest', '<>', except)).execute()
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

/** Uses the step of a code up. */
const useStep = async (db: Db, email: Email, step: number, at: Instant): Promise<boolean> => {
  const used = await db
    .updateTable('manager_password')
    .set({ used_step: step, last_used_at: at })
    .where('email', '=', email)
    .where('used_step', '<', step)
    .returning('email')
    .executeTakeFirst()
  return used !== undefined
}

/** Uses a recovery code up. */
const useRecoveryCode = async (db: Db, email: Email, digest: TokenDigest, at: Instant): Promise<boolean> => {
  await lockPassword(db, email)
  const used = await db
    .deleteFrom('recovery_code')
    .where('digest', '=', digest)
    .where('email', '=', email)
    .returning('digest')
    .executeTakeFirst()
  if (used === undefined) return false
  await db.updateTable('manager_password').set({ last_used_at: at }).where('email', '=', email).execute()
  return true
}

/** Passwords of managers (M3). No cache holds anything of them. */
export const makePasswords = (database: Database): Passwords => ({
  set: (password, options = {}) =>
    quietly(database, async (db) => {
      const { email, recoveryCodes } = password
      const { email: _email, ...columns } = rowOf(password)
      await db
        .insertInto('manager_password')
        .values(rowOf(password))
        .onConflict((conflict) => conflict.column('email').doUpdateSet(columns))
        .execute()
      await replaceCodes(db, email, recoveryCodes)
      await endSessions(db, email, options)
      await recordUserAct(db, options.act, email, [], 'manager')
    }),

  find: (email) => database.read((db) => passwordOf(db, email)),

  owners: () =>
    database.read(async (db) => {
      const rows = await db.selectFrom('manager_password').select('email').execute()
      return new Set(rows.map(({ email }) => email))
    }),

  change: (email, change, options = {}) =>
    database.write(async (db): Promise<E.Either<PasswordNotFound, void>> => {
      if (!(await lockPassword(db, email))) return E.left(PASSWORD_NOT_FOUND)
      if ('recoveryCodes' in change) await replaceCodes(db, email, change.recoveryCodes)
      else {
        await setHash(db, email, change)
        await endSessions(db, email, options)
      }
      await recordUserAct(db, options.act, email, [], 'manager')
      return E.right(undefined)
    }, QUIET),

  use: (email, code, at) =>
    quietly(database, (db) =>
      'step' in code ? useStep(db, email, code.step, at) : useRecoveryCode(db, email, code.recoveryCode, at),
    ),

  remove: (email, options = {}) =>
    database.write(async (db): Promise<E.Either<PasswordNotFound, void>> => {
      if (!(await deletePassword(db, email))) return E.left(PASSWORD_NOT_FOUND)
      await endSessions(db, email, options)
      await recordUserAct(db, options.act, email, [], 'manager')
      return E.right(undefined)
    }, QUIET),
})
