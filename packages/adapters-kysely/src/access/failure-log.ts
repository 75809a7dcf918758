import type { FailureLog, NodeLog, RequestLog } from '@almoner/domain/ports'
import { addMillis, type Instant, MINUTE } from '@almoner/domain/values'
import { sql } from 'kysely'
import type { Database, Db } from '../database/database.ts'
import { insertChunks, quietly } from '../database/writes.ts'

type Log = 'failed_attempt' | 'counted_request'

/** Deletes the entries that no longer count: the complement of `isRecentFailure`. */
const deleteOld = (db: Db, log: Log, now: Instant) =>
  sql`delete from ${sql.table(log)} where at <= ${addMillis(now, -MINUTE)} or at >= ${addMillis(now, MINUTE)}`.execute(
    db,
  )

const readOthers =
  <Entry>(database: Database, log: Log): NodeLog<Entry>['ofOthers'] =>
  (node, since, most) =>
    database.read(async (db) => {
      const latest = sql<Entry>`select * from ${sql.table(log)} where at >= ${since} and node <> ${node}
        order by at desc limit ${most}`
      return (await latest.execute(db)).rows
    })

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
      await deleteOld(db, 'failed_attempt', now)
    }),

  ofOthers: readOthers(database, 'failed_attempt'),
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
      await deleteOld(db, 'counted_request', now)
    }),

  ofOthers: readOthers(database, 'counted_request'),
})
