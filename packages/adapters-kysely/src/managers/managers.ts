import type { Email, Unavailable } from '@almoner/domain'
import type { Actor, TokenDigest } from '@almoner/domain/access'
import {
  changedManager,
  endsSessions,
  isLastOperator,
  LAST_OPERATOR,
  type LastOperator,
  MANAGER_NOT_FOUND,
  type Manager,
  type ManagerChange,
  type ManagerExists,
  type ManagerNotFound,
  managerChanges,
  NO_ACTIVE_SESSION,
  type NoSession,
  type NumberedManager,
} from '@almoner/domain/managers'
import type { ChangedBy, Managers } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Database, Db } from '../database/database.ts'
import { QUIET } from '../database/writes.ts'
import { numberOf, recordUserAct } from '../history.ts'
import type { ManagerRow } from '../schema/manager.table.ts'

const personOfSession = async (db: Db, by: TokenDigest): Promise<ReadonlyArray<Email>> => {
  const rows = await db.selectFrom('manager_session').select('email').where('digest', '=', by).execute()
  return rows.map(({ email }) => email)
}

/** Locks a manager: until the transaction ends, nothing disables, changes or erases this one. */
export const lockManager = (db: Db, email: Email): Promise<ManagerRow | undefined> =>
  db.selectFrom('manager').selectAll().where('email', '=', email).forUpdate().executeTakeFirst()

/** Locks the manager of an actor, and returns whether one is there and enabled. Other actors are no people who could go. */
export const isActorThere = async (db: Db, { kind, id }: Actor): Promise<boolean> => {
  if (kind !== 'person') return true
  const person = await db
    .selectFrom('user_number')
    .select('email')
    .where('id', '=', Number(id))
    .executeTakeFirst()
  return person !== undefined && (await lockManager(db, person.email))?.disabled === 0
}

/** Removes a person from the proposals that the person made, inside the transaction that disables or erases the person (C16, L1). */
export const forgetProposer = async (db: Db, email: Email): Promise<void> => {
  const number = await numberOf(db, email)
  if (number === undefined) return
  await db
    .updateTable('proposal')
    .set({ actor_kind: null, actor_id: null })
    .where('actor_kind', '=', 'person')
    .where('actor_id', '=', String(number))
    .execute()
}

/** The managers whose rows a write holds. */
interface LockedManagers {
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

/** Ends what a manager may do, and takes the name of a disabled one from proposals (C16). */
const endAccess = async (db: Db, { email, disabled }: Manager): Promise<void> => {
  await endSignIns(db, email)
  await db.deleteFrom('waiting_feed').where('email', '=', email).execute()
  if (disabled) await forgetProposer(db, email)
}

/** Writes what belongs to a manager, with the manager locked, and records it (K1). The work records nothing by itself. */
export const writeForManager = <L, A>(
  database: Database,
  email: Email,
  by: ChangedBy,
  work: (db: Db) => Promise<E.Either<L, A>>,
): TE.TaskEither<L | NoSession | Unavailable, A> =>
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
): TE.TaskEither<L | NoSession | Unavailable, A> =>
  writeForManager(database, email, by, async (db) => {
    const done = await work(db)
    if (E.isRight(done)) await endSignIns(db, email, by)
    return done
  })

/** Returns the manager of a row. */
export const managerOf = ({ email, name, lang, duty, disabled, time_zone }: ManagerRow): Manager => ({
  ...{ email, name, lang, duty },
  disabled: disabled === 1,
  ...(time_zone !== null && { timeZone: time_zone }),
})

const rowOf = ({ email, name, lang, duty, disabled, timeZone }: Manager): ManagerRow => ({
  ...{ email, name, lang, duty },
  disabled: disabled ? 1 : 0,
  time_zone: timeZone ?? null,
})

type ChangeFailure = ManagerNotFound | LastOperator | NoSession

/** Locks a manager that is changed, and enabled operators where one of them has to remain (L4). Returns the manager as it is. */
const lockForChange = async (
  db: Db,
  email: Email,
  change: ManagerChange,
  by: ChangedBy,
): Promise<E.Either<ChangeFailure, Manager>> => {
  const isOfAccess = endsSessions(change)
  const locked = await lockManagers(db, email, by, isOfAccess ? 'operators' : 'none')
  if (E.isLeft(locked)) return locked
  const { manager, operators } = locked.right
  if (manager === undefined) return E.left(MANAGER_NOT_FOUND)
  const before = managerOf(manager)
  const isRefused = isOfAccess && isLastOperator(operators, email, changedManager(before, change))
  return isRefused ? E.left(LAST_OPERATOR) : E.right(before)
}

/** Managers (M2). No cache holds anything of them. */
export const makeManagers = (database: Database): Managers => ({
  add: (manager, act) =>
    database.write(async (db): Promise<E.Either<ManagerExists, void>> => {
      const added = await db
        .insertInto('manager')
        .values(rowOf(manager))
        .onConflict((conflict) => conflict.column('email').doNothing())
        .returning('email')
        .executeTakeFirst()
      if (added === undefined) return E.left({ _tag: 'ManagerExists' })
      await recordUserAct(db, act, manager.email, managerChanges(undefined, manager), 'manager')
      return E.right(undefined)
    }, QUIET),

  find: (email) =>
    database.read(async (db) => {
      const row = await db.selectFrom('manager').selectAll().where('email', '=', email).executeTakeFirst()
      return O.map(managerOf)(O.fromNullable(row))
    }),

  all: () =>
    database.read(async (db): Promise<ReadonlyArray<Manager>> => {
      const rows = await db.selectFrom('manager').selectAll().orderBy('email').execute()
      return rows.map(managerOf)
    }),

  numbered: () =>
    database.read(async (db): Promise<ReadonlyArray<NumberedManager>> => {
      const rows = await db
        .selectFrom('manager')
        .innerJoin('user_number', 'user_number.email', 'manager.email')
        .selectAll('manager')
        .select('user_number.id as number')
        .orderBy('user_number.id')
        .execute()
      return rows.map((row) => ({ number: row.number, manager: managerOf(row) }))
    }),

  change: (email, change, by = {}) =>
    database.write(async (db): Promise<E.Either<ChangeFailure, Manager>> => {
      const locked = await lockForChange(db, email, change, by)
      if (E.isLeft(locked)) return locked
      const [before, after] = [locked.right, changedManager(locked.right, change)]
      const { lang, duty, disabled, time_zone } = rowOf(after)
      await db
        .updateTable('manager')
        .set({ lang, duty, disabled, time_zone })
        .where('email', '=', email)
        .execute()
      if (endsSessions(change)) await endAccess(db, after)
      const changes = managerChanges(before, after)
      if (changes.length > 0) await recordUserAct(db, by.act, email, changes, 'manager')
      return E.right(after)
    }, QUIET),
})
