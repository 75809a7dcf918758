import cluster from 'node:cluster'
import type { ExitCode } from '../../failure.ts'
import type { Settings } from '../../settings/definitions.ts'
import type { Terminal } from '../../terminal.ts'
import { exitOnFaults, makeLogger } from '../logger.ts'
import { serveAsPrimary } from './primary.ts'
import { serveAsWorker } from './worker.ts'

/** Serves by several processes: this one is the primary, or one of the workers that the primary has forked. */
export const serveTogether = (settings: Settings, terminal: Terminal, demo: boolean): Promise<ExitCode> => {
  if (cluster.worker !== undefined) return serveAsWorker(cluster.worker, settings, terminal)
  const logger = makeLogger(settings.logLevel)
  exitOnFaults(logger)
  return serveAsPrimary({ settings, demo, logger }, terminal)
}
