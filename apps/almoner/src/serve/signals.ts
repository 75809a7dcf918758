import { once } from 'node:events'
import type { Logger } from 'pino'
import type { ExitCode } from '../failure.ts'

/** The signal that has a primary replace its workers, one by one. Not SIGHUP, which a terminal sends when it is closed. */
export const RESTART = 'SIGUSR2'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** Milliseconds in which running work may finish. */
const GRACE = 10_000

/** Milliseconds within which a second signal is the same one: npm and pnpm forward the signal that a terminal sends to all processes. */
const ECHO = 500

/** Ignores {@link RESTART}, which would end a process that is no primary. */
export const ignoreRestart = (logger: Logger): void => {
  process.on(RESTART, () => logger.warn('nothing is restarted: this process is no primary'))
}

/** The stop request of a process. */
export interface StopRequest {
  /** Aborted once the process is to stop. */
  readonly signal: AbortSignal
  /** Requests it, for a reason that is logged, with the exit code for the case that time runs out. */
  readonly make: (reason: object, code?: ExitCode) => void
}

/** Resolves when a signal is aborted. */
export const aborted = async (signal: AbortSignal): Promise<void> => {
  if (!signal.aborted) await once(signal, 'abort')
}

/**
 * Makes the stop request of this process, which SIGTERM and SIGINT make too. From then on the process ends with 0 when the time to finish is
 * over, and with 1 at once when a signal comes again.
 * @param drain milliseconds in which requests are still accepted, before the time to finish
 */
export const stopRequest = (logger: Logger, drain: number): StopRequest => {
  const stop = new AbortController()
  const make: StopRequest['make'] = (reason, code = 0) => {
    if (stop.signal.aborted) return
    logger.info(reason, 'stopping')
    setTimeout(() => {
      logger.warn('not all work was finished in time')
      process.exit(code)
    }, drain + GRACE).unref()
    stop.abort()
  }
  let first: number | undefined
  const handle = (signal: NodeJS.Signals) => {
    const now = performance.now()
    if (first !== undefined && now - first > ECHO) process.exit(1)
    first ??= now
    make({ signal })
  }
  for (const signal of SIGNALS) process.on(signal, handle)
  return { signal: stop.signal, make }
}
