import type { Email } from '@almoner/domain'
import {
  MOST_PASSKEYS,
  type NoSession,
  PASSKEY_NOT_FOUND,
  type Passkey,
  type PasskeyNotFound,
  type PasskeyNotStored,
} from '@almoner/domain/managers'
import type { Passkeys } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Database, Db } from '../../database/database.ts'
import { QUIET, quietly } from '../../database/writes.ts'
import type { PasskeyRow } from '../../schema/manager.table.ts'
import { recordUserAct } from '../history/record-act.ts'
import { changeCredential, lockManagers, writeForManager } from './manager-writes.ts'

const passkeyOf = (row: PasskeyRow): Passkey => ({
  id: row.id,
  email: row.email,
  name: row.name,
  publicKey: row.public_key,
  signCount: row.sign_count,
  createdAt: row.created_at,
  lastUsedAt: O.fromNullable(row.last_used_at),
})

const rowOf = (passkey: Passkey): PasskeyRow => ({
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
        .values(rowOf(passkey))
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
