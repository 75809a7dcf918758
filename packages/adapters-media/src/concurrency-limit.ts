import type { Unavailable } from '@almoner/domain'
import { unavailable } from '@almoner/domain/ports'
import * as TE from 'fp-ts/lib/TaskEither.js'
import pLimit from 'p-limit'

/** Lets a bounded number of tasks run at once and a bounded number wait. */
export type ConcurrencyLimit = <E, A>(task: TE.TaskEither<E, A>) => TE.TaskEither<E | Unavailable, A>

/**
 * A gate that tasks pass in the order in which they come.
 * @param running tasks under way at once
 * @param waiting tasks that may wait for one of them to end; one more is Unavailable, at once
 */
export const concurrencyLimit = (running: number, waiting: number): ConcurrencyLimit => {
  const limit = pLimit(running)
  // Tasks count as pending until their turn has come round, so the two are looked at together.
  const isFull = () => limit.activeCount + limit.pendingCount >= running + waiting
  return (task) => () => (isFull() ? TE.left(unavailable('too many images at once'))() : limit(task))
}
