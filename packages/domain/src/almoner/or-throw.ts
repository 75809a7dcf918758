import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'

/**
 * Runs a task that must succeed, such as opening a database at start, and resolves to its value. Rejects with an error that has the tag of the
 * failure as its message and the failure as its `cause`.
 */
export const orThrow = async <Failure extends { readonly _tag: string }, Value>(
  task: TE.TaskEither<Failure, Value>,
): Promise<Value> => {
  const result = await task()
  if (E.isRight(result)) return result.right
  throw new Error(result.left._tag, { cause: result.left })
}
