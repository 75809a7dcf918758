import type { StorageId, StorageIdentity } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Database, Db } from '../database/database.ts'

/** The table of the storage's identity, which no export carries: an import makes a new one (D6). */
export const STORAGE_TABLE = 'storage_identity'

const row = (db: Db) => db.selectFrom(STORAGE_TABLE).selectAll().executeTakeFirst()

/** Keeps the identity of the image storage in a table of one row (D6). No cache depends on it, so its writes are quiet. */
export const makeStorageIdentity = (database: Database): StorageIdentity => ({
  find: () => database.read(async (db) => O.fromNullable((await row(db))?.id)),

  establish: (id) =>
    database.write(
      async (db): Promise<E.Either<never, StorageId>> => {
        const { id: established } = await db
          .insertInto(STORAGE_TABLE)
          .values({ one: 1, id, sweep_refusal: null })
          .onConflict((conflict) =>
            conflict.column('one').doUpdateSet(({ fn }) => ({
              id: fn.coalesce(`${STORAGE_TABLE}.id`, 'excluded.id'),
            })),
          )
          .returning('id')
          .executeTakeFirstOrThrow()
        return E.right(established ?? id)
      },
      { notify: 'none' },
    ),

  recordSweep: (refusal) =>
    database.write(
      async (db): Promise<E.Either<never, void>> => {
        const sweep_refusal = O.toNullable(refusal)
        await db
          .insertInto(STORAGE_TABLE)
          .values({ one: 1, id: null, sweep_refusal })
          .onConflict((conflict) => conflict.column('one').doUpdateSet({ sweep_refusal }))
          .execute()
        return E.right(undefined)
      },
      { notify: 'none' },
    ),

  lastRefusal: () => database.read(async (db) => O.fromNullable((await row(db))?.sweep_refusal)),
})
