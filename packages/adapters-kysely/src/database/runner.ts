import { type NothingDone, outcomeUnknown, type Unavailable, unavailable } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Database, Db, Manner, SqlDialect } from './database.ts'
import { CommitOutcomeUnknown } from './unavailable.ts'

/** What an iteration throws when the database cannot go on: {@link NothingDone} in the form of an error. */
export class UnavailableError extends Error implements NothingDone {
  readonly _tag = 'Unavailable'
  override readonly name = 'UnavailableError'
  override readonly cause: unknown

  constructor(cause: unknown) {
    super('the database is unavailable')
    this.cause = cause
  }
}

/** An engine whose outages are values. Bugs stay exceptions. */
export interface Runner {
  readonly dialect: SqlDialect
  /** As {@link Database.read}. */
  read<A>(work: (db: Db) => Promise<A>): TE.TaskEither<Unavailable, A>
  /** As {@link Database.write}. */
  write<L, A>(work: (db: Db) => Promise<E.Either<L, A>>, manner?: Manner): TE.TaskEither<L | Unavailable, A>
  /** Reads from one unchanging state of the database, in several statements, what fits into memory; `manner` as in {@link Database.whole}. */
  whole<A>(work: (db: Db) => Promise<A>, manner?: 'patient'): TE.TaskEither<Unavailable, A>
  /** As {@link Database.snapshot}; throws {@link UnavailableError}. */
  snapshot<A>(work: (db: Db) => AsyncIterable<A>): AsyncIterable<A>
}

/** The one place where the engine's faults are caught. */
export const makeRunner = (database: Database): Runner => {
  const attempt =
    <L, A>(work: () => Promise<E.Either<L, A>>): TE.TaskEither<L | Unavailable, A> =>
    async () => {
      try {
        return await work()
      } catch (cause) {
        if (cause instanceof CommitOutcomeUnknown) return E.left(outcomeUnknown(cause))
        if (database.isOutage(cause)) return E.left(unavailable(cause))
        throw cause
      }
    }
  return {
    dialect: database.dialect,
    read: (work) => attempt(async () => E.right(await database.read(work))),
    write: (work, manner) => attempt(() => database.write(work, manner)),
    whole: (work, manner) => attempt(async () => E.right(await database.whole(work, manner))),
    async *snapshot(work) {
      try {
        yield* database.snapshot(work)
      } catch (cause) {
        throw database.isOutage(cause) ? new UnavailableError(cause) : cause
      }
    },
  }
}
