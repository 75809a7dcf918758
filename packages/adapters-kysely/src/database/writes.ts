import type { Instant, Unavailable } from '@almoner/domain'
import { addMillis, MINUTE } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { sql } from 'kysely'
import type { Database, Db, WriteOptions } from './database.ts'

/** For writes that change nothing that a cache holds. */
export const QUIET: WriteOptions = { notify: 'none' }

/** Makes a write of work that no rule rejects. */
export const always =
  <A>(work: (db: Db) => Promise<A>) =>
  async (db: Db): Promise<E.Either<never, A>> =>
    E.right(await work(db))

/** Writes what no rule rejects and no cache holds. */
export const quietly = <A>(database: Database, work: (db: Db) => Promise<A>): TE.TaskEither<Unavailable, A> =>
  database.write(always(work), QUIET)

/**
 * Runs a purge as one transaction and returns how many rows it deleted. A purge that found nothing is rolled back: a commit would change the
 * data version, and every node would clear its caches.
 */
export const purging =
  (
    database: Database,
    purge: (db: Db) => Promise<number>,
    options?: WriteOptions,
  ): TE.TaskEither<Unavailable, number> =>
  async () => {
    const purged = await database.write(async (db): Promise<E.Either<'nothing', number>> => {
      const rows = await purge(db)
      return rows === 0 ? E.left('nothing') : E.right(rows)
    }, options)()
    if (E.isRight(purged)) return purged
    return purged.left === 'nothing' ? E.right(0) : E.left(purged.left)
  }

/** Rows that one statement of a purge deletes: some milliseconds of the event loop, which has its turn between two of them (I6). */
const STEP = 250

/** Deletes at most this number of rows, by statements that each delete a few. Returns how many. */
export const inSteps = async (most: number, purge: (most: number) => Promise<number>): Promise<number> => {
  let gone = 0
  while (gone < most) {
    const step = Math.min(STEP, most - gone)
    const deleted = await purge(step)
    gone += deleted
    if (deleted < step) break
  }
  return gone
}

/** Rows that one purge deletes at most: it holds up other writes for some milliseconds. */
const PURGE = 2000

/** Tables with a digest as their key, the column that says when a row expires, and the moments at which it was written. */
const EXPIRING = {
  access_token: { end: 'expires_at', written: ['expires_at - life'] },
  one_time_secret: { end: 'expires_at', written: ['expires_at - life'] },
  manager_session: { end: 'idle_ends_at', written: ['opened_at', 'last_seen_at'] },
} as const

/**
 * Deletes the rows that expired before a moment, the oldest first, and rows of a clock that was ahead: these have ended (I9), and are among the
 * last to expire. Returns how many. No cache holds them.
 */
export const purgeExpired = (
  database: Database,
  before: Instant,
  name: keyof typeof EXPIRING,
): TE.TaskEither<Unavailable, number> =>
  purging(
    database,
    async (db) => {
      const { end, written } = EXPIRING[name]
      const [table, at] = [sql.table(name), sql.ref(end)]
      const oldest = sql`select digest from ${table} where ${at} < ${before} order by ${at} limit ${PURGE}`
      const gone = await sql`delete from ${table} where digest in (${oldest})`.execute(db)
      const latest = addMillis(before, MINUTE)
      const isAhead = sql.join(
        written.map((moment) => sql`${sql.raw(moment)} > ${latest}`),
        sql` or `,
      )
      // No row is looked at but the last to expire.
      const furthest = sql`select ${at} from ${table} where ${at} > ${latest} order by ${at} desc limit 1 offset ${PURGE}`
      const ahead = sql`select digest from ${table} where ${at} >= coalesce((${furthest}), ${latest}) and (${isAhead})`
      const more = await sql`delete from ${table} where digest in (${ahead})`.execute(db)
      return Number(gone.numAffectedRows ?? 0) + Number(more.numAffectedRows ?? 0)
    },
    QUIET,
  )
