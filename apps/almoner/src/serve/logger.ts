import { loggedError } from '@almoner/adapters-http/logged-error'
import { destination, type Logger, pino, stdTimeFunctions, symbols } from 'pino'
import type { Settings } from '../settings/definitions.ts'

/**
 * Characters of lines that are written together, and milliseconds after which what there is is written. Under load a write for each
 * line takes longer than making the line. A write of fewer than 4,096 bytes to a pipe stays in one piece, whoever else writes to it.
 */
const TOGETHER = 3000
const LATEST = 100

/** As pino numbers levels. */
const WARNING = 40

/** Where lines go: what is there when the process ends is written. */
const written = new Set<ReturnType<typeof destination>>()
process.once('exit', () => {
  for (const lines of written) lines.flushSync()
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

/** Log lines as JSON on stderr. They are written within {@link LATEST}; those of warnings and faults before the call returns. */
export const makeLogger = (level: Settings['logLevel']): Logger => {
  const lines = destination({ dest: 2, sync: true, minLength: TOGETHER, periodicFlush: LATEST })
  written.add(lines)
  return pino(
    {
      level,
      timestamp: timestamp(),
      // What drivers say of rows and parameters stays behind (A5).
      serializers: { err: (error: unknown) => (error instanceof Error ? loggedError(error) : error) },
      formatters: { level: (label) => ({ level: label }) },
      hooks: {
        logMethod(args, log, severity) {
          log.apply(this, args)
          if (severity >= WARNING) lines.flushSync()
        },
      },
    },
    lines,
  )
}

/** A logger whose lines at level info are written whatever level is written otherwise: for lines that stand for what was done. */
export const always = (logger: Logger): Logger => logger.child({}, { level: 'info' })

/** Writes a line that scripts wait for, whatever level is written otherwise. */
export const announce = (logger: Logger, fields: object, message: string): void => {
  always(logger).info(fields, message)
  const { [symbols.streamSym]: lines } = logger as unknown as {
    [symbols.streamSym]: ReturnType<typeof destination>
  }
  lines.flushSync()
}

/** A fault that nobody expected ends the process: what state it is in is not known. */
export const exitOnFaults = (logger: Logger): void => {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (err: unknown) => {
      logger.fatal({ err: loggedError(err) }, event)
      process.exit(1)
    })
}
