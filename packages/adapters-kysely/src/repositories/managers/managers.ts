import type { Email } from '@almoner/domain'
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
  type NoSession,
  type NumberedManager,
} from '@almoner/domain/managers'
import type { ChangedBy, Managers } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Database, Db } from '../../database/database.ts'
import { QUIET } from '../../database/writes.ts'
import { flag } from '../../schema/columns.ts'
import type { ManagerRow } from '../../schema/manager.table.ts'
import { recordUserAct } from '../history/record-act.ts'
import { endSignIns, lockManagers } from './manager-writes.ts'

/** Returns the manager of a row. */
export const managerOf = ({ email, name, lang, duty, disabled, time_zone }: ManagerRow): Manager => ({
  ...{ email, name, lang, duty },
  disabled: disabled === 1,
  ...(time_zone !== null && { timeZone: time_zone }),
})

const rowOf = ({ email, name, lang, duty, disabled, timeZone }: Manager): ManagerRow => ({
  ...{ email, name, lang, duty },
  disabled: flag(disabled),
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
      if (endsSessions(change)) await endSignIns(db, email)
      const changes = managerChanges(before, after)
      if (changes.length > 0) await recordUserAct(db, by.act, email, changes, 'manager')
      return E.right(after)
    }, QUIET),
})
