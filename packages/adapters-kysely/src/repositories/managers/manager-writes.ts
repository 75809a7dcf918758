import type { Email } from '@almoner/domain'
import type { TokenDigest } from '@almoner/domain/access'
import { NO_ACTIVE_SESSION, type NoSession } from '@almoner/domain/managers'
import type { ChangedBy } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import type { Database, Db } from '../../database/database.ts'
import { QUIET } from '../../database/writes.ts'
import type { ManagerRow } from '../../schema/manager.table.ts'
import { recordUserAct } from '../history/record-act.ts'

const personOfSession = async (db: Db, by: TokenDigest): Promise<ReadonlyArray<Email>> => {
  const rows = await db.selectFrom('manager_session').select('email').where('digest', '=', by).execute()
  return rows.map(({ email }) => email)
}

/** Locks a manager: until the transaction ends, nothing disables, changes or erases this one. */
export const lockManager = (db: Db, email: Email): Promise<ManagerRow | undefined> =>
  db.selectFrom('manager').selectAll().where('email', '=', email).forUpdate().executeTakeFirst()

/** The managers whose rows a write holds. */
export interface LockedManagers {
  /** The row of the manager that is written. */
  readonly manager: ManagerRow | undefined
  /** The addresses of all enabled operators, if the write asked for them. */
  readonly operators: ReadonlyArray<Email>
}

/**
 * Locks a manager and the person whose session makes the change, before all else that belongs to them; a sign-in does the same. So a session is
 * opened either before a change, which then ends it, or after it (M3). Rows are locked by address, so that two people who act on each other do
 * not wait for each other for ever.
 * @param others 'operators' also locks all enabled operators, so that one of them remains (L4)
 */
export const lockManagers = async (
  db: Db,
  email: Email,
  { by }: ChangedBy,
  others: 'none' | 'operators' = 'none',
): Promise<E.Either<NoSession, LockedManagers>> => {
  const people = by === undefined ? [] : await personOfSession(db, by)
  const rows = await db
    .selectFrom('manager')
    .selectAll()
    .where(({ eb, and, or }) =>
      or([
        eb('email', 'in', [email, ...people]),
        ...(others === 'operators' ? [and([eb('duty', '=', 'operator'), eb('disabled', '=', 0)])] : []),
      ]),
    )
    .orderBy('email')
    .forUpdate()
    .execute()
  // The session may have ended while this waited for the locks.
  if (by !== undefined && (await personOfSession(db, by)).length === 0) return E.left(NO_ACTIVE_SESSION)
  return E.right({
    manager: rows.find((row) => row.email === email),
    operators: rows
      .filter(({ duty, disabled }) => duty === 'operator' && disabled === 0)
      .map((row) => row.email),
  })
}

/** Ends the sessions of a manager but the one that makes the change, and deletes the manager's one-time secrets (M4). */
export const endSignIns = async (db: Db, email: Email, { by }: ChangedBy = {}): Promise<void> => {
  const sessions = db.deleteFrom('manager_session').where('email', '=', email)
  await (by === undefined ? sessions : sessions.where('digest', '<>', by)).execute()
  await db.deleteFrom('one_time_secret').where('email', '=', email).execute()
}

/** Writes what belongs to a manager, with the manager locked, and records it (K1). The work records nothing by itself. */
export const writeForManager = <L, A>(
  database: Database,
  email: Email,
  by: ChangedBy,
  work: (db: Db) => Promise<E.Either<L, A>>,
) =>
  database.write(async (db): Promise<E.Either<L | NoSession, A>> => {
    const locked = await lockManagers(db, email, by)
    if (E.isLeft(locked)) return locked
    const done = await work(db)
    if (E.isRight(done)) await recordUserAct(db, by.act, email, [], 'manager')
    return done
  }, QUIET)

/** As {@link writeForManager}, for a credential that is changed or removed: the manager's other sign-ins end (M4). */
export const changeCredential = <L, A>(
  database: Database,
  email: Email,
  by: ChangedBy,
  work: (db: Db) => Promise<E.Either<L, A>>,
) =>
  writeForManager(database, email, by, async (db) => {
    const done = await work(db)
    if (E.isRight(done)) await endSignIns(db, email, by)
    return done
  })
