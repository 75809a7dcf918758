import type { Db, Manner } from '@almoner/adapters-kysely'
import * as E from 'fp-ts/lib/Either.js'

/** A write in the queue. */
export interface Entry {
  /** When it began to wait, in milliseconds of `performance.now()`. */
  readonly since: number
  /** Determines which versions of the database change. */
  readonly manner: Manner | undefined
  /** Runs its statements, as often as need be; whether what they wrote is to stay. Does not throw. */
  run(db: Db): Promise<boolean>
  /** Resolves the caller with the result of the last run. */
  settle(): void
  /** Rejects the caller. */
  refuse(cause: unknown): void
}

/** Creates an entry for a write, with the promise for its caller. */
export const makeEntry = <L, A>(
  work: (db: Db) => Promise<E.Either<L, A>>,
  manner: Manner | undefined,
): Entry & { readonly outcome: Promise<E.Either<L, A>> } => {
  const { promise, resolve, reject } = Promise.withResolvers<E.Either<L, A>>()
  let settle = () => {}
  return {
    outcome: promise,
    manner,
    since: performance.now(),
    run: async (db) => {
      try {
        const result = await work(db)
        settle = () => resolve(result)
        return E.isRight(result)
      } catch (cause) {
        settle = () => reject(cause)
        return false
      }
    },
    settle: () => settle(),
    refuse: reject,
  }
}
