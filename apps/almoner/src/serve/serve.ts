import * as O from 'fp-ts/lib/Option.js'
import type { ProcessCommand } from '../cli/command.ts'
import { exitOnFaults, makeLogger, WORKER_LOG } from '../composition/logger.ts'
import { ALL_SETTINGS } from '../config/definitions.ts'
import { namesOfServices, settingsOf } from '../config/read.ts'
import { serveAlone } from './single-process.ts'

/** The settings for `--help`: name and default on a line, what it does below. */
const settingsHelp = (): string => {
  const entries = ALL_SETTINGS.map((setting) => `  ${setting.name}=${setting.default}\n      ${setting.doc}`)
  return ['', 'Settings (environment variables, with their defaults):', ...entries].join('\n')
}

/** `serve [--demo]`: migrates, and accepts requests until a stop request. The code for several processes is loaded only for them. */
export const serve: ProcessCommand<{ readonly demo?: true }> = {
  usage: 'serve',
  summary: 'migrate the database, then serve until SIGTERM or SIGINT',
  options: [['--demo', 'fill an empty database with demonstration content and clients']],
  help: settingsHelp,
  async start(terminal, { demo }) {
    const given = settingsOf(terminal.environment)
    // The links of the demonstration lead to sites that have not asked for visits.
    const linkCheck = demo
      ? O.alt((): typeof given.linkCheck => O.some('off'))(given.linkCheck)
      : given.linkCheck
    const settings = { ...given, linkCheck }
    const worker = settings.workers === 1 ? undefined : (await import('node:cluster')).default.worker
    const logger = makeLogger(settings.logLevel, worker && WORKER_LOG)
    exitOnFaults(logger)
    const start = { settings, demo: demo === true, logger }
    if (worker !== undefined) {
      const { serveAsWorker } = await import('./worker.ts')
      return serveAsWorker(worker, start, terminal)
    }
    const names = namesOfServices(terminal.environment)
    if (names.length > 0) logger.info({ names }, 'variables of Kubernetes or Docker are no settings')
    if (settings.workers === 1) return serveAlone(start, terminal)
    const { serveAsPrimary } = await import('./primary.ts')
    return serveAsPrimary(start, terminal)
  },
}
