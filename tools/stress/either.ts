import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

/** The right side of what must succeed. */
export const right = async <L, A>(task: TaskEither<L, A>): Promise<A> => {
  const result = await task()
  if (E.isLeft(result)) throw new Error('a campaign met a failure', { cause: result.left })
  return result.right
}
