import type { Either } from 'fp-ts/lib/Either.js'
import type { Kysely } from 'kysely'
import type { Tables } from '../schema/schema.ts'

/** A handle on the tables: every statement runs on the connection behind it. */
export type Db = Kysely<Tables>

/** What the engines' SQL has different; everything else is said once. */
export interface SqlDialect {
  /** Column type of text that is ordered by its code points. */
  readonly text: string
  /** Column type of whole numbers up to 2^53. */
  readonly integer: string
  /** What stands after the closing parenthesis of a table's definition. */
  readonly tableOptions: string
  /** As {@link tableOptions}, for a table that is kept in the order of its primary key by engines that can. */
  readonly keyedOptions: string
  /** Type of a primary key that the engine counts up: a new row's is greater than any that there ever was. */
  readonly identity: string
  /** A query for the names of all tables, as `name`. */
  readonly tableNames: string
  /** Whether statements are answered within the process, so that two small ones take less than one that gives much. */
  readonly isEmbedded: boolean
  /** Whether rows read in order to be rewritten must be locked. No where writers exclude each other anyway. */
  readonly locksRows: boolean
  /** A statement that keeps a second migration out until the transaction ends; undefined where `write` does. */
  readonly migrationLock: string | undefined
  /**
   * A statement that waits for the transactions which have locked rows of a table, and keeps new ones from locking any until its own
   * transaction ends; those queue behind it from the moment that it waits. Undefined where writers exclude each other anyway.
   */
  queueingLock(table: string): string | undefined
  /**
   * Statements that drop unnamed checks of columns, without copying a table. `text` is a check as the table's definition has it. They are run
   * by a write of the manner `schema`.
   */
  dropChecks(checks: ReadonlyArray<ColumnCheck>): ReadonlyArray<string>
  /** Statements after which a table with an {@link identity} counts on behind a number, which is 1 or greater. */
  countBehind(table: string, number: number): ReadonlyArray<string>
}

/** How a write differs from others. */
export type Manner = 'patient' | 'schema' | 'quiet' | 'content'

/** A check of one column, as the statement that made the table has it. */
export interface ColumnCheck {
  readonly table: string
  readonly column: string
  readonly text: string
}

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
   * @param manner `patient` lets statements take as long as they need, where others are given up after some seconds; `schema` does too, and is for
   * changes of the schema, which need rights that no other write should have; `quiet` says
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
