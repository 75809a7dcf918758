import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permit } from '../access/caller.ts'
import { type Operation, REQUIRED } from '../access/requirements.ts'

/** Does the work if the caller holds the scope that the operation asks for. */
export const guarded = <L, A>(
  operation: Operation,
  caller: Caller,
  work: () => TE.TaskEither<L, A>,
): TE.TaskEither<L | InsufficientScope, A> => {
  const permitted = permit(REQUIRED[operation])(caller)
  return E.isLeft(permitted) ? TE.left(permitted.left) : () => work()()
}
