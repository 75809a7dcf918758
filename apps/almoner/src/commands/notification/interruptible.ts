const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/**
 * Runs work with a signal that is aborted by the first SIGTERM or SIGINT, instead of ending the process. A second one ends it, and so does
 * any once the work is over.
 */
export const interruptible = async <A>(work: (signal: AbortSignal) => Promise<A>): Promise<A> => {
  const stop = new AbortController()
  const release = () => {
    for (const signal of SIGNALS) process.off(signal, interrupt)
  }
  const interrupt = () => {
    stop.abort()
    release()
  }
  for (const signal of SIGNALS) process.on(signal, interrupt)
  try {
    return await work(stop.signal)
  } finally {
    release()
  }
}
