import type { Email, ValidationFailed } from '@almoner/domain'
import {
  type CopyFields,
  type CopyKey,
  type CopySummary,
  MANAGER_NOT_FOUND,
  type ManagerNotFound,
  MOST_COPIES,
  titleOf,
  tooManyCopies,
  type WorkingCopy,
  writeFields,
} from '@almoner/domain/managers'
import type { WorkingCopies } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Database, Db } from '../database/database.ts'
import { purging, QUIET, quietly } from '../database/writes.ts'
import type { WorkingCopyRow } from '../schema/working-copy.table.ts'
import { lockManager } from './managers.ts'

/** Copies that one `purge` deletes at most. */
const PURGE = 500

const SUMMARY = ['email', 'key', 'content_type', 'base_etag', 'title', 'updated_at'] as const

const summaryOf = (row: Omit<WorkingCopyRow, 'fields'>): CopySummary => ({
  ...{ email: row.email, key: row.key, contentType: row.content_type, baseETag: row.base_etag },
  title: row.title,
  updatedAt: row.updated_at,
})

const copyOf = (row: WorkingCopyRow): WorkingCopy => {
  const { title: _, ...copy } = summaryOf(row)
  return { ...copy, fields: JSON.parse(row.fields) as CopyFields }
}

const rowOf = (copy: WorkingCopy): WorkingCopyRow => ({
  email: copy.email,
  key: copy.key,
  content_type: copy.contentType,
  base_etag: copy.baseETag,
  title: titleOf(copy.fields),
  fields: writeFields(copy.fields),
  updated_at: copy.updatedAt,
})

const hasRoom = async (db: Db, email: Email, key: CopyKey): Promise<boolean> => {
  const rows = await db.selectFrom('working_copy').select('key').where('email', '=', email).execute()
  return rows.length < MOST_COPIES || rows.some((row) => row.key === key)
}

/** Returns all copies of a manager, the latest change first. */
export const copiesOf = async (db: Db, email: Email): Promise<ReadonlyArray<WorkingCopy>> => {
  const rows = await db
    .selectFrom('working_copy')
    .selectAll()
    .where('email', '=', email)
    .orderBy('updated_at', 'desc')
    .orderBy('key')
    .execute()
  return rows.map(copyOf)
}

/** Working copies by manager and key (M7). */
export const makeWorkingCopies = (database: Database): WorkingCopies => ({
  put: (copy) =>
    database.write(async (db): Promise<E.Either<ManagerNotFound | ValidationFailed, void>> => {
      // The lock lets one copy of a manager in at a time, and none while the manager is erased.
      if ((await lockManager(db, copy.email)) === undefined) return E.left(MANAGER_NOT_FOUND)
      if (!(await hasRoom(db, copy.email, copy.key))) return E.left(tooManyCopies())
      const { email: _email, key: _key, ...changed } = rowOf(copy)
      await db
        .insertInto('working_copy')
        .values(rowOf(copy))
        .onConflict((conflict) => conflict.columns(['email', 'key']).doUpdateSet(changed))
        .execute()
      return E.right(undefined)
    }, QUIET),

  find: (email, key) =>
    database.read(async (db) => {
      const row = await db
        .selectFrom('working_copy')
        .selectAll()
        .where('email', '=', email)
        .where('key', '=', key)
        .executeTakeFirst()
      return O.map(copyOf)(O.fromNullable(row))
    }),

  of: (email) =>
    database.read(async (db): Promise<ReadonlyArray<CopySummary>> => {
      const rows = await db
        .selectFrom('working_copy')
        .select(SUMMARY)
        .where('email', '=', email)
        .orderBy('updated_at', 'desc')
        .orderBy('key')
        .execute()
      return rows.map(summaryOf)
    }),

  remove: (email, key) =>
    quietly(database, async (db) => {
      await db.deleteFrom('working_copy').where('email', '=', email).where('key', '=', key).execute()
    }),

  purge: (before) =>
    purging(
      database,
      async (db) => {
        const old = await db
          .selectFrom('working_copy')
          .select(['email', 'key'])
          .where('updated_at', '<', before)
          .orderBy('updated_at')
          .limit(PURGE)
          .execute()
        for (const { email, key } of old)
          await db
            .deleteFrom('working_copy')
            .where('email', '=', email)
            .where('key', '=', key)
            .where('updated_at', '<', before)
            .execute()
        return old.length
      },
      QUIET,
    ),
})
