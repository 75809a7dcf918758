import { stopWithLauncher } from '../composition/node.ts'
import type { ExitCode } from '../failure.ts'
import { openTracing } from '../logging/tracing.ts'
import { progressOn, type Terminal } from '../terminal.ts'
import { announceListening, prepare, type Start } from './prepare.ts'
import { startServing } from './serving.ts'
import { aborted, ignoreRestart, stopRequest } from './signals.ts'

/** Serves in this process alone. */
export const serveAlone = async (start: Start, terminal: Terminal): Promise<ExitCode> => {
  const { settings, logger } = start
  const request = stopRequest(logger, settings.drain * 1000)
  stopWithLauncher(request)
  ignoreRestart(logger)
  const tracing = await openTracing(logger, terminal.environment)
  const prepared = await prepare(start, request.signal, progressOn(terminal), { tracing })
  if (request.signal.aborted) await prepared.service.close()
  else {
    const serving = await startServing(prepared.service, logger)
    announceListening(prepared, serving.http, logger, terminal)
    serving.startJobs({ maintenance: true })
    await aborted(request.signal)
    await serving.stop()
  }
  logger.info('stopped')
  return 0
}
