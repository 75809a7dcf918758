const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** Runs work with a signal that the first SIGTERM or SIGINT aborts, instead of ending the process. A second one ends it. */
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
