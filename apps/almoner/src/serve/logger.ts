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

/** Writes a line at level info whatever level is written otherwise: scripts wait for it, or it stands for what was done. */
export const announce = (logger: Logger, fields: object, message: string): void =>
  logger.child({}, { level: 'info' }).info(fields, message)

/** A fault that nobody expected ends the process: what state it is in is not known. */
export const exitOnFaults = (logger: Logger): void => {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (err: unknown) => {
      logger.fatal({ err }, event)
      process.exit(1)
    })
}
