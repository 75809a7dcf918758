import type { FailureLog, RequestLog } from '@almoner/domain/ports'
import { addMillis, type Instant, MINUTE } from '@almoner/domain/values'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { insertChunks, quietly } from '../database/writes.ts'

/** The complement of `isRecentFailure`. */
const isOver = (now: Instant) =>
  sql<boolean>`(at <= ${addMillis(now, -MINUTE)} or at >= ${addMillis(now, MINUTE)})`

/** The wrong credentials that nodes exchange. */
export const makeFailureLog = (database: Database): FailureLog => ({
  add: (entries, now) =>
    quietly(database, async (db) => {
      for (const chunk of insertChunks(entries))
        await db
          .insertInto('failed_attempt')
          .values(chunk)
          // A repeated entry is the same as before.
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      await db.deleteFrom('failed_attempt').where(isOver(now)).execute()
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

/** The counted requests that nodes exchange. */
export const makeRequestLog = (database: Database): RequestLog => ({
  add: (entries, now) =>
    quietly(database, async (db) => {
      for (const chunk of insertChunks(entries))
        await db
          .insertInto('counted_request')
          .values(chunk)
          .onConflict((conflict) =>
            conflict.columns(['node', 'key']).doUpdateSet(({ ref }) => ({
              begun: ref('excluded.begun'),
              requests: ref('excluded.requests'),
              at: ref('excluded.at'),
            })),
          )
          .execute()
      await db.deleteFrom('counted_request').where(isOver(now)).execute()
    }),

  ofOthers: (node, since, most) =>
    database.read((db) =>
      db
        .selectFrom('counted_request')
        .selectAll()
        .where('at', '>=', since)
        .where('node', '!=', node)
        .orderBy('at', 'desc')
        .limit(most)
        .execute(),
    ),
})
