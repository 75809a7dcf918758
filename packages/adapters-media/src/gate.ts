import { type Unavailable, unavailable } from '@almoner/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'

/** Lets a bounded number of tasks run at once and a bounded number wait. */
export type Gate = <E, A>(task: TE.TaskEither<E, A>) => TE.TaskEither<E | Unavailable, A>

/**
 * A gate that tasks pass in the order in which they come.
 * @param running tasks under way at once
 * @param waiting tasks that may wait for one of them to end; one more is Unavailable, at once
 */
export const gate = (running: number, waiting: number): Gate => {
  let free = running
  const queue: Array<() => void> = []
  const enter = async (): Promise<void> => {
    if (free > 0) free -= 1
    else await new Promise<void>((admit) => queue.push(admit))
  }
  const leave = (): void => {
    const next = queue.shift()
    if (next === undefined) free += 1
    else next()
  }
  return (task) => async () => {
    if (free === 0 && queue.length >= waiting) return TE.left(unavailable('too many images at once'))()
    await enter()
    try {
      return await task()
    } finally {
      leave()
    }
  }
}
