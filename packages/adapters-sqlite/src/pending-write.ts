import type { Db, Manner } from '@almoner/adapters-kysely'
import * as E from 'fp-ts/lib/Either.js'

/** A write that waits for its turn, whatever it gives. */
export interface Entry {
  /** When it began to wait, in milliseconds of `performance.now()`. */
  readonly since: number
  /** Tells who has to know of the write: the engine's versions rest on it. */
  readonly manner: Manner | undefined
  /** Runs its statements, as often as need be; whether what they wrote is to stay. Does not throw. */
  run(db: Db): Promise<boolean>
  /** Gives whoever asked what the last run gave. */
  settle(): void
  /** Tells whoever asked that it could not be done. */
  refuse(cause: unknown): void
}

/** A write as an entry, and what whoever asked for it waits for. */
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
