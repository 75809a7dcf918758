import { destination, type Logger, pino, stdTimeFunctions } from 'pino'
import type { Settings } from '../settings/definitions.ts'

/** Log lines as JSON on stderr, each written before the call returns. */
export const makeLogger = (level: Settings['logLevel']): Logger =>
  pino(
    {
      level,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination({ dest: 2, sync: true }),
  )

/** A logger whose lines at level info are written whatever level is written otherwise: for lines that stand for what was done. */
export const always = (logger: Logger): Logger => logger.child({}, { level: 'info' })

/** Writes a line that scripts wait for, whatever level is written otherwise. */
export const announce = (logger: Logger, fields: object, message: string): void =>
  always(logger).info(fields, message)

/** A fault that nobody expected ends the process: what state it is in is not known. */
export const exitOnFaults = (logger: Logger): void => {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (err: unknown) => {
      logger.fatal({ err }, event)
      process.exit(1)
    })
}
