import type { Logger } from 'pino'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** What runs may finish within this time, in milliseconds. */
const GRACE = 10_000

/**
 * A signal this soon after the first is the same one again: a terminal sends it to npm, to pnpm and to this process, and the
 * first two pass it on.
 */
const ECHO = 500

/**
 * Resolves at the first SIGTERM or SIGINT. From then on the process ends with 0 when the time to finish is over, whatever still
 * runs, and with 1 at once when it is told again.
 */
export const stopRequested = (logger: Logger): Promise<void> =>
  new Promise((resolve) => {
    let first: number | undefined
    const stop = (signal: NodeJS.Signals) => {
      const now = performance.now()
      if (first !== undefined) {
        if (now - first > ECHO) process.exit(1)
        return
      }
      first = now
      logger.info({ signal }, 'stopping')
      setTimeout(() => {
        logger.warn('not all work was finished in time')
        process.exit(0)
      }, GRACE).unref()
      resolve()
    }
    for (const signal of SIGNALS) process.on(signal, stop)
  })
