import type { FailureLog } from '@almoner/domain/ports'
import { addMillis, MINUTE } from '@almoner/domain/values'
import type { Database } from '../database/database.ts'
import { insertChunks, quietly } from '../database/writes.ts'

/** The wrong credentials that nodes exchange. */
export const makeFailureLog = (database: Database): FailureLog => ({
  add: (entries, now) =>
    quietly(database, async (db) => {
      for (const chunk of insertChunks(entries))
        await db
          .insertInto('failed_attempt')
          .values(chunk)
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      // The complement of `isRecentFailure`.
      await db
        .deleteFrom('failed_attempt')
        .where(({ eb }) =>
          eb.or([eb('at', '<=', addMillis(now, -MINUTE)), eb('at', '>=', addMillis(now, MINUTE))]),
        )
        .execute()
    }),

  ofOthers: (node, since, most) =>
    database.read((db) =>
      db
        .selectFrom('failed_attempt')
        .selectAll()
        .where('at', '>=', since)
        .where('node', '!=', node)
        .orderBy('at', 'desc')
        .limit(most)
        .execute(),
    ),
})
