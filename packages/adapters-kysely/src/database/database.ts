import type { Either } from 'fp-ts/lib/Either.js'
import type { Kysely } from 'kysely'
import type { Tables } from '../schema/schema.ts'
import type { SqlDialect } from './dialect.ts'

export type { SqlDialect } from './dialect.ts'

/** A handle on the tables: every statement runs on the connection behind it. */
export type Db = Kysely<Tables>

/** How a write differs from others. */
export type Manner = 'patient' | 'quiet' | 'content'

/** A database engine: what the repositories need of it. Faults are thrown; `isOutage` tells which are no bugs. */
export interface Database {
  readonly dialect: SqlDialect
  /** Runs statements that only read, each by itself. They see what any process has committed before they are run. */
  read<A>(work: (db: Db) => Promise<A>): Promise<A>
  /**
   * Runs statements as one transaction in which what was read stays true. A Left or a throw undoes all of it.
   * Durable when the promise resolves. `work` may be run more than once; it waits for nothing but its own statements. Writes may share a
   * transaction. Throws `CommitOutcomeUnknown` where nobody can say whether it was committed (I5); after
   * any other fault it was not.
   * @param manner `patient` lets statements take as long as they need, where others are given up after some seconds; `quiet` says
   * that nothing changes which anybody keeps, so that `version` may stay as it is; `content`, that nobody's rights change, so that
   * `accessVersion` may stay
   */
  write<E, A>(work: (db: Db) => Promise<Either<E, A>>, manner?: Manner): Promise<Either<E, A>>
  /**
   * Reads from one unchanging state of the database, taken when the first value is asked for and let go when the
   * iteration ends in any way. Writes go on meanwhile. How many there are at a time is bounded.
   * Whoever takes the values decides how long it lasts.
   */
  snapshot<A>(work: (db: Db) => AsyncIterable<A>): AsyncIterable<A>
  /**
   * Reads from one unchanging state of the database, as `snapshot` does, at our own pace: nobody outside decides how long it lasts, and it waits
   * for others of its kind only.
   * @param manner `patient` is for statements that count whole tables: they may take some minutes, and run one such `work` at a time, on a
   * connection that no other read waits for
   */
  whole<A>(work: (db: Db) => Promise<A>, manner?: 'patient'): Promise<A>
  /**
   * A number that another one takes the place of once data may have changed, but for what was written quietly: of this process's own writes before whoever asked for
   * them is told, of those of other processes within two seconds. It may change without any change of data.
   */
  version(): number
  /** As `version`, for who may do what alone. Whenever it changes, so does `version`. */
  accessVersion(): number
  /** Whether a fault came from outside (busy, disk, network), so that trying again may help. */
  isOutage(cause: unknown): boolean
}
