import type { Instant, Unavailable } from '@almoner/domain'
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

/** Tables with a digest as their key, and the columns that say when a row expires. */
type Expiry = ['access_token' | 'one_time_secret', 'expires_at'] | ['manager_session', 'idle_ends_at']

/** Deletes the rows that expired before a moment, the oldest first. Returns how many. No cache holds them. */
export const purgeExpired = (
  database: Database,
  before: Instant,
  ...[name, column]: Expiry
): TE.TaskEither<Unavailable, number> =>
  purging(
    database,
    async (db) => {
      const [table, at] = [sql.table(name), sql.ref(column)]
      const oldest = sql`select digest from ${table} where ${at} < ${before} order by ${at} limit ${PURGE}`
      const gone = await sql`delete from ${table} where digest in (${oldest})`.execute(db)
      return Number(gone.numAffectedRows ?? 0)
    },
    QUIET,
  )
