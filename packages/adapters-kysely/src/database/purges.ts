import type { Instant, Unavailable } from '@almoner/domain'
import { addMillis, MINUTE } from '@almoner/domain/values'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database, Db } from './database.ts'
import { purging, QUIET } from './writes.ts'

/** Rows that one statement of a purge deletes: some milliseconds of the event loop, which has its turn between two of them (I6). */
const STEP = 250

/** How many rows a step has deleted, and whether none are left. */
export interface Deleted {
  readonly gone: number
  readonly isOver: boolean
}

/** Deletes at most this number of rows, by statements that each delete a few. Returns how many. */
export const inSteps = async (most: number, purge: (most: number) => Promise<Deleted>): Promise<number> => {
  let gone = 0
  while (gone < most) {
    const step = await purge(Math.min(STEP, most - gone))
    gone += step.gone
    if (step.isOver) break
  }
  return gone
}

/** Rows that one purge deletes at most: it holds up other writes for some milliseconds. */
const PURGE = 2000

/** A table from which a purge deletes rows in the order of a column. */
interface Purgeable {
  readonly table: string
  readonly order: string
  /** The columns of its key; undefined where all rows under a condition differ in `order`. */
  readonly key?: ReadonlyArray<string>
}

/** Deletes at most this number of rows under a condition, the first ones first. */
export type DeleteFirst = (db: Db, which: RawBuilder<SqlBool>, most: number) => Promise<Deleted>

/**
 * Makes a {@link DeleteFirst}. As long as another transaction sees deleted rows, PostgreSQL reads each of them again, so a step starts where the one
 * before ended. The last one starts at the first row, in case one was rolled back.
 */
export const makeDeleteFirst = ({ table, order, key }: Purgeable): DeleteFirst => {
  const [rows, place] = [sql.table(table), sql.ref(order)]
  const columns = key && sql.join(key.map((column) => sql.ref(column)))
  let reached: unknown
  return async (db, which, most) => {
    const all = sql`${rows} where ${which}`
    const left = reached === undefined ? all : sql`${all} and ${place} >= ${reached}`
    const end = sql<{
      readonly place: unknown
    }>`select ${place} as ${sql.ref('place')} from ${left} order by ${place} limit 1 offset ${most - 1}`
    reached = (await end.execute(db)).rows[0]?.place
    const isLast = reached === undefined
    const areFirst = (names: RawBuilder<unknown>) =>
      sql`(${names}) in (select ${names} from ${isLast ? all : left} order by ${place} limit ${most})`
    // PostgreSQL deletes a range in half of the time.
    const range = isLast ? sql`${all} and ${areFirst(place)}` : sql`${left} and ${place} <= ${reached}`
    const first = columns === undefined ? range : sql`${rows} where ${areFirst(columns)}`
    const gone = Number((await sql`delete from ${first}`.execute(db)).numAffectedRows ?? 0)
    return { gone, isOver: isLast && gone < most }
  }
}

/** Tables with a digest as their key, the column that says when a row expires, and the moments at which it was written. */
const EXPIRING = {
  access_token: { end: 'expires_at', written: ['expires_at - life'] },
  one_time_secret: { end: 'expires_at', written: ['expires_at - life'] },
  preview_token: { end: 'expires_at', written: ['expires_at - life'] },
  manager_session: { end: 'idle_ends_at', written: ['opened_at', 'last_seen_at'] },
} as const

/**
 * Makes the purge of a table: it deletes rows that expired before a moment, the oldest first, and rows of a clock that was ahead: these have ended
 * (I9), and are among the last to expire. It returns how many. No cache holds them.
 */
export const makePurgeExpired = (
  database: Database,
  name: keyof typeof EXPIRING,
): ((before: Instant) => TE.TaskEither<Unavailable, number>) => {
  const { end, written } = EXPIRING[name]
  const [table, at] = [sql.table(name), sql.ref(end)]
  const deleteFirst = makeDeleteFirst({ table: name, key: ['digest'], order: end })
  return (before) =>
    purging(
      database,
      async (db) => {
        const { gone } = await deleteFirst(db, sql`${at} < ${before}`, PURGE)
        const latest = addMillis(before, MINUTE)
        const isAhead = sql.join(
          written.map((moment) => sql`${sql.raw(moment)} > ${latest}`),
          sql` or `,
        )
        // No row is looked at but the last to expire.
        const furthest = sql`select ${at} from ${table} where ${at} > ${latest} order by ${at} desc limit 1 offset ${PURGE}`
        const ahead = sql`select digest from ${table} where ${at} >= coalesce((${furthest}), ${latest}) and (${isAhead})`
        const more = await sql`delete from ${table} where digest in (${ahead})`.execute(db)
        return gone + Number(more.numAffectedRows ?? 0)
      },
      QUIET,
    )
}
