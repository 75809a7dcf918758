import type { Worker } from 'node:cluster'

/** A worker process as the primary sees it. */
export interface WorkerHandle {
  /** Its number in the pool, from 1. Its successor has the same. */
  readonly number: number
  /** Its process; undefined if it was not started. */
  readonly pid: number | undefined
  /** Its functions that the pool calls. */
  readonly remote: {
    /** Finishes running requests and ends the process. */
    stop(): Promise<unknown>
    /** Resolves when the worker accepts no requests any more. */
    drain(): Promise<unknown>
  }
  /** Resolves when the worker accepts requests; never, if it ends before. */
  readonly ready: Promise<void>
  /** Resolves when the worker has ended, with the signal or exit code. */
  readonly ended: Promise<string>
  /** Ends it at once. */
  readonly kill: () => void
}

/** Resolves when a process has ended and its last message has arrived, with the signal or exit code. */
export const endOf = (worker: Worker): Promise<string> =>
  new Promise((resolve) => {
    const disconnected = new Promise((disconnect) => worker.once('disconnect', disconnect))
    worker.once(
      'exit',
      (code, signal) => void disconnected.then(() => resolve(signal ?? `exit code ${code}`)),
    )
    worker.on('error', () => {
      if (worker.process.pid === undefined) resolve('not started')
    })
  })

/** A pool's log. */
export interface WorkerPoolLog {
  /** Logs an event. */
  info(message: string): void
  /** Logs a fault with its fields. */
  error(fields: object, message: string): void
}

/** The size and the surroundings of a pool. */
export interface WorkerPoolOptions<W extends WorkerHandle> {
  /** The number of workers. */
  readonly size: number
  /** Starts the worker of a number. */
  readonly launch: (number: number) => W
  /** Gets crashes and restarts, as pino's logger does. */
  readonly logger: WorkerPoolLog
  /** Monotonic time in milliseconds. */
  readonly now: () => number
  /** Resolves after a time. */
  readonly wait: (milliseconds: number) => Promise<void>
}

/** A fixed number of workers. */
export interface WorkerPool<W extends WorkerHandle> {
  /** Launches all workers. Resolves to true when all are ready, to false as soon as one has ended. */
  readonly start: () => Promise<boolean>
  /** Rolling restart: replaces workers one at a time, waiting for each to be ready. Repeats if requested again meanwhile. */
  readonly restart: () => Promise<void>
  /** Stops all workers; resolves when the last has ended. */
  readonly stop: () => Promise<void>
  /** Resolves when one worker crashes again and again. */
  readonly failed: Promise<void>
  /** All running workers, including draining ones. */
  readonly workers: () => ReadonlyArray<W>
}

const MINUTE = 60_000

/** Crashes of one worker within a minute after which the pool has failed. */
const MOST_CRASHES = 10

/** Milliseconds before a crashed worker is replaced, doubled with each crash. A signal to the process group reaches the primary sooner. */
const [FIRST_BACKOFF, LONGEST_BACKOFF] = [100, 10_000]

/** Milliseconds within which a fresh worker must be ready. */
const START_TIMEOUT = 60_000

/** Milliseconds that a restart waits for a draining worker before it replaces the next one. */
const DRAIN_TIMEOUT = 10_000

/** Creates a pool that has launched no worker yet. */
export const makeWorkerPool = <W extends WorkerHandle>({
  size,
  launch,
  logger,
  now,
  wait,
}: WorkerPoolOptions<W>): WorkerPool<W> => {
  const numbers = Array.from({ length: size }, (_, n) => n + 1)
  const current = new Map<number, W>()
  const crashes = new Map<number, ReadonlyArray<number>>()
  const running = new Set<W>()
  const { promise: failed, resolve: fail } = Promise.withResolvers<void>()
  const state = { stopping: false, restarting: false, restartRequested: false }

  const launchOne = (number: number): W => {
    const worker = launch(number)
    running.add(worker)
    void worker.ended.then((cause) => {
      running.delete(worker)
      if (current.get(number) === worker && !state.stopping) void recover(worker, cause)
    })
    return worker
  }

  const fill = (number: number): W => {
    const worker = launchOne(number)
    current.set(number, worker)
    return worker
  }

  const recover = async (crashed: W, cause: string): Promise<void> => {
    const { number, pid } = crashed
    logger.error({ worker: number, workerPid: pid, by: cause }, 'a worker died')
    const moment = now()
    const recent = [...(crashes.get(number) ?? []).filter((earlier) => moment < earlier + MINUTE), moment]
    crashes.set(number, recent)
    if (recent.length >= MOST_CRASHES) return fail()
    await wait(Math.min(FIRST_BACKOFF * 2 ** (recent.length - 1), LONGEST_BACKOFF))
    if (!state.stopping && current.get(number) === crashed) fill(number)
  }

  /** Returns false when the replacement failed or the pool is stopping. */
  const replaceWorker = async (number: number): Promise<boolean> => {
    const fresh = launchOne(number)
    const failure = await Promise.race([
      fresh.ready.then(() => undefined),
      fresh.ended,
      wait(START_TIMEOUT).then(() => 'no answer'),
    ])
    if (state.stopping) return false
    if (failure !== undefined) {
      logger.error({ worker: number, by: failure }, 'the restart was given up: a fresh worker did not start')
      fresh.kill()
      return false
    }
    const old = current.get(number)
    current.set(number, fresh)
    if (old !== undefined && running.has(old))
      await Promise.race([old.remote.drain(), old.ended, wait(DRAIN_TIMEOUT)])
    return !state.stopping
  }

  const replaceAll = async (): Promise<void> => {
    logger.info('restarting')
    for (const number of numbers) if (!(await replaceWorker(number))) return
    logger.info('restarted')
  }

  return {
    start: async () => {
      const workers = numbers.map(fill)
      const ready = Promise.all(workers.map((worker) => worker.ready)).then(() => true)
      return Promise.race([ready, ...workers.map(({ ended }) => ended.then(() => false))])
    },
    restart: async () => {
      state.restartRequested = true
      if (state.restarting) return
      state.restarting = true
      while (state.restartRequested && !state.stopping) {
        state.restartRequested = false
        await replaceAll()
      }
      state.restarting = false
    },
    stop: async () => {
      state.stopping = true
      for (const worker of running) void worker.remote.stop()
      await Promise.all([...running].map(({ ended }) => ended))
    },
    failed,
    workers: () => [...running],
  }
}
