import { mock } from 'node:test'
import type { RequestLog } from '@almoner/domain/ports'
import { instant } from '@almoner/domain/values'
import { memoryStore } from '@almoner/testkit/memory'
import t from 'tap'
import { type NodeCounts, rememberMessages, shareCounts } from '../src/jobs/node-counts.ts'

const clock = { now: () => instant(1_800_000_000_000) }

/** Lets promises settle. */
const settle = () => new Promise(setImmediate)

/** Nodes of some processes each over one store, which counts what the exchange of requests asks of it. */
const makeNodes = (limit: number | undefined) => {
  const { failureLog, requestLog } = memoryStore()
  const calls = { add: 0, ofOthers: 0 }
  const counted: RequestLog = {
    add: (...given) => {
      calls.add += 1
      return requestLog.add(...given)
    },
    ofOthers: (...given) => {
      calls.ofOthers += 1
      return requestLog.ofOthers(...given)
    },
  }
  const ports = { clock, failureLog, requestLog: counted }
  const startNode = (node: string) => {
    const memory = rememberMessages()
    const running = new Map<NodeCounts, () => Promise<void>>()
    return () => {
      const made: NodeCounts = shareCounts(clock, limit, {
        node,
        tell: (message) => {
          memory.note(message)
          for (const other of running.keys()) if (other !== made) other.hear(message)
        },
      })
      for (const message of memory.recent()) made.hear(message)
      running.set(made, made.keepExchanging(running.size === 0 ? ports : undefined))
      return { ...made, end: async () => running.get(made)?.() }
    }
  }
  const pass = async (milliseconds: number) => {
    for (let passed = 0; passed < milliseconds; passed += 100) {
      mock.timers.tick(100)
      await settle()
    }
  }
  return { startNode, pass, calls }
}

const ask = ({ requests }: Pick<NodeCounts, 'requests'>): number => requests?.count('app').requests ?? 0

t.beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }))
t.afterEach(() => mock.timers.reset())

t.test(
  'A8, I8: the workers of several nodes share a limit within 2 s, also with one that starts',
  async (t) => {
    const { startNode, pass } = makeNodes(8)
    const [startOne, startTwo] = [startNode('one'), startNode('two')]
    const workers = [startOne(), startOne(), startTwo(), startTwo()]
    for (const worker of [...workers, ...workers]) ask(worker)
    await pass(2000)
    t.strictSame(workers.map(ask), [9, 9, 9, 9])
    t.equal(ask(startTwo()), 9, 'a worker that replaces another one')
    for (const { end } of workers) await end()
  },
)

t.test('A8: the workers of several nodes count failures together, each once', async (t) => {
  const { startNode, pass } = makeNodes(undefined)
  const [startOne, startTwo] = [startNode('one'), startNode('two')]
  const workers = [startOne(), startOne(), startTwo(), startTwo()]
  for (const { failedAttempts } of workers) failedAttempts.add('pair', 'app from there', clock.now())
  await pass(2000)
  const late = startTwo()
  await pass(2000)
  for (const { failedAttempts } of [...workers, late])
    t.equal(failedAttempts.of('pair', 'app from there', clock.now()).length, 4)
  for (const { end } of [...workers, late]) await end()
})

t.test(
  'A8: without a limit no request is exchanged; with one, a quiet node reads, and writes nothing',
  async (t) => {
    for (const [limit, reads] of [
      [undefined, 0],
      [100, 25],
    ] as const) {
      const { startNode, pass, calls } = makeNodes(limit)
      const { end } = startNode('one')()
      await pass(10_000)
      t.strictSame(calls, { add: 0, ofOthers: reads })
      await end()
      await pass(10_000)
      t.strictSame(calls, { add: 0, ofOthers: reads }, 'after its end nothing')
    }
  },
)

t.test('A8: what a process has counted when it ends, it reports', async (t) => {
  const { startNode } = makeNodes(8)
  const start = startNode('one')
  const [ending, staying] = [start(), start()]
  for (let n = 0; n < 3; n += 1) ask(ending)
  await ending.end()
  t.equal(ask(staying), 4)
  await staying.end()
})

t.test('A8: messages are remembered for a minute, the last of each key, and 40,000 of them', async (t) => {
  let now = 0
  const memory = rememberMessages(() => now)
  const report = { node: 'one', key: 'a', begun: clock.now(), requests: 1, at: clock.now() }
  memory.note(['failure', 'pair', 'a digest', clock.now(), true])
  now = 1
  memory.note(['requests', [report, { ...report, key: 'b' }], true])
  now = 2
  memory.note(['requests', [{ ...report, requests: 2 }], true])
  t.strictSame(memory.recent(), [
    ['failure', 'pair', 'a digest', clock.now(), false],
    ['requests', [{ ...report, key: 'b' }], true],
    ['requests', [{ ...report, requests: 2 }], true],
  ])
  now = 60_001
  t.strictSame(memory.recent(), [['requests', [{ ...report, requests: 2 }], true]])
  for (let n = 0; n <= 40_000; n += 1) memory.note(['failure', 'pair', `digest ${n}`, clock.now(), true])
  t.equal(memory.recent().length, 40_000)
  t.match(memory.recent()[0], ['failure', 'pair', 'digest 1'])
})
