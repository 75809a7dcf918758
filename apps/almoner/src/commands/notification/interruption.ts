import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** Notes the first signal instead of ending at it; a second one ends the process. */
const watch = () => {
  let told = false
  const release = () => {
    for (const signal of SIGNALS) process.off(signal, tell)
  }
  const tell = () => {
    told = true
    release()
  }
  for (const signal of SIGNALS) process.on(signal, tell)
  return { isStopping: () => told, release }
}

/**
 * Does what should not be cut off, and tells it whether the process has been told to end. Once it is over, however it ended, signals
 * end the process at once again.
 */
export const interruptible =
  <E, A>(work: (isStopping: () => boolean) => TaskEither<E, A>): TaskEither<E, A> =>
  async () => {
    const { isStopping, release } = watch()
    try {
      return await work(isStopping)()
    } finally {
      release()
    }
  }
