/** A part of the service has not answered in time. */
export class TimeLimitPassed extends Error {
  override readonly name = 'TimeLimitPassed'
}

/** Milliseconds between two looks at the time that is left. */
const STEP = 100

/**
 * Resolves as a promise does, or rejects after some milliseconds, so that one part that never answers does not stop the rest. Time in which this
 * process is busy, as with a check of a file, does not count.
 */
export const withinLimit = async <A>(work: Promise<A>, milliseconds: number, part: string): Promise<A> => {
  const late = Promise.withResolvers<never>()
  let left = milliseconds
  const timer = setInterval(() => {
    left -= STEP
    if (left <= 0) late.reject(new TimeLimitPassed(`no answer from ${part} within ${milliseconds / 1000} s`))
  }, STEP)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearInterval(timer)
    // A rejection that comes too late is no fault of the process.
    void work.catch(() => {})
  }
}

/** Returns a function that shares one run among all that ask while it lasts, so that a part which never answers is not asked again and again. */
export const sharedRun = <A>(run: () => Promise<A>): (() => Promise<A>) => {
  let running: Promise<A> | undefined
  return () => {
    running ??= run().finally(() => {
      running = undefined
    })
    return running
  }
}
