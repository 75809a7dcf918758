import * as E from 'fp-ts/lib/Either.js'

/** A result for code that does not use fp-ts: a value, or one of the failures in its type. */
export type Result<Error, Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: Error }

/** Turns an `Either` into a {@link Result}. */
export const toResult = <Error, Value>(either: E.Either<Error, Value>): Result<Error, Value> =>
  E.isRight(either) ? { ok: true, value: either.right } : { ok: false, error: either.left }
