import type { Worker } from 'node:cluster'
import { setTimeout as wait } from 'node:timers/promises'
import type { BirpcReturn } from 'birpc'
import type { CountMessage } from '../composition/node.ts'
import { type OpenService, openService } from '../composition/server.ts'
import type { Settings } from '../config/definitions.ts'
import type { ExitCode } from '../failure.ts'
import { openTracing } from '../logging/tracing.ts'
import type { Terminal } from '../terminal.ts'
import { connect, type PrimaryFunctions, type WorkerFunctions } from './messages.ts'
import type { Start } from './prepare.ts'
import { type Serving, startServing } from './serving.ts'
import { aborted, ignoreRestart, stopRequest } from './signals.ts'

/** A draining worker ends with its last connection, or after this time, in milliseconds: no request takes longer. */
const LONGEST_DRAIN = 300_000

const STOPPED = { reason: 'told by the primary' }

/** The primary serves metrics that have a port of their own. */
const workerSettings = (settings: Settings, port: number): Settings => ({
  ...settings,
  port,
  metrics: settings.metrics.kind === 'on' ? { kind: 'on' } : { kind: 'off' },
})

/** Serves as one of several processes, until the primary or a signal stops it, or the primary is gone. */
export const serveAsWorker = async (
  worker: Worker,
  { settings, logger }: Start,
  terminal: Terminal,
): Promise<ExitCode> => {
  const request = stopRequest(logger, settings.drain * 1000)
  ignoreRestart(logger)
  let service: OpenService | undefined
  let serving: Serving | undefined
  const metrics = async () => (await serving?.http.metrics.registry.getMetricsAsJSON()) ?? []
  const primary: BirpcReturn<PrimaryFunctions, WorkerFunctions> = connect(worker, {
    stop: () => request.make(STOPPED),
    drain: async () => {
      const draining = serving?.drain()
      const timeout = wait(LONGEST_DRAIN, undefined, { ref: false })
      void Promise.race([draining?.ended, timeout]).then(() => request.make({ reason: 'replaced' }))
      await draining?.rested
    },
    count: (message) => service?.counts.hear(message),
    metrics,
  })
  const { number, port, node, isStopping } = await primary.register()
  logger.setBindings({ worker: number })
  if (isStopping) request.make(STOPPED)
  const orphaned = () => {
    // Node would end the process at once: what runs is finished first, and claims are released.
    worker.exitedAfterDisconnect = true
    request.make({ reason: 'the primary is gone' }, 1)
  }
  worker.on('disconnect', orphaned)
  const run = async (): Promise<void> => {
    const tracing = await openTracing(logger, terminal.environment)
    const link = { node, tell: (message: CountMessage) => void primary.count(message) }
    const opened = await openService(workerSettings(settings, port), logger, { link, tracing })
    // The primary may run an older program.
    for (const message of await primary.counts().catch(() => [])) opened.counts.hear(message)
    service = opened
    const started = await startServing(opened, logger, primary.allMetrics)
    serving = started
    void primary.ready().then((maintenance) => started.startJobs({ maintenance }))
    await aborted(request.signal)
    await started.stop()
    await primary.lastMetrics(await metrics())
    logger.info('stopped')
  }
  try {
    await run()
    return 0
  } finally {
    worker.off('disconnect', orphaned)
    worker.exitedAfterDisconnect = true
    if (worker.isConnected()) process.disconnect?.()
  }
}
