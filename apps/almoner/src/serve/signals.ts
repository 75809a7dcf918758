import { once } from 'node:events'
import { isatty } from 'node:tty'
import type { Logger } from 'pino'
import type { ExitCode } from '../failure.ts'

/** The signal that has a primary replace its workers, one by one. Not SIGHUP, which is sent when a terminal is closed. */
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
  /** Whether the terminal was closed that this process was started from, as with nohup, and does not depend on. */
  readonly isDetached: () => boolean
}

/** Resolves when a signal is aborted. */
export const aborted = async (signal: AbortSignal): Promise<void> => {
  if (!signal.aborted) await once(signal, 'abort')
}

/**
 * Makes the stop request of this process, which SIGTERM and SIGINT make too, and SIGHUP if the process has a terminal. From then on the process
 * ends with 0 when the time to finish is over, and with 1 at once when SIGTERM or SIGINT comes again.
 * @param drain milliseconds in which requests are still accepted, before the time to finish
 * @param hasTerminal whether stdin, stdout or stderr is a terminal; once that is closed, the system does not say so any more
 */
export const stopRequest = (
  logger: Logger,
  drain: number,
  hasTerminal = [0, 1, 2].some(isatty),
): StopRequest => {
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
  let isDetached = false
  process.on('SIGHUP', (signal) => {
    if (hasTerminal) return make({ signal })
    isDetached = true
    logger.info('SIGHUP is ignored: this process has no terminal')
  })
  return { signal: stop.signal, make, isDetached: () => isDetached }
}
