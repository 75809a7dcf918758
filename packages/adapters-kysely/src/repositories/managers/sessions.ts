import type { Instant } from '@almoner/domain'
import type { TokenDigest } from '@almoner/domain/access'
import { type ActiveSession, isCurrentSession, type Session } from '@almoner/domain/managers'
import type { Sessions } from '@almoner/domain/ports'
import * as O from 'fp-ts/lib/Option.js'
import { findInLists } from '../../database/chunks.ts'
import type { Database, Db } from '../../database/database.ts'
import { compiledQuery, param } from '../../database/query.ts'
import { purgeExpired, quietly } from '../../database/writes.ts'
import type { ManagerSessionRow } from '../../schema/manager.table.ts'
import { recordUserAct, userNumber } from '../history/record-act.ts'
import { lockManager } from './manager-writes.ts'
import { managerOf } from './managers.ts'
import { isCurrent } from './sign-in-proof.ts'

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

  purge: (before) => purgeExpired(database, before, 'manager_session'),
})
