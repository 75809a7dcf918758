import type { Email } from '@almoner/domain'
import { personActor } from '@almoner/domain/access'
import {
  IDENTITY_NOT_FOUND,
  type Identity,
  type IdentityNotFound,
  type IdentityNotLinked,
  MOST_PASSKEYS,
  NO_ACTIVE_SESSION,
  type NoSession,
  PASSKEY_NOT_FOUND,
  type Passkey,
  type PasskeyNotFound,
  type PasskeyNotStored,
} from '@almoner/domain/managers'
import type { Identities, Passkeys, WaitingFeed, WaitingFeeds } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Database, Db } from '../database/database.ts'
import { QUIET, quietly } from '../database/writes.ts'
import { recordUserAct, userNumber } from '../history.ts'
import type { ManagerIdentityRow, PasskeyRow } from '../schema/manager.table.ts'
import { changeCredential, lockManagers, managerOf, writeForManager } from './managers.ts'

const passkeyOf = (row: PasskeyRow): Passkey => ({
  id: row.id,
  email: row.email,
  name: row.name,
  publicKey: row.public_key,
  signCount: row.sign_count,
  createdAt: row.created_at,
  lastUsedAt: O.fromNullable(row.last_used_at),
})

const passkeyRowOf = (passkey: Passkey): PasskeyRow => ({
  id: passkey.id,
  email: passkey.email,
  name: passkey.name,
  public_key: passkey.publicKey,
  sign_count: passkey.signCount,
  created_at: passkey.createdAt,
  last_used_at: O.toNullable(passkey.lastUsedAt),
})

/** Returns the passkeys of a manager, in the order in which they were added. */
export const passkeysOf = async (db: Db, email: Email): Promise<ReadonlyArray<Passkey>> => {
  const rows = await db
    .selectFrom('passkey')
    .selectAll()
    .where('email', '=', email)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(passkeyOf)
}

const NOT_STORED: PasskeyNotStored = { _tag: 'PasskeyNotStored' }

/** Passkeys of managers (M3). No cache holds anything of them. */
export const makePasskeys = (database: Database): Passkeys => ({
  add: (passkey, by = {}) =>
    // The manager is locked: two additions at a time do not exceed the limit.
    writeForManager(database, passkey.email, by, async (db): Promise<E.Either<PasskeyNotStored, void>> => {
      const { email } = passkey
      if ((await passkeysOf(db, email)).length >= MOST_PASSKEYS) return E.left(NOT_STORED)
      const added = await db
        .insertInto('passkey')
        .values(passkeyRowOf(passkey))
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning('id')
        .executeTakeFirst()
      return added === undefined ? E.left(NOT_STORED) : E.right(undefined)
    }),

  find: (id) =>
    database.read(async (db) => {
      const row = await db.selectFrom('passkey').selectAll().where('id', '=', id).executeTakeFirst()
      return O.map(passkeyOf)(O.fromNullable(row))
    }),

  of: (email) => database.read((db) => passkeysOf(db, email)),

  use: ({ id, signCount }, at) =>
    quietly(database, async (db) => {
      await db
        .updateTable('passkey')
        .set({ sign_count: signCount, last_used_at: at })
        .where('id', '=', id)
        .execute()
    }),

  rename: ({ email, id, name }, { by, act } = {}) =>
    database.write(async (db): Promise<E.Either<PasskeyNotFound | NoSession, Passkey>> => {
      const locked = await lockManagers(db, email, by === undefined ? {} : { by })
      if (E.isLeft(locked)) return locked
      const row = await db
        .selectFrom('passkey')
        .selectAll()
        .where('id', '=', id)
        .where('email', '=', email)
        .executeTakeFirst()
      if (row === undefined) return E.left(PASSKEY_NOT_FOUND)
      await db.updateTable('passkey').set({ name }).where('id', '=', id).execute()
      if (row.name !== name) await recordUserAct(db, act, email, [], 'manager')
      return E.right(passkeyOf({ ...row, name }))
    }, QUIET),

  remove: ({ email, id }, by = {}) =>
    changeCredential(database, email, by, async (db): Promise<E.Either<PasskeyNotFound, void>> => {
      const removed = await db
        .deleteFrom('passkey')
        .where('id', '=', id)
        .where('email', '=', email)
        .returning('id')
        .executeTakeFirst()
      return removed === undefined ? E.left(PASSKEY_NOT_FOUND) : E.right(undefined)
    }),
})

const identityOf = (row: ManagerIdentityRow): Identity => ({
  email: row.email,
  issuer: row.issuer,
  subject: row.subject,
  linkedAt: row.linked_at,
  lastUsedAt: row.last_used_at,
})

const identityRowOf = (identity: Identity): ManagerIdentityRow => ({
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
        .values(identityRowOf(identity))
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

/** Returns the waiting feed of a manager. */
export const waitingFeedOf = async (db: Db, email: Email): Promise<O.Option<WaitingFeed>> => {
  const row = await db.selectFrom('waiting_feed').selectAll().where('email', '=', email).executeTakeFirst()
  return row === undefined ? O.none : O.some({ digest: row.digest, email: row.email, madeAt: row.made_at })
}

/** Deletes the waiting feed of a manager, and returns whether there was one. */
export const deleteWaitingFeed = async (db: Db, email: Email): Promise<boolean> => {
  const rows = await db.deleteFrom('waiting_feed').where('email', '=', email).returning('email').execute()
  return rows.length > 0
}

/** Waiting feeds of managers (M14). No cache holds anything of them. */
export const makeWaitingFeeds = (database: Database): WaitingFeeds => ({
  put: ({ digest, email, madeAt }, by = {}) =>
    database.write(async (db): Promise<E.Either<NoSession, void>> => {
      const locked = await lockManagers(db, email, by)
      if (E.isLeft(locked)) return locked
      if (locked.right.manager?.disabled !== 0) return E.left(NO_ACTIVE_SESSION)
      const made = { digest, made_at: madeAt }
      await db
        .insertInto('waiting_feed')
        .values({ email, ...made })
        .onConflict((conflict) => conflict.column('email').doUpdateSet(made))
        .execute()
      await recordUserAct(db, by.act, email, [], 'manager')
      return E.right(undefined)
    }, QUIET),

  find: (digest) =>
    database.read(async (db) => {
      const row = await db
        .selectFrom('waiting_feed')
        .innerJoin('manager', 'manager.email', 'waiting_feed.email')
        .selectAll('manager')
        .where('waiting_feed.digest', '=', digest)
        .executeTakeFirst()
      return O.map(managerOf)(O.fromNullable(row))
    }),

  of: (email) => database.read((db) => waitingFeedOf(db, email)),

  remove: (email, by = {}) =>
    database.write(async (db): Promise<E.Either<NoSession, void>> => {
      const locked = await lockManagers(db, email, by)
      if (E.isLeft(locked)) return locked
      if (await deleteWaitingFeed(db, email)) await recordUserAct(db, by.act, email, [], 'manager')
      return E.right(undefined)
    }, QUIET),
})
