import cluster from 'node:cluster'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { systemClock } from '@almoner/adapters-node'
import { isRecentFailure } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type ExitCode, type Failure, failed } from '../cli/failure.ts'
import { tell } from '../cli/perform.ts'
import { progressOn, type Terminal } from '../cli/terminal.ts'
import { type AggregatedMetrics, aggregatedMetrics } from '../composition/aggregated-metrics.ts'
import { cannotListen } from '../composition/http.ts'
import { type MetricsApart, startMetrics } from '../composition/metrics-server.ts'
import type { Endpoint } from '../config/network.ts'
import { announceListening } from '../serve/announce.ts'
import { stopWithLauncher } from '../serve/launcher.ts'
import { type Prepared, prepare, type Start } from '../serve/prepare.ts'
import { RESTART, type StopRequest, stopRequest } from '../serve/signals.ts'
import { connect, type FailedAttempt, type PrimaryFunctions, type WorkerFunctions } from './messages.ts'
import { endOf, makeWorkerPool, type WorkerHandle, type WorkerPool } from './worker-pool.ts'

/** Failed attempts remembered for fresh workers: two of each check, and a process checks no more than a few thousand in a minute. */
const MOST_ATTEMPTS = 20_000

const START_FAILED = failed('a worker did not start')
const POOL_FAILED = failed('a worker died again and again; its last lines in the log tell why')

/** The workers of this primary. */
interface Workers {
  readonly pool: WorkerPool
  readonly metrics: AggregatedMetrics
  /** Where they will listen. */
  readonly port: number
  /** Resolves when they may start their jobs. */
  readonly started: PromiseWithResolvers<void>
}

const makeWorkers = ({ settings, logger }: Start, port: number, request: StopRequest): Workers => {
  const started = Promise.withResolvers<void>()
  const attempts: Array<FailedAttempt> = []
  const launch = (number: number): WorkerHandle => {
    const worker = cluster.fork()
    const { pid } = worker.process
    const ready = Promise.withResolvers<void>()
    const remote = connect<WorkerFunctions, PrimaryFunctions>(worker, {
      register: () => ({
        number,
        port,
        failedAttempts: attempts.filter(([, , at]) => isRecentFailure(at, systemClock.now())),
        isStopping: request.isMade(),
      }),
      ready: async () => {
        ready.resolve()
        await started.promise
        logger.info({ worker: number, workerPid: pid }, 'a worker takes requests')
        return number === 1
      },
      failedAttempt: (...attempt) => {
        if (attempts.length >= 2 * MOST_ATTEMPTS) attempts.splice(0, MOST_ATTEMPTS)
        attempts.push(attempt)
        for (const other of pool.workers()) if (other !== handle) void other.remote.failedAttempt(...attempt)
      },
      lastMetrics: (values) => metrics.record(handle, values),
      allMetrics: async () => (await metrics.read()).metrics(),
    })
    const kill = () => void worker.process.kill('SIGKILL')
    const handle = { number, pid, remote, ready: ready.promise, ended: endOf(worker), kill }
    void handle.ended.then(() => metrics.remove(handle))
    return handle
  }
  const pool = makeWorkerPool({
    size: settings.workers,
    launch,
    logger,
    now: () => performance.now(),
    wait: (milliseconds) => wait(milliseconds, undefined, { ref: false }),
  })
  const metrics = aggregatedMetrics(pool.workers)
  return { pool, metrics, port, started }
}

/** Returns the port to share, so that one in use is one fault, and one that the system chooses stays the same when workers are replaced. */
const findPort = async ({ host, port }: Endpoint): Promise<number> => {
  const server = createServer()
  await once(server.listen({ host, port }), 'listening')
  const chosen = (server.address() as AddressInfo).port
  await new Promise((resolve) => server.close(resolve))
  return chosen
}

/** Runs the workers until a stop request, or returns why they failed. */
const superviseWorkers = async (
  { pool, started }: Workers,
  request: StopRequest,
  announce: () => void,
): Promise<Failure | undefined> => {
  const stopped = request.made.then(() => undefined)
  let isStarted = false
  process.on(RESTART, () => isStarted && void pool.restart())
  const start = await Promise.race([pool.start(), stopped])
  if (start === undefined) return undefined
  if (!start) return START_FAILED
  announce()
  isStarted = true
  started.resolve()
  return Promise.race([stopped, pool.failed.then(() => POOL_FAILED)])
}

const run = async (
  start: Start,
  prepared: Prepared,
  request: StopRequest,
  terminal: Terminal,
): Promise<ExitCode> => {
  const { settings, logger } = start
  const listen = async () => {
    const workers = makeWorkers(start, await findPort(settings), request)
    return { workers, apart: await startMetrics(settings.metrics, workers.metrics.read, logger) }
  }
  const listening = await TE.tryCatch(listen, cannotListen(settings))()
  if (E.isLeft(listening)) return tell(terminal, listening.left)
  const { workers, apart } = listening.right
  process.on('exit', () => {
    // Where the primary ends by a fault, the workers finish what runs by themselves.
    if (request.isMade()) for (const worker of workers.pool.workers()) worker.kill()
  })
  // Nothing else keeps this process alive while no worker runs.
  const awake = setInterval(() => {}, 3_600_000)
  const metricsUrl = O.map(({ url }: MetricsApart) => url)(apart)
  const failure = await superviseWorkers(workers, request, () =>
    announceListening(prepared, { port: workers.port, metricsUrl }, logger, terminal),
  )
  if (failure !== undefined) request.make({ reason: failure.lines[0] }, 1)
  await workers.pool.stop()
  clearInterval(awake)
  if (O.isSome(apart)) apart.value.close()
  logger.info('stopped')
  return failure === undefined ? 0 : tell(terminal, failure)
}

/** Prepares the service, starts the workers and supervises them until a stop request. */
export const serveAsPrimary = async (
  begin: Omit<Start, 'isStopping' | 'progress' | 'tracing'>,
  terminal: Terminal,
): Promise<ExitCode> => {
  const request = stopRequest(begin.logger, begin.settings.drain * 1000)
  stopWithLauncher(request)
  const start = { ...begin, isStopping: request.isMade, progress: progressOn(terminal) }
  const prepared = await prepare(start)()
  if (E.isLeft(prepared)) return tell(terminal, prepared.left)
  // The workers open it for themselves.
  await prepared.right.service.close()
  if (!request.isMade()) return run(start, prepared.right, request, terminal)
  begin.logger.info('stopped')
  return 0
}
