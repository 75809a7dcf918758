import type { Email, ValidationFailed } from '@almoner/domain'
import type { PreconditionFailed } from '@almoner/domain/content'
import {
  type CopyKey,
  type CopySummary,
  copyImages,
  MANAGER_NOT_FOUND,
  type ManagerNotFound,
  MOST_COPIES,
  MOST_COPY_IMAGES,
  titleOf,
  tooManyCopies,
  type WorkingCopy,
  writeFields,
} from '@almoner/domain/managers'
import type { MediaName } from '@almoner/domain/media'
import type { WorkingCopies } from '@almoner/domain/ports'
import { addMillis, type Instant, type TypedFields } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Database, Db } from '../database/database.ts'
import { paddedInLists, purging, QUIET } from '../database/writes.ts'
import { addKnown, forgetUnheld, knownAmong, noteRelease } from '../media.ts'
import type { WorkingCopyImageRow, WorkingCopyRow } from '../schema/working-copy.table.ts'
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
  return { ...copy, fields: JSON.parse(row.fields) as TypedFields }
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

/** Makes a copy hold further images. */
const hold = async (
  db: Db,
  { email, key, at }: { readonly email: Email; readonly key: CopyKey; readonly at: Instant },
  names: Iterable<MediaName>,
): Promise<void> => {
  const rows = [...names].map((name) => ({ email, key, name, added_at: at }))
  if (rows.length > 0)
    await db
      .insertInto('working_copy_image')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['email', 'key', 'name']).doNothing())
      .execute()
}

/** Deletes the working copies of a manager. Returns the images that they held. */
export const deleteCopies = async (db: Db, email: Email): Promise<ReadonlyArray<MediaName>> => {
  await db.deleteFrom('working_copy').where('email', '=', email).execute()
  const held = await db
    .deleteFrom('working_copy_image')
    .where('email', '=', email)
    .returning('name')
    .execute()
  return held.map(({ name }) => name)
}

/** Forgets those of some images that nothing holds any more, and returns them. */
export const forgetImages = async (
  db: Db,
  names: ReadonlyArray<MediaName>,
): Promise<ReadonlyArray<MediaName>> => {
  const forgotten = []
  for (const list of paddedInLists([...new Set(names)].sort())) {
    await knownAmong(db, list)
    forgotten.push(...(await forgetUnheld(db, list)))
  }
  return forgotten
}

/** Ends some holds. Returns their images. */
const endHolds = async (
  db: Db,
  holds: ReadonlyArray<Pick<WorkingCopyImageRow, 'email' | 'key' | 'name'>>,
): Promise<ReadonlyArray<MediaName>> => {
  for (const { email, key, name } of holds)
    await db
      .deleteFrom('working_copy_image')
      .where('email', '=', email)
      .where('key', '=', key)
      .where('name', '=', name)
      .execute()
  return holds.map(({ name }) => name)
}

/** Ends the holds of the oldest images that no copy of a manager names, if there are too many. Returns them. */
const dropSurplus = async (db: Db, email: Email): Promise<ReadonlyArray<MediaName>> => {
  const rows = await db
    .selectFrom('working_copy_image')
    .select(['email', 'key', 'name'])
    .where('email', '=', email)
    .orderBy('added_at')
    .execute()
  if (rows.length <= MOST_COPY_IMAGES) return []
  const named = new Set((await copiesOf(db, email)).flatMap(({ fields }) => copyImages(fields)))
  const old = rows.filter(({ name }) => !named.has(name)).slice(0, rows.length - MOST_COPY_IMAGES)
  return endHolds(db, old)
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

/** Ends the holds of some images that were added before a moment, and whose copies are gone. Returns the images. */
const dropLeft = async (db: Db, before: Instant): Promise<ReadonlyArray<MediaName>> => {
  const left = await db
    .selectFrom('working_copy_image as image')
    .select(['image.email', 'image.key', 'image.name'])
    .where('image.added_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('working_copy as copy')
            .select('copy.key')
            .whereRef('copy.email', '=', 'image.email')
            .whereRef('copy.key', '=', 'image.key'),
        ),
      ),
    )
    .orderBy('image.added_at')
    .limit(PURGE)
    .execute()
  return endHolds(db, left)
}

/** Notes that copies no longer hold images, so that they are known for an hour longer (D5). */
const release = async (db: Db, names: ReadonlyArray<MediaName>, at: Instant): Promise<void> => {
  for (const list of paddedInLists([...new Set(names)].sort())) await noteRelease(db, list, at)
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
      const { email, key } = copy
      await hold(db, { email, key, at: updatedAt }, await knownAmong(db, copyImages(copy.fields)))
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

  addImage: (email, key, image, at) =>
    database.write(async (db): Promise<E.Either<ManagerNotFound, ReadonlyArray<MediaName>>> => {
      if ((await lockManager(db, email)) === undefined) return E.left(MANAGER_NOT_FOUND)
      await addKnown(db, [image])
      await hold(db, { email, key, at }, [image.name])
      return E.right(await forgetImages(db, await dropSurplus(db, email)))
    }, QUIET),

  remove: (email, key, at, expected) =>
    database.write(async (db): Promise<E.Either<PreconditionFailed, void>> => {
      // The lock keeps the copy as it is between the look and the deletion.
      if (expected !== undefined) await lockManager(db, email)
      const before = await momentOf(db, email, key)
      if (before !== undefined && isOther(before, expected)) return E.left(PRECONDITION_FAILED)
      await db.deleteFrom('working_copy').where('email', '=', email).where('key', '=', key).execute()
      const held = await db
        .deleteFrom('working_copy_image')
        .where('email', '=', email)
        .where('key', '=', key)
        .returning('name')
        .execute()
      await release(
        db,
        held.map(({ name }) => name),
        at,
      )
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
        await release(db, await dropLeft(db, before), before)
        return old.length
      },
      QUIET,
    ),
})
