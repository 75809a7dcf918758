import type { Email, Instant } from '@almoner/domain'
import {
  type CheckedCredential,
  countedCodes,
  refusesCodes,
  type Session,
  USED_AHEAD,
  type UsedCode,
  withWrongCode,
} from '@almoner/domain/managers'
import { isInLife } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import type { Db } from '../../database/database.ts'
import { passwordOf } from './passwords.ts'

/** The row that takes the writes of attempts that count nowhere. No person has an empty address. */
const UNCOUNTED = '' as Email

const wrongCodesOf = async (db: Db, email: Email): Promise<ReadonlyArray<Instant>> => {
  const row = await db
    .selectFrom('wrong_code')
    .select('moments')
    .where('email', '=', email)
    .executeTakeFirst()
  return row === undefined ? [] : (JSON.parse(row.moments) as ReadonlyArray<Instant>)
}

const putWrongCodes = async (db: Db, email: Email, wrong: ReadonlyArray<Instant>): Promise<void> => {
  const moments = JSON.stringify(wrong)
  await db
    .insertInto('wrong_code')
    .values({ email, moments })
    .onConflict((conflict) => conflict.column('email').doUpdateSet({ moments }))
    .execute()
}

/** Uses a code up. Returns false if its step is not after the last used one, or the recovery code is not among those left. */
const useUp = async (db: Db, { email, openedAt }: Session, code: UsedCode): Promise<boolean> => {
  if ('recoveryCode' in code) {
    const used = await db
      .deleteFrom('recovery_code')
      .where('digest', '=', code.recoveryCode)
      .where('email', '=', email)
      .returning('digest')
      .execute()
    if (used.length === 0) return false
  }
  const all = db.updateTable('manager_password').where('email', '=', email)
  const used = await ('step' in code
    ? all
        .set({ used_step: code.step, last_used_at: openedAt })
        // The negation of `isUsedStep`.
        .where(({ or, eb }) =>
          or([eb('used_step', '<', code.step), eb('used_step', '>', code.step + USED_AHEAD)]),
        )
    : all.set({ last_used_at: openedAt })
  )
    .returning('email')
    .execute()
  return used.length > 0
}

/**
 * Uses up the code of a sign-in by password, or counts it if it is wrong (M9). An attempt with a wrong password, or while codes are refused, runs
 * the same statements, so that neither its time nor a failing write says which it was.
 */
const usesCode = async (
  db: Db,
  session: Session,
  isAdmitted: boolean,
  { hash, usedBy }: Extract<CheckedCredential, { way: 'password' }>,
): Promise<boolean> => {
  const { email, openedAt } = session
  const stored = await passwordOf(db, email)
  const wrong = await wrongCodesOf(db, email)
  const isRight = isAdmitted && O.isSome(stored) && O.toUndefined(hash) === stored.value.hash
  const isOpen = isRight && !refusesCodes(wrong, openedAt)
  const used = usedBy(stored)
  if (isOpen && O.isSome(used) && (await useUp(db, session, used.value))) {
    if (wrong.length > 0) await putWrongCodes(db, email, countedCodes(wrong, openedAt))
    return true
  }
  await putWrongCodes(db, isOpen ? email : UNCOUNTED, withWrongCode(wrong, openedAt))
  return false
}

/**
 * Returns whether the credential of a sign-in is still the one that was checked, and uses up what works once. The manager is locked, and
 * `isAdmitted` says whether it may sign in.
 */
export const isCurrent = async (
  db: Db,
  session: Session,
  isAdmitted: boolean,
  credential: CheckedCredential,
): Promise<boolean> => {
  const { email, openedAt } = session
  if (credential.way === 'password') return usesCode(db, session, isAdmitted, credential)
  if (!isAdmitted) return false
  switch (credential.way) {
    case 'link': {
      const taken = await db
        .deleteFrom('one_time_secret')
        .where('digest', '=', credential.link)
        .where('purpose', '=', 'sign-in')
        .where('email', '=', email)
        .where('expires_at', '>', openedAt)
        .returning(['expires_at', 'life'])
        .executeTakeFirst()
      return (
        taken !== undefined &&
        isInLife({ expiresAt: taken.expires_at, life: taken.life ?? undefined }, openedAt)
      )
    }
    case 'passkey': {
      const found = await db
        .selectFrom('passkey')
        .select('id')
        .where('id', '=', credential.passkey.id)
        .where('email', '=', email)
        .where('public_key', '=', credential.passkey.publicKey)
        .execute()
      return found.length > 0
    }
    default: {
      const { issuer, subject } = credential.identity
      const found = await db
        .selectFrom('manager_identity')
        .select('email')
        .where('email', '=', email)
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .execute()
      return found.length > 0
    }
  }
}
