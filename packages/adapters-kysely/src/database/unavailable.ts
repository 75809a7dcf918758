import type { Unavailable } from '@almoner/domain'
import { type NothingDone, outcomeUnknown, unavailable } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'

/** The database could not do its part for a reason outside the program: it is busy, closed or gone, or its disk failed. */
export class DatabaseUnavailable extends Error implements NothingDone {
  readonly _tag = 'Unavailable'
  override readonly name: string = 'DatabaseUnavailable'
  /** The driver's own error, where there is one. */
  override readonly cause: Error

  /** @param cause the driver's error, or a sentence */
  constructor(cause: unknown) {
    const error = cause instanceof Error ? cause : new Error(String(cause))
    super(error.message)
    this.cause = error
  }
}

/** It cannot be found out whether a transaction was committed (I5). */
export class CommitOutcomeUnknown extends Error {
  override readonly name = 'CommitOutcomeUnknown'
}

/** Runs work on a database. What it throws because of an outage is a value; bugs stay exceptions. */
export const attempt =
  <L, A>(work: () => Promise<E.Either<L, A>>): TE.TaskEither<L | Unavailable, A> =>
  async () => {
    try {
      return await work()
    } catch (cause) {
      if (cause instanceof CommitOutcomeUnknown) return E.left(outcomeUnknown(cause))
      if (cause instanceof DatabaseUnavailable) return E.left(unavailable(cause.cause))
      throw cause
    }
  }

/** Resolves to the value of a task, or throws its failure, so that {@link attempt} around it returns the same. */
export const orThrow = async <A>(task: TE.TaskEither<Unavailable, A>): Promise<A> => {
  const done = await task()
  if (E.isRight(done)) return done.right
  const { cause } = done.left
  throw cause instanceof CommitOutcomeUnknown ? cause : new DatabaseUnavailable(cause)
}
