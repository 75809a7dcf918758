import cluster from 'node:cluster'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { BirpcReturn } from 'birpc'
import { type AggregatedMetrics, aggregatedMetrics, cannotListen, startMetrics } from '../composition/http.ts'
import { forwardOutput, WORKER_STDIO } from '../composition/logger.ts'
import {
  endOf,
  makeWorkerPool,
  rememberMessages,
  stopWithLauncher,
  type WorkerHandle,
  type WorkerPool,
} from '../composition/node.ts'
import type { Endpoint } from '../config/network.ts'
import { type CommandFailed, type ExitCode, failed } from '../failure.ts'
import { progressOn, type Terminal } from '../terminal.ts'
import { connect, type PrimaryFunctions, type WorkerFunctions } from './messages.ts'
import { announceListening, type Prepared, prepare, type Start } from './prepare.ts'
import { aborted, RESTART, type StopRequest, stopRequest } from './signals.ts'

const START_FAILED = failed('a worker did not start')
const POOL_FAILED = failed('a worker died again and again; its last lines in the log tell why')

interface Handle extends WorkerHandle {
  readonly remote: BirpcReturn<WorkerFunctions, PrimaryFunctions>
}

/** The workers of this primary. */
interface Workers {
  readonly pool: WorkerPool<Handle>
  readonly metrics: AggregatedMetrics
  /** Where they will listen. */
  readonly port: number
  /** Resolves when they may start their jobs. */
  readonly started: PromiseWithResolvers<void>
}

const makeWorkers = ({ settings, logger }: Start, port: number, signal: AbortSignal): Workers => {
  const started = Promise.withResolvers<void>()
  const messages = rememberMessages()
  const node = randomUUID()
  cluster.setupPrimary({ stdio: [...WORKER_STDIO] })
  const launch = (number: number): Handle => {
    const worker = cluster.fork()
    const { pid } = worker.process
    forwardOutput(logger, worker.process)
    const ready = Promise.withResolvers<void>()
    const remote = connect<WorkerFunctions, PrimaryFunctions>(worker, {
      register: () => ({
        number,
        port,
        node,
        isStopping: signal.aborted,
      }),
      ready: async () => {
        ready.resolve()
        await started.promise
        logger.info({ worker: number, workerPid: pid }, 'a worker takes requests')
        return number === 1
      },
      count: (message) => {
        messages.note(message)
        for (const other of pool.workers()) if (other !== handle) void other.remote.count(message)
      },
      counts: messages.recent,
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

/** Returns the port to share, so that one in use is one error, and one that the system chooses stays the same when workers are replaced. */
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
  signal: AbortSignal,
  announce: () => void,
): Promise<CommandFailed | undefined> => {
  const stopped = aborted(signal).then(() => undefined)
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
): Promise<void> => {
  const { settings, logger } = start
  const listen = async () => {
    const workers = makeWorkers(start, await findPort(settings), request.signal)
    return { workers, apart: await startMetrics(settings.metrics, workers.metrics.read, logger) }
  }
  const { workers, apart } = await listen().catch((cause) => {
    throw cannotListen(settings, cause)
  })
  process.on('exit', () => {
    // When the primary ends by an error, the workers finish their requests by themselves.
    if (request.signal.aborted) for (const worker of workers.pool.workers()) worker.kill()
  })
  // Nothing else keeps this process alive while no worker runs.
  const awake = setInterval(() => {}, 3_600_000)
  const failure = await superviseWorkers(workers, request.signal, () =>
    announceListening(prepared, { port: workers.port, metricsUrl: apart?.url }, logger, terminal),
  )
  if (failure !== undefined) request.make({ reason: failure.lines[0] }, 1)
  await workers.pool.stop()
  clearInterval(awake)
  apart?.close()
  logger.info('stopped')
  if (failure !== undefined) throw failure
}

/** Prepares the service, starts the workers and supervises them until a stop request. */
export const serveAsPrimary = async (start: Start, terminal: Terminal): Promise<ExitCode> => {
  const { settings, logger } = start
  const request = stopRequest(logger, settings.drain * 1000)
  stopWithLauncher(request)
  const prepared = await prepare(start, request.signal, progressOn(terminal))
  // The workers open it for themselves.
  await prepared.service.close()
  if (request.signal.aborted) logger.info('stopped')
  else await run(start, prepared, request, terminal)
  return 0
}
