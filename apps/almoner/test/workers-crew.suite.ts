import { pino } from 'pino'
import t from 'tap'
import { type CrewParts, makeCrew } from '../src/serve/cluster/crew.ts'
import type { Hand } from '../src/serve/cluster/hand.ts'

/** A worker of a test: it does what the test has it do. */
const fakeHand = (number: number, pid: number) => {
  const [ready, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()]
  const told: Array<string> = []
  const hand: Hand = {
    number,
    pid,
    ready: ready.promise,
    ended: ended.promise,
    kill: () => ended.resolve('SIGKILL'),
    line: {
      tell: async (name) => {
        told.push(name)
        if (name === 'stop') ended.resolve('exit code 0')
      },
      ask: async (name) => {
        told.push(name)
        return null as never
      },
    },
  }
  return { hand, told, begin: ready.resolve, end: ended.resolve }
}

type Fake = ReturnType<typeof fakeHand>

/** A crew of fakes, by a clock that moves only when the crew waits. */
const rig = (size: number, over: Partial<CrewParts> = {}) => {
  const fakes: Array<Fake> = []
  const lines: Array<Record<string, unknown>> = []
  const waits: Array<number> = []
  let now = 0
  const crew = makeCrew({
    size,
    launch: (number) => {
      const fake = fakeHand(number, 1000 + fakes.length)
      fakes.push(fake)
      return fake.hand
    },
    logger: pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) }),
    now: () => now,
    wait: async (milliseconds) => {
      waits.push(milliseconds)
      now += milliseconds
    },
    ...over,
  })
  return { crew, fakes, lines, waits }
}

/** Lets everything that can happen now happen. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

/** A crew whose workers take requests. */
const underWay = async (size: number, over: Partial<CrewParts> = {}) => {
  const parts = rig(size, over)
  const started = parts.crew.start()
  for (const { begin } of parts.fakes) begin()
  await started
  parts.crew.work()
  return parts
}

const never = () => new Promise<never>(() => {})

t.test('a start succeeds when all take requests, and fails as soon as one has ended', async (t) => {
  const good = rig(2)
  const started = good.crew.start()
  for (const { begin } of good.fakes) begin()
  t.equal(await started, true)

  const bad = rig(2, { wait: never })
  const failing = bad.crew.start()
  bad.fakes[0]?.begin()
  bad.fakes[1]?.end('exit code 1')
  t.equal(await failing, false)
})

t.test('a worker that dies is replaced under its number; the others are left alone', async (t) => {
  const { crew, fakes, lines } = await underWay(2)
  t.strictSame(
    fakes.map(({ told }) => told),
    [['work'], ['work']],
  )
  fakes[1]?.end('SIGSEGV')
  await settle()
  t.equal(fakes[2]?.hand.number, 2)
  t.strictSame(fakes[2]?.told, [], 'it begins when it takes requests')
  fakes[2]?.begin()
  await settle()
  t.strictSame(fakes[2]?.told, ['work'])
  t.strictSame(fakes[0]?.told, ['work'])
  t.match(
    lines.find(({ msg }) => msg === 'a worker died'),
    { worker: 2, workerPid: 1001, by: 'SIGSEGV' },
  )
  t.equal(crew.hands().length, 2)
})

t.test(
  'deaths again and again: each wait is longer, and the tenth within a minute is the last',
  async (t) => {
    const { crew, fakes, waits } = await underWay(2)
    let lost = false
    void crew.lost.then(() => {
      lost = true
    })
    for (let death = 1; death <= 10; death += 1) {
      t.equal(lost, false, `death ${death}`)
      fakes.at(death === 1 ? 0 : -1)?.end('exit code 1')
      await settle()
    }
    t.equal(lost, true)
    t.strictSame(waits, [100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000])
    t.strictSame(fakes[1]?.told, ['work'], 'the other goes on meanwhile')
    await crew.stop()
    t.strictSame(fakes[1]?.told, ['work', 'stop'])
  },
)

t.test('deaths now and then are no reason to give up', async (t) => {
  let now = 0
  const { crew, fakes, waits } = await underWay(1, { now: () => now })
  let lost = false
  void crew.lost.then(() => {
    lost = true
  })
  for (let death = 1; death <= 30; death += 1) {
    fakes.at(-1)?.end('exit code 1')
    await settle()
    now += 60_000
  }
  t.strictSame([lost, ...new Set(waits)], [false, 100])
})

t.test('a restart: fresh workers one by one, each old one told only when its place is taken', async (t) => {
  const { crew, fakes } = await underWay(2, { wait: never })
  const restarted = crew.restart()
  await settle()
  t.strictSame(
    [fakes.length, fakes[0]?.told],
    [3, ['work']],
    'one fresh worker, which does not take requests yet',
  )
  fakes[2]?.begin()
  await settle()
  t.strictSame(fakes[0]?.told, ['work', 'handOver'])
  t.strictSame([fakes.length, fakes[1]?.told], [4, ['work']])
  fakes[3]?.begin()
  await restarted
  t.strictSame(fakes[1]?.told, ['work', 'handOver'])
  fakes[0]?.end('exit code 0')
  await settle()
  t.equal(fakes.length, 4, 'who was replaced is not replaced again')
})

t.test('a restart whose fresh worker does not start is given up, and the old ones go on', async (t) => {
  const { crew, fakes, lines } = await underWay(2, { wait: never })
  const restarted = crew.restart()
  await settle()
  fakes[2]?.end('exit code 1')
  await restarted
  t.strictSame(
    fakes.map(({ told }) => told),
    [['work'], ['work'], []],
  )
  t.match(lines.at(-1), { worker: 1, by: 'exit code 1', msg: /^the restart was given up/ })
})

t.test('a restart that is asked for during one follows it', async (t) => {
  const { crew, fakes } = await underWay(1, { wait: never })
  const restarted = crew.restart()
  void crew.restart()
  for (const at of [1, 2]) {
    await settle()
    fakes[at]?.begin()
  }
  await restarted
  t.strictSame(
    fakes.map(({ told }) => told),
    [['work', 'handOver'], ['work', 'handOver'], ['work']],
  )
})

t.test(
  'stopping in the middle of a restart stops the fresh one too, and nobody is replaced any more',
  async (t) => {
    const { crew, fakes } = await underWay(1, { wait: never })
    const restarted = crew.restart()
    await settle()
    await Promise.all([crew.stop(), restarted])
    t.strictSame(
      fakes.map(({ told }) => told.at(-1)),
      ['stop', 'stop'],
    )
    t.strictSame(crew.hands(), [])
  },
)
