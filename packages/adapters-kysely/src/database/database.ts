import type { Unavailable } from '@almoner/domain'
import type { ErasureUnfinished } from '@almoner/domain/ports'
import type { Either } from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Db } from './db.ts'
import type { SqlDialect } from './dialect.ts'

export type { Db } from './db.ts'
export type { SqlDialect } from './dialect.ts'

/** How long statements may take: as long as they need. Unless given, they are cancelled after some seconds. */
interface TimeOptions {
  readonly timeout?: 'none'
}

/** How a read differs from others. */
export interface ReadOptions extends TimeOptions {
  /**
   * A statement may take time in proportion to a table, as one that filters, counts or passes over an offset. An engine in this process then runs
   * it in a thread, so that the event loop goes on (I6). Implied by `timeout: 'none'`.
   */
  readonly work?: 'unbounded'
}

/** The option of reads whose statements may take time in proportion to a table (I6). */
export const UNBOUNDED: ReadOptions = { work: 'unbounded' }

/** How a write differs from others. */
export interface WriteOptions extends TimeOptions {
  /** The cached data that the write changes: none, or content without permissions. Default: any. */
  readonly notify?: 'none' | 'content'
  /**
   * For a write that waits for a transaction of another process as long as that takes: called once if it takes more than a moment. Engines on which
   * several write at a time do not call it.
   */
  readonly onWait?: () => void
}

/** What of a database has a version: all data, or what each caller may do. */
export type Versioned = 'data' | 'permissions'

/** What the repositories need of a database. Outages are values; what a driver throws for any other reason is a bug, and stays thrown. */
export interface Database {
  readonly dialect: SqlDialect
  /** Runs statements that only read, each by itself. They see what any process has committed before they run. */
  read<A>(work: (db: Db) => Promise<A>, options?: ReadOptions): TaskEither<Unavailable, A>
  /**
   * Runs statements as one transaction in which what was read stays true. A Left or a throw undoes all of it. Durable once the task resolves.
   * `work` may run more than once; it waits for nothing but its own statements. Writes may share a transaction. OutcomeUnknown when it
   * cannot be found out whether the transaction was committed (I5); after any other failure it was not.
   */
  write<E, A>(work: (db: Db) => Promise<Either<E, A>>, options?: WriteOptions): TaskEither<E | Unavailable, A>
  /**
   * Runs a write that erases texts, which `work` returns. Once the task resolves, no file of the database holds remains of them: neither free
   * space nor a log (L1). ErasureUnfinished if the write is committed but remains could not be removed; the next call removes them.
   * @param digest of the address, stored in the table `unfinished_erasure` until then; unless given, a repeat is not known as one
   */
  erase<E>(
    work: (db: Db) => Promise<Either<E, ReadonlyArray<string>>>,
    digest?: string,
  ): TaskEither<E | ErasureUnfinished | Unavailable, void>
  /**
   * Reads what fits into memory from one unchanging state of the database, in several statements. Waits only for others of its kind.
   * @param options `timeout: 'none'` is for statements that count whole tables: they may take some minutes, and run one such `work` at a
   * time, on a connection that no other read waits for
   */
  readSnapshot<A>(work: (db: Db) => Promise<A>, options?: ReadOptions): TaskEither<Unavailable, A>
  /**
   * Reads from one unchanging state of the database, taken when the first value is asked for and released when the iteration ends in any way.
   * Writes go on meanwhile. The reader decides how long it lasts, so the number of these at a time is bounded. Throws `DatabaseUnavailable`.
   */
  streamSnapshot<A>(work: (db: Db) => AsyncIterable<A>, options?: ReadOptions): AsyncIterable<A>
  /**
   * Returns a number that changes whenever data, or permissions, may have changed, except by writes that notify of less: before the task of a
   * write by this process resolves, and within two seconds of another process's commit. It may change without any change of data. The
   * version of data changes with that of permissions.
   */
  version(of: Versioned): number
}
