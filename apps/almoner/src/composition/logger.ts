import type { ChildProcess } from 'node:child_process'
import { loggedError } from '@almoner/adapters-http/logged-error'
import { forwardText, type LogDestination, logDestinationOf } from '@almoner/adapters-node'
import { type Logger, pino, stdTimeFunctions, symbols } from 'pino'
import type { Settings } from '../config/definitions.ts'

/** Milliseconds after which what there is is written. */
const LATEST = 100

/** As pino numbers levels. */
const WARNING = 40

/** The destination of lines. Remaining lines are written when the process ends. */
const written = new Set<LogDestination>()
process.once('exit', () => {
  for (const lines of written) lines.end()
})

/** The time as lines have it, worked out once a millisecond. */
const timestamp = () => {
  let [known, text] = [0, '']
  return (): string => {
    const now = Date.now()
    if (now !== known) text = stdTimeFunctions.isoTime()
    known = now
    return text
  }
}

/**
 * The descriptors of a worker. It logs on the last, its primary's stderr. Its own stdout and stderr are pipes to the primary: what lies at 0, 1
 * and 2 is set to blocking for all who share it when a process starts or ends (ADR 29).
 */
export const WORKER_STDIO = ['ignore', 'pipe', 'pipe', 'ipc', 2] as const
export const WORKER_LOG = 4

/**
 * Makes a logger of JSON lines on stderr, written within {@link LATEST}; warnings and errors at once. It never waits for a reader.
 * @param descriptor where it writes instead
 */
export const makeLogger = (level: Settings['logLevel'], descriptor = 2): Logger => {
  const lines = logDestinationOf(descriptor, (count) => logger.warn({ lines: count }, 'log lines lost'))
  setInterval(lines.flush, LATEST).unref()
  written.add(lines)
  const logger = pino(
    {
      level,
      timestamp: timestamp(),
      // What drivers say of rows and parameters stays behind (A5).
      serializers: { err: (error: unknown) => (error instanceof Error ? loggedError(error) : error) },
      formatters: { level: (label) => ({ level: label }) },
      hooks: {
        logMethod(args, log, severity) {
          log.apply(this, args)
          if (severity >= WARNING) lines.flush()
        },
      },
    },
    lines,
  )
  return logger
}

/** A logger whose info lines are written at every log level, for lines that replace an action. */
export const always = (logger: Logger): Logger => logger.child({}, { level: 'info' })

const linesOf = (logger: Logger): LogDestination =>
  (logger as unknown as { [symbols.streamSym]: LogDestination })[symbols.streamSym]

/** Writes a line for which scripts wait, at every log level. */
export const announce = (logger: Logger, fields: object, message: string): void => {
  always(logger).info(fields, message)
  linesOf(logger).flush()
}

/** Forwards what a worker writes to its stdout and stderr, as V8 does when memory is short, to the log. */
export const forwardOutput = (logger: Logger, { stdout, stderr }: ChildProcess): void => {
  for (const text of [stdout, stderr]) forwardText(text, linesOf(logger))
}

/** Ends the process after an unexpected error, because its state is unknown. Warnings of the process become log lines. */
export const exitOnFaults = (logger: Logger): void => {
  // Node's own listener writes text to stderr, between the lines of JSON.
  process.removeAllListeners('warning').on('warning', (warning: Error & { readonly code?: string }) => {
    logger.warn({ code: warning.code ?? warning.name }, warning.message)
  })
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (err: unknown) => {
      logger.fatal({ err: loggedError(err) }, event)
      process.exit(1)
    })
}
