import type { Email } from '@almoner/domain'
import { personActor } from '@almoner/domain/access'
import {
  IDENTITY_NOT_FOUND,
  type Identity,
  type IdentityNotFound,
  type IdentityNotLinked,
} from '@almoner/domain/managers'
import type { Identities } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Database, Db } from '../../database/database.ts'
import { QUIET, quietly } from '../../database/writes.ts'
import type { ManagerIdentityRow } from '../../schema/manager.table.ts'
import { recordUserAct, userNumber } from '../history/record-act.ts'
import { changeCredential, lockManagers } from './manager-writes.ts'

const identityOf = (row: ManagerIdentityRow): Identity => ({
  email: row.email,
  issuer: row.issuer,
  subject: row.subject,
  linkedAt: row.linked_at,
  lastUsedAt: row.last_used_at,
})

const rowOf = (identity: Identity): ManagerIdentityRow => ({
  email: identity.email,
  issuer: identity.issuer,
  subject: identity.subject,
  linked_at: identity.linkedAt,
  last_used_at: identity.lastUsedAt,
})

/** Returns the identity of a manager, if there is one. */
export const identityOfManager = async (db: Db, email: Email): Promise<O.Option<Identity>> => {
  const row = await db
    .selectFrom('manager_identity')
    .selectAll()
    .where('email', '=', email)
    .executeTakeFirst()
  return O.map(identityOf)(O.fromNullable(row))
}

/** Identities of managers (M3). No cache holds anything of them. */
export const makeIdentities = (database: Database): Identities => ({
  link: (identity) =>
    database.write(async (db): Promise<E.Either<IdentityNotLinked, void>> => {
      const { email, linkedAt } = identity
      const locked = await lockManagers(db, email, {})
      const isAdmitted = E.isRight(locked) && locked.right.manager?.disabled === 0
      if (!isAdmitted) return E.left({ _tag: 'IdentityNotLinked' })
      const linked = await db
        .insertInto('manager_identity')
        .values(rowOf(identity))
        .onConflict((conflict) => conflict.doNothing())
        .returning('email')
        .executeTakeFirst()
      if (linked === undefined) return E.left({ _tag: 'IdentityNotLinked' })
      const actor = personActor(await userNumber(db, email))
      await recordUserAct(db, { actor, action: 'link-identity', at: linkedAt }, email, [], 'manager')
      return E.right(undefined)
    }, QUIET),

  find: ({ issuer, subject }) =>
    database.read(async (db) => {
      const row = await db
        .selectFrom('manager_identity')
        .selectAll()
        .where('subject', '=', subject)
        .where('issuer', '=', issuer)
        .executeTakeFirst()
      return O.map(identityOf)(O.fromNullable(row))
    }),

  all: () =>
    database.read(async (db): Promise<ReadonlyArray<Identity>> => {
      const rows = await db.selectFrom('manager_identity').selectAll().orderBy('email').execute()
      return rows.map(identityOf)
    }),

  of: (email) => database.read((db) => identityOfManager(db, email)),

  use: ({ issuer, subject }, at) =>
    quietly(database, async (db) => {
      await db
        .updateTable('manager_identity')
        .set({ last_used_at: at })
        .where('subject', '=', subject)
        .where('issuer', '=', issuer)
        .execute()
    }),

  unlink: (email, by = {}) =>
    changeCredential(database, email, by, async (db): Promise<E.Either<IdentityNotFound, void>> => {
      const unlinked = await db
        .deleteFrom('manager_identity')
        .where('email', '=', email)
        .returning('email')
        .executeTakeFirst()
      return unlinked === undefined ? E.left(IDENTITY_NOT_FOUND) : E.right(undefined)
    }),
})
