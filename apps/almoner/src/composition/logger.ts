import { writeSync } from 'node:fs'
import { loggedError } from '@almoner/adapters-http/logged-error'
import { type LogDestination, makeLogDestination } from '@almoner/adapters-node'
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

const SHARED = new Int32Array(new SharedArrayBuffer(4))

/** What Node writes a pipe by; a file has none. */
interface Piped {
  readonly _handle?: { readonly setBlocking?: (blocking: boolean) => unknown }
}

/** Writes lines to stderr. A pipe is set to non-blocking for each write, because starting and ending workers change it for all processes. */
const linesOn = (stderr: typeof process.stderr, onDropped: (lines: number) => void): LogDestination => {
  const { _handle: pipe }: Piped = stderr.isTTY ? {} : (stderr as Piped)
  return makeLogDestination({
    write: (bytes) => {
      pipe?.setBlocking?.(false)
      return writeSync(stderr.fd, bytes)
    },
    sleep: (milliseconds) => void Atomics.wait(SHARED, 0, 0, milliseconds),
    onDropped,
  })
}

/** Makes a logger of JSON lines on stderr, written within {@link LATEST}; warnings and errors at once. It never waits for a reader. */
export const makeLogger = (level: Settings['logLevel']): Logger => {
  const lines = linesOn(process.stderr, (count) => logger.warn({ lines: count }, 'log lines lost'))
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

/** Writes a line for which scripts wait, at every log level. */
export const announce = (logger: Logger, fields: object, message: string): void => {
  always(logger).info(fields, message)
  const { [symbols.streamSym]: lines } = logger as unknown as { [symbols.streamSym]: LogDestination }
  lines.flush()
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
