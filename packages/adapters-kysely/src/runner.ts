import { type Unavailable, unavailable } from '@almoner/domain'
import type { Either } from 'fp-ts/lib/Either.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Db, Engine, Manner, SqlDialect, State } from './engine.ts'

/** What an iteration throws when the database cannot go on: {@link Unavailable} in the form of an error. */
export class UnavailableError extends Error implements Unavailable {
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
  /** As {@link Engine.read}. */
  read<A>(work: (db: Db) => Promise<A>): TE.TaskEither<Unavailable, A>
  /** As {@link Engine.state}, for who is reading: it throws what the engine throws. */
  state(): State | undefined
  /** As {@link Engine.write}. */
  write<E, A>(work: (db: Db) => Promise<Either<E, A>>, manner?: Manner): TE.TaskEither<E | Unavailable, A>
  /** Reads from one unchanging state of the database, in several statements, what fits into memory. */
  whole<A>(work: (db: Db) => Promise<A>): TE.TaskEither<Unavailable, A>
  /** As {@link Engine.snapshot}; throws {@link UnavailableError}. */
  snapshot<A>(work: (db: Db) => AsyncIterable<A>): AsyncIterable<A>
}

/** The one place where the engine's faults are caught. */
export const makeRunner = (engine: Engine): Runner => {
  const attempt = <A>(work: () => Promise<A>): TE.TaskEither<Unavailable, A> =>
    TE.tryCatch(work, (cause) => {
      if (engine.isOutage(cause)) return unavailable(cause)
      throw cause
    })
  return {
    dialect: engine.dialect,
    read: (work) => attempt(() => engine.read(work)),
    state: () => engine.state(),
    write: (work, manner) =>
      pipe(
        attempt(() => engine.write(work, manner)),
        TE.flatMapEither(identity),
      ),
    whole: (work) => attempt(() => engine.whole(work)),
    async *snapshot(work) {
      try {
        yield* engine.snapshot(work)
      } catch (cause) {
        throw engine.isOutage(cause) ? new UnavailableError(cause) : cause
      }
    },
  }
}
