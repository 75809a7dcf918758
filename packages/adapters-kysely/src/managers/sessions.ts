import type { Email, Instant } from '@almoner/domain'
import type { TokenDigest } from '@almoner/domain/access'
import {
  type ActiveSession,
  type CheckedCredential,
  countedCodes,
  isCurrentSession,
  type PreviewToken,
  refusesCodes,
  type Session,
  USED_AHEAD,
  type UsedCode,
  withWrongCode,
} from '@almoner/domain/managers'
import type { PreviewTokens, Sessions } from '@almoner/domain/ports'
import { isInLife } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { compiledQuery, type Database, type Db, param } from '../database/database.ts'
import { makePurgeExpired } from '../database/purges.ts'
import { findInLists, quietly } from '../database/writes.ts'
import { recordUserAct, userNumber } from '../history.ts'
import type { ManagerSessionRow, PreviewTokenRow } from '../schema/manager.table.ts'
import { lockManager, managerOf } from './managers.ts'
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
const isCurrent = async (
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

const sessionOf = (row: ManagerSessionRow): Session => ({
  digest: row.digest,
  email: row.email,
  openedAt: row.opened_at,
  lastSeenAt: row.last_seen_at,
  idleEndsAt: row.idle_ends_at,
  endsAt: row.ends_at,
  confirmedAt: row.confirmed_at,
  browser: row.browser,
})

const rowOf = (session: Session): ManagerSessionRow => ({
  digest: session.digest,
  email: session.email,
  opened_at: session.openedAt,
  last_seen_at: session.lastSeenAt,
  idle_ends_at: session.idleEndsAt,
  ends_at: session.endsAt,
  confirmed_at: session.confirmedAt,
  browser: session.browser,
})

/** Every request of the console looks its session up, so the statement is compiled once. */
const find = (database: Database): Sessions['find'] => {
  const select = compiledQuery((db) =>
    db
      .selectFrom('manager_session')
      .innerJoin('manager', 'manager.email', 'manager_session.email')
      .innerJoin('user_number', 'user_number.email', 'manager_session.email')
      .selectAll('manager_session')
      .select([
        'manager.name',
        'manager.lang',
        'manager.duty',
        'manager.disabled',
        'manager.time_zone',
        'user_number.id as number',
      ])
      .where('manager_session.digest', '=', param<TokenDigest>(0))
      .where('manager_session.idle_ends_at', '>', param<Instant>(1))
      .where('manager_session.ends_at', '>', param<Instant>(2))
      .where('manager.disabled', '=', 0)
      .compile(),
  )
  return (digest, now) =>
    database.read(async (db): Promise<O.Option<ActiveSession>> => {
      const [row] = await select(db, [digest, now, now])
      return row === undefined || !isCurrentSession(sessionOf(row), now)
        ? O.none
        : O.some({ session: sessionOf(row), manager: managerOf(row), number: row.number })
    })
}

const current = (database: Database): Sessions['current'] => {
  const select = (db: Db, digests: ReadonlyArray<TokenDigest>, now: Instant) =>
    db
      .selectFrom('manager_session')
      .innerJoin('manager', 'manager.email', 'manager_session.email')
      .selectAll('manager_session')
      .where('manager_session.digest', 'in', digests)
      .where('manager_session.idle_ends_at', '>', now)
      .where('manager_session.ends_at', '>', now)
      .where('manager.disabled', '=', 0)
      .execute()
  return (digests, now) =>
    database.read(async (db): Promise<ReadonlySet<TokenDigest>> => {
      const rows = await findInLists(digests, (list) => select(db, list, now))
      return new Set(rows.map(sessionOf).flatMap((one) => (isCurrentSession(one, now) ? [one.digest] : [])))
    })
}

/** Sessions by their digest (M4). */
export const makeSessions = (database: Database): Sessions => ({
  open: (session, { duty, credential }) =>
    quietly(database, async (db): Promise<O.Option<number>> => {
      const { email } = session
      const row = await lockManager(db, email)
      const isAdmitted = row !== undefined && row.disabled === 0 && row.duty === duty
      if (!(await isCurrent(db, session, isAdmitted, credential))) return O.none
      await db.insertInto('manager_session').values(rowOf(session)).execute()
      return O.some(await userNumber(db, email))
    }),

  find: find(database),

  current: current(database),

  touch: ({ digest, lastSeenAt, idleEndsAt }) =>
    quietly(database, async (db) => {
      await db
        .updateTable('manager_session')
        .set({ last_seen_at: lastSeenAt, idle_ends_at: idleEndsAt })
        .where('digest', '=', digest)
        .execute()
    }),

  end: (digest) =>
    quietly(database, async (db) => {
      const ended = await db
        .deleteFrom('manager_session')
        .where('digest', '=', digest)
        .returning('digest')
        .execute()
      return ended.length > 0
    }),

  endAll: (email, { except, act } = {}) =>
    quietly(database, async (db) => {
      const all = db.deleteFrom('manager_session').where('email', '=', email)
      const some = except === undefined ? all : all.where('digest', '<>', except)
      const ended = await some.returning('digest').execute()
      if (ended.length > 0) await recordUserAct(db, act, email, [], 'manager')
      return ended.length
    }),

  of: (email, now) =>
    database.read(async (db): Promise<ReadonlyArray<Session>> => {
      const rows = await db
        .selectFrom('manager_session')
        .selectAll()
        .where('email', '=', email)
        .where('idle_ends_at', '>', now)
        .where('ends_at', '>', now)
        .orderBy('opened_at', 'desc')
        .orderBy('digest')
        .execute()
      return rows.map(sessionOf).filter((session) => isCurrentSession(session, now))
    }),

  purge: makePurgeExpired(database, 'manager_session'),
})

/** Preview tokens by their digest (A11). No cache holds anything of them. */
export const makePreviewTokens = (database: Database): PreviewTokens => ({
  add: ({ contentType, itemId, expiresAt, ...token }) =>
    quietly(database, async (db) => {
      const row: PreviewTokenRow = {
        ...token,
        content_type: contentType,
        item_id: itemId,
        expires_at: expiresAt,
      }
      await db.insertInto('preview_token').values(row).execute()
    }),

  find: (digest, now) =>
    database.read(async (db): Promise<O.Option<PreviewToken>> => {
      const row = await db
        .selectFrom('preview_token')
        .selectAll()
        .where('digest', '=', digest)
        .executeTakeFirst()
      if (row === undefined) return O.none
      const { content_type: contentType, item_id: itemId, expires_at: expiresAt, ...token } = row
      return isInLife({ expiresAt, life: token.life }, now)
        ? O.some({ ...token, contentType, itemId, expiresAt })
        : O.none
    }),

  purge: makePurgeExpired(database, 'preview_token'),
})
