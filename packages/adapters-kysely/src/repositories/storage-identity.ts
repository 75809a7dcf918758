import type { StorageIdentity } from '@almoner/domain/ports'
import * as O from 'fp-ts/lib/Option.js'
import type { Database, Db } from '../database/database.ts'
import { quietly } from '../database/writes.ts'

/** The table of the storage's identity, which no export carries: an import makes a new one (D6). */
export const STORAGE_TABLE = 'storage_identity'

const row = (db: Db) => db.selectFrom(STORAGE_TABLE).selectAll().executeTakeFirst()

/** Keeps the identity of the image storage in a table of one row (D6). No cache depends on it, so its writes are quiet. */
export const makeStorageIdentity = (database: Database): StorageIdentity => ({
  find: () => database.read(async (db) => O.fromNullable((await row(db))?.id)),

  establish: (id) =>
    quietly(database, async (db) => {
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
      return established ?? id
    }),

  recordSweep: (refusal) =>
    quietly(database, async (db) => {
      const sweep_refusal = O.toNullable(refusal)
      await db
        .insertInto(STORAGE_TABLE)
        .values({ one: 1, id: null, sweep_refusal })
        .onConflict((conflict) => conflict.column('one').doUpdateSet({ sweep_refusal }))
        .execute()
    }),

  lastRefusal: () => database.read(async (db) => O.fromNullable((await row(db))?.sweep_refusal)),
})
