import type { Email, ValidationFailed } from '@almoner/domain'
import type { PreconditionFailed } from '@almoner/domain/content'
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
import { addMillis, type Instant } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Database, Db } from '../database/database.ts'
import { purging, QUIET } from '../database/writes.ts'
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

type PutFault = ManagerNotFound | PreconditionFailed | ValidationFailed

const PRECONDITION_FAILED: PreconditionFailed = { _tag: 'PreconditionFailed' }

const isOther = (before: Instant | undefined, expected: O.Option<Instant> | undefined): boolean =>
  expected !== undefined && O.toUndefined(expected) !== before

const laterThan = (before: Instant | undefined, now: Instant): Instant =>
  before === undefined || before < now ? now : addMillis(before, 1)

const momentOf = async (db: Db, email: Email, key: CopyKey): Promise<Instant | undefined> => {
  const row = await db
    .selectFrom('working_copy')
    .select('updated_at')
    .where('email', '=', email)
    .where('key', '=', key)
    .executeTakeFirst()
  return row?.updated_at
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
  put: (copy, expected) =>
    database.write(async (db): Promise<E.Either<PutFault, Instant>> => {
      // The lock lets one copy of a manager in at a time, and none while the manager is erased.
      if ((await lockManager(db, copy.email)) === undefined) return E.left(MANAGER_NOT_FOUND)
      if (!(await hasRoom(db, copy.email, copy.key))) return E.left(tooManyCopies())
      const before = await momentOf(db, copy.email, copy.key)
      if (isOther(before, expected)) return E.left(PRECONDITION_FAILED)
      const updatedAt = expected === undefined ? copy.updatedAt : laterThan(before, copy.updatedAt)
      const row = rowOf({ ...copy, updatedAt })
      const { email: _email, key: _key, ...changed } = row
      await db
        .insertInto('working_copy')
        .values(row)
        .onConflict((conflict) => conflict.columns(['email', 'key']).doUpdateSet(changed))
        .execute()
      return E.right(updatedAt)
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

  remove: (email, key, expected) =>
    database.write(async (db): Promise<E.Either<PreconditionFailed, void>> => {
      // The lock keeps the copy as it is between the look and the deletion.
      if (expected !== undefined) await lockManager(db, email)
      const before = await momentOf(db, email, key)
      if (before !== undefined && isOther(before, expected)) return E.left(PRECONDITION_FAILED)
      await db.deleteFrom('working_copy').where('email', '=', email).where('key', '=', key).execute()
      return E.right(undefined)
    }, QUIET),

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
