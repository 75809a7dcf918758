import * as E from 'fp-ts/lib/Either.js'
import type { ExitCode } from '../cli/failure.ts'
import { settingsOf, tell } from '../cli/perform.ts'
import type { Terminal } from '../cli/terminal.ts'
import { exitOnFaults, makeLogger } from '../composition/logger.ts'
import { serveAlone } from './single-process.ts'

/**
 * `serve`: migrates, fills an empty database if `demo` says so, and takes requests until it is told to stop; then it takes no
 * more, finishes those that run and gives 0. What several processes need is loaded only for them.
 */
export const serve = async (terminal: Terminal, demo: boolean): Promise<ExitCode> => {
  const read = settingsOf(terminal)
  if (E.isLeft(read)) return tell(terminal, read.left)
  const settings = read.right
  const logger = makeLogger(settings.logLevel)
  exitOnFaults(logger)
  const start = { settings, demo, logger }
  if (settings.workers === 1) return serveAlone(start, terminal)
  const { default: cluster } = await import('node:cluster')
  if (cluster.worker === undefined) {
    const { serveAsPrimary } = await import('../workers/primary.ts')
    return serveAsPrimary(start, terminal)
  }
  const { serveAsWorker } = await import('../workers/worker.ts')
  return serveAsWorker(cluster.worker, start, terminal)
}
