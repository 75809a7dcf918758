import type { Worker } from 'node:cluster'
import { setTimeout as wait } from 'node:timers/promises'
import { memoryFailedAttempts } from '@almoner/domain/memory'
import type { BirpcReturn } from 'birpc'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Logger } from 'pino'
import type { ExitCode, Failure } from '../cli/failure.ts'
import { tell } from '../cli/perform.ts'
import type { Terminal } from '../cli/terminal.ts'
import { type Given, openService } from '../composition/service.ts'
import type { Settings } from '../config/definitions.ts'
import { openTracing } from '../logging/tracing.ts'
import type { Start } from '../serve/prepare.ts'
import { type Serving, startServing } from '../serve/serving.ts'
import { ignoreRestart, stopRequest } from '../serve/signals.ts'
import { connect, type PrimaryFunctions, type WorkerFunctions } from './messages.ts'

/** A draining worker ends with its last connection, or after this time, in milliseconds: no request takes longer. */
const LONGEST_DRAIN = 300_000

const TOLD = { reason: 'told by the primary' }

type Primary = BirpcReturn<PrimaryFunctions, WorkerFunctions>

/** The primary serves metrics that have a port of their own. */
const workerSettings = (settings: Settings, port: number): Settings => ({
  ...settings,
  port,
  metrics: settings.metrics.kind === 'on' ? { kind: 'on' } : { kind: 'off' },
})

const listen = (
  settings: Settings,
  logger: Logger,
  primary: Primary,
  given: Given,
): TE.TaskEither<Failure, Serving> =>
  pipe(
    openService(settings, logger, given),
    TE.flatMap((service) =>
      pipe(
        startServing(service, logger, primary.allMetrics),
        TE.tapError(() => TE.fromTask(service.close)),
      ),
    ),
  )

/** Serves as one of several processes, until the primary or a signal stops it, or the primary is gone. */
export const serveAsWorker = async (
  worker: Worker,
  { settings, logger }: Pick<Start, 'settings' | 'logger'>,
  terminal: Terminal,
): Promise<ExitCode> => {
  const request = stopRequest(logger, settings.drain * 1000)
  ignoreRestart(logger)
  const known = memoryFailedAttempts()
  let serving: Serving | undefined
  const metrics = async () => (await serving?.http.metrics.registry.getMetricsAsJSON()) ?? []
  const primary: Primary = connect(worker, {
    stop: () => request.make(TOLD),
    drain: async () => {
      const draining = serving?.drain()
      const timeout = wait(LONGEST_DRAIN, undefined, { ref: false })
      void Promise.race([draining?.ended, timeout]).then(() => request.make({ reason: 'replaced' }))
      await draining?.rested
    },
    failedAttempt: known.add,
    metrics,
  })
  const { number, port, failedAttempts, isStopping } = await primary.register()
  logger.setBindings({ worker: number })
  if (isStopping) request.make(TOLD)
  for (const attempt of failedAttempts) known.add(...attempt)
  const orphaned = () => {
    // Node would end the process at once: what runs is finished first, and claims are released.
    worker.exitedAfterDisconnect = true
    request.make({ reason: 'the primary is gone' }, 1)
  }
  worker.on('disconnect', orphaned)
  const add: typeof known.add = (...attempt) => {
    known.add(...attempt)
    void primary.failedAttempt(...attempt)
  }
  const run = async (): Promise<ExitCode> => {
    const tracing = await openTracing(logger, terminal.environment)
    const given = { failedAttempts: { of: known.of, add }, tracing }
    const started = await listen(workerSettings(settings, port), logger, primary, given)()
    if (E.isLeft(started)) return tell(terminal, started.left)
    serving = started.right
    void primary.ready().then((maintenance) => started.right.startJobs({ maintenance }))
    await request.made
    await serving.stop()
    await primary.lastMetrics(await metrics())
    logger.info('stopped')
    return 0
  }
  const code = await run()
  worker.off('disconnect', orphaned)
  worker.exitedAfterDisconnect = true
  if (worker.isConnected()) process.disconnect?.()
  return code
}
