import type { Logger } from 'pino'
import type { ExitCode } from '../cli/failure.ts'

/** Has a primary replace its workers, one by one. Not SIGHUP, which a terminal sends when it is closed. */
export const RESTART = 'SIGUSR2'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** What runs may finish within this time, in milliseconds. */
const GRACE = 10_000

/**
 * A signal this soon after the first is the same one again: a terminal sends it to npm, to pnpm and to this process, and the
 * first two pass it on.
 */
const ECHO = 500

/** Passes {@link RESTART} over: it would end a process that does not know it. */
export const ignoreRestart = (logger: Logger): void => {
  process.on(RESTART, () => logger.warn('nothing is restarted: this process is no primary'))
}

/** Whether and when a process is to stop. */
export interface StopRequest {
  /** Resolves when it is to stop. */
  readonly made: Promise<void>
  readonly isMade: () => boolean
  /** Asks it to stop, for a reason that the log tells; with the exit code that it ends with when time is over. */
  readonly make: (reason: object, code?: ExitCode) => void
}

/**
 * A process is to stop at the first SIGTERM or SIGINT, or when it is asked to. From then on it ends with 0 when the time to finish
 * is over, whatever still runs, and with 1 at once when a signal comes again.
 * @param drain milliseconds in which requests are still taken, beside the time to finish
 */
export const stopRequest = (logger: Logger, drain: number): StopRequest => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let made = false
  const make: StopRequest['make'] = (reason, code = 0) => {
    if (made) return
    made = true
    logger.info(reason, 'stopping')
    setTimeout(() => {
      logger.warn('not all work was finished in time')
      process.exit(code)
    }, drain + GRACE).unref()
    resolve()
  }
  let first: number | undefined
  const heed = (signal: NodeJS.Signals) => {
    const now = performance.now()
    if (first !== undefined && now - first > ECHO) process.exit(1)
    first ??= now
    make({ signal })
  }
  for (const signal of SIGNALS) process.on(signal, heed)
  return { made: promise, isMade: () => made, make }
}
