import t from 'tap'
import { makeWorkerPool, type WorkerHandle, type WorkerPoolOptions } from '../src/worker-pool.ts'

/** A worker that does what the test says. */
const fakeWorker = (number: number, pid: number) => {
  const [ready, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()]
  const calls: Array<string> = []
  const remote = {
    stop: async () => {
      calls.push('stop')
      ended.resolve('exit code 0')
    },
    drain: async () => void calls.push('drain'),
  }
  const handle: WorkerHandle = {
    number,
    pid,
    ready: ready.promise,
    ended: ended.promise,
    kill: () => ended.resolve('SIGKILL'),
    remote: remote as unknown as WorkerHandle['remote'],
  }
  return { handle, calls, becomeReady: ready.resolve, end: ended.resolve }
}

type FakeWorker = ReturnType<typeof fakeWorker>

/** A pool of fakes, by a clock that moves only when the pool waits. */
const fixture = (size: number, over: Partial<WorkerPoolOptions<WorkerHandle>> = {}) => {
  const fakes: Array<FakeWorker> = []
  const lines: Array<Record<string, unknown>> = []
  const waits: Array<number> = []
  let now = 0
  const pool = makeWorkerPool({
    size,
    launch: (number) => {
      const fake = fakeWorker(number, 1000 + fakes.length)
      fakes.push(fake)
      return fake.handle
    },
    logger: {
      info: (msg) => void lines.push({ level: 30, msg }),
      error: (fields, msg) => void lines.push({ level: 50, ...fields, msg }),
    },
    now: () => now,
    wait: async (milliseconds) => {
      waits.push(milliseconds)
      now += milliseconds
    },
    ...over,
  })
  return { pool, fakes, lines, waits }
}

/** Lets everything that can happen now happen. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

/** A pool whose workers accept requests. */
const started = async (size: number, over: Partial<WorkerPoolOptions<WorkerHandle>> = {}) => {
  const parts = fixture(size, over)
  const start = parts.pool.start()
  for (const { becomeReady } of parts.fakes) becomeReady()
  await start
  return parts
}

const never = () => new Promise<never>(() => {})

t.test(
  'ALMONER_WORKERS: a start succeeds when all workers are ready, and fails when one has exited',
  async (t) => {
    const good = fixture(2)
    const succeeding = good.pool.start()
    for (const { becomeReady } of good.fakes) becomeReady()
    t.equal(await succeeding, true)

    const bad = fixture(2, { wait: never })
    const failing = bad.pool.start()
    bad.fakes[0]?.becomeReady()
    bad.fakes[1]?.end('exit code 1')
    t.equal(await failing, false)
  },
)

t.test('ALMONER_WORKERS: a worker that dies is replaced under its number; the others continue', async (t) => {
  const { pool, fakes, lines, waits } = await started(2)
  fakes[1]?.end('SIGSEGV')
  await settle()
  t.strictSame([fakes.length, fakes[2]?.handle.number, waits], [3, 2, [100]])
  t.match(
    lines.find(({ msg }) => msg === 'a worker died'),
    { worker: 2, workerPid: 1001, by: 'SIGSEGV' },
  )
  t.strictSame(pool.workers(), [fakes[0]?.handle, fakes[2]?.handle])
  t.strictSame(fakes[0]?.calls, [])
})

t.test(
  'ALMONER_WORKERS: repeated deaths lengthen the wait, and the tenth within a minute ends the service',
  async (t) => {
    const { pool, fakes, waits } = await started(2)
    let failed = false
    void pool.failed.then(() => {
      failed = true
    })
    for (let death = 1; death <= 10; death += 1) {
      t.equal(failed, false, `death ${death}`)
      fakes.at(death === 1 ? 0 : -1)?.end('exit code 1')
      await settle()
    }
    t.equal(failed, true)
    t.strictSame(waits, [100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000])
    t.strictSame(fakes[1]?.calls, [], 'the other continues meanwhile')
    await pool.stop()
    t.strictSame(fakes[1]?.calls, ['stop'])
  },
)

t.test('ALMONER_WORKERS: occasional deaths do not end the service', async (t) => {
  let now = 0
  const { pool, fakes, waits } = await started(1, { now: () => now })
  let failed = false
  void pool.failed.then(() => {
    failed = true
  })
  for (let death = 1; death <= 30; death += 1) {
    fakes.at(-1)?.end('exit code 1')
    await settle()
    now += 60_000
  }
  t.strictSame([failed, ...new Set(waits)], [false, 100])
})

t.test(
  'SIGUSR2: workers are replaced one at a time, each drained only when its replacement is ready',
  async (t) => {
    const { pool, fakes } = await started(2, { wait: never })
    const restarted = pool.restart()
    await settle()
    t.strictSame([fakes.length, fakes[0]?.calls], [3, []], 'one replacement, which is not ready yet')
    fakes[2]?.becomeReady()
    await settle()
    t.strictSame(fakes[0]?.calls, ['drain'])
    t.strictSame([fakes.length, fakes[1]?.calls], [4, []])
    fakes[3]?.becomeReady()
    await restarted
    t.strictSame(fakes[1]?.calls, ['drain'])
    fakes[0]?.end('exit code 0')
    await settle()
    t.equal(fakes.length, 4, 'a drained worker is not replaced again')
  },
)

t.test(
  'SIGUSR2: a replacement that does not start ends the restart, and the old workers continue',
  async (t) => {
    const { pool, fakes, lines } = await started(2, { wait: never })
    const restarted = pool.restart()
    await settle()
    fakes[2]?.end('exit code 1')
    await restarted
    t.strictSame(
      fakes.map(({ calls }) => calls),
      [[], [], []],
    )
    t.match(lines.at(-1), { worker: 1, by: 'exit code 1', msg: /^the restart was given up/ })
  },
)

t.test('SIGUSR2: a restart that is requested during another one follows it', async (t) => {
  const { pool, fakes } = await started(1, { wait: never })
  const restarted = pool.restart()
  void pool.restart()
  for (const at of [1, 2]) {
    await settle()
    fakes[at]?.becomeReady()
  }
  await restarted
  t.strictSame(
    fakes.map(({ calls }) => calls),
    [['drain'], ['drain'], []],
  )
})

t.test('SIGTERM during a restart stops the replacement too, and no further worker is replaced', async (t) => {
  const { pool, fakes } = await started(1, { wait: never })
  const restarted = pool.restart()
  await settle()
  await Promise.all([pool.stop(), restarted])
  t.strictSame(
    fakes.map(({ calls }) => calls),
    [['stop'], ['stop']],
  )
  t.strictSame(pool.workers(), [])
})
