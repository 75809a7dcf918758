import type { Worker } from 'node:cluster'
import { setTimeout as wait } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Logger } from 'pino'
import { tell } from '../../commands/perform.ts'
import type { ExitCode, Failure } from '../../failure.ts'
import type { Settings } from '../../settings/definitions.ts'
import type { Terminal } from '../../terminal.ts'
import { exitOnFaults, makeLogger } from '../logger.ts'
import { openService } from '../service.ts'
import { type Serving, startServing } from '../serving.ts'
import { ignoreRestart, type StopRequest, stopRequest } from '../signals.ts'
import { openTracing, type Tracing } from '../tracing.ts'
import { type SharedFailures, sharedFailures } from './failures.ts'
import { holdLine, type Line } from './line.ts'
import type { PrimaryTalk, WorkerTalk } from './talk.ts'

/** A worker that has been replaced ends with its last connection, or after this time: no request takes longer. In milliseconds. */
const LONGEST = 300_000

const TOLD = { reason: 'told by the primary' }

/** What a worker is made of once the primary has told it who it is. */
interface Parts {
  readonly settings: Settings
  readonly logger: Logger
  readonly request: StopRequest
  readonly line: Line<WorkerTalk>
  readonly failures: SharedFailures
  readonly tracing: Tracing | undefined
}

/** What the primary may talk to, as soon as it is there. */
interface Reached {
  serving?: Serving
  request?: StopRequest
  /** Whether it was told to stop. */
  stopped?: true
}

const hold = (worker: Worker, reached: Reached, failures: () => SharedFailures): Line<WorkerTalk> => {
  const handOver = async ({ serving, request }: Reached): Promise<null> => {
    const leaving = serving?.handOver()
    const late = wait(LONGEST, undefined, { ref: false })
    void Promise.race([leaving?.ended, late]).then(() => request?.make({ reason: 'replaced' }))
    await leaving?.rested
    return null
  }
  return holdLine<WorkerTalk, PrimaryTalk>(
    {
      send: (message, sent) => void worker.send(message, sent),
      receive: (listener) => void worker.on('message', listener),
    },
    {
      tells: {
        work: (duty) => reached.serving?.work(duty),
        stop: () => {
          reached.stopped = true
          reached.request?.make(TOLD)
        },
        failure: (failure) => failures().hear(failure),
      },
      asks: {
        figures: () => reached.serving?.http.metrics.registry.getMetricsAsJSON() ?? [],
        handOver: () => handOver(reached),
      },
    },
  )
}

/** Figures that have a port of their own are served there by the primary. */
const ownSettings = (settings: Settings, port: number): Settings => ({
  ...settings,
  port,
  metrics: settings.metrics.kind === 'on' ? { kind: 'on' } : { kind: 'off' },
})

const start = ({ settings, logger, line, failures, tracing }: Parts): TE.TaskEither<Failure, Serving> => {
  const shared = {
    count: (key: string) => line.ask('count', key),
    figures: () => line.ask('allFigures', null),
  }
  return pipe(
    openService(settings, logger, { failedAttempts: failures, tracing }),
    TE.flatMap((service) =>
      pipe(
        startServing(service, logger, shared),
        TE.tapError(() => TE.fromTask(service.close)),
      ),
    ),
  )
}

const run = async (parts: Parts, reached: Reached, terminal: Terminal): Promise<ExitCode> => {
  const { line, request, logger } = parts
  const serving = await start(parts)()
  if (E.isLeft(serving)) return tell(terminal, serving.left)
  reached.serving = serving.right
  void line.tell('ready', null)
  await request.made
  await serving.right.stop()
  await line.tell('lastFigures', await serving.right.http.metrics.registry.getMetricsAsJSON())
  logger.info('stopped')
  return 0
}

/** Serves as one of several processes, until the primary or a signal stops it, or the primary is gone. */
export const serveAsWorker = async (
  worker: Worker,
  settings: Settings,
  terminal: Terminal,
): Promise<ExitCode> => {
  const reached: Reached = {}
  const line = hold(worker, reached, () => failures)
  const failures = sharedFailures((failure) => void line.tell('failure', failure))
  const { number, port, failures: known } = await line.ask('beginning', null)
  failures.hear(...known)
  const logger = makeLogger(settings.logLevel).child({ worker: number })
  exitOnFaults(logger)
  const request = stopRequest(logger, settings.drain * 1000)
  reached.request = request
  ignoreRestart(logger)
  if (reached.stopped) request.make(TOLD)
  const orphaned = () => {
    // Node would end the process at once: what runs is finished first, and claims are let go.
    worker.exitedAfterDisconnect = true
    request.make({ reason: 'the primary is gone' }, 1)
  }
  worker.on('disconnect', orphaned)
  const tracing = await openTracing(logger, terminal.environment)
  const parts = { settings: ownSettings(settings, port), logger, request, line, failures, tracing }
  const code = await run(parts, reached, terminal)
  worker.off('disconnect', orphaned)
  worker.exitedAfterDisconnect = true
  if (worker.isConnected()) process.disconnect?.()
  return code
}
