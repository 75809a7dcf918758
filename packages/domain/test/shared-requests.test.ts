import { type SharedRequests, shareRequests } from '@almoner/domain/access'
import { type RequestLog, unavailable } from '@almoner/domain/ports'
import { addMillis, type Instant, instant } from '@almoner/domain/values'
import { memoryStore } from '@almoner/testkit/memory'
import fc from 'fast-check'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t from 'tap'

const START = instant(1_800_000_000_000)

/** Nodes with some processes each, which exchange over a log, and a clock that they share. */
const makeNodes = (
  limit: number,
  processesOf: ReadonlyArray<number>,
  requestLog: RequestLog = memoryStore().requestLog,
) => {
  const time = { now: 0, ahead: 0 }
  const clock = { now: (): Instant => addMillis(START, time.now + time.ahead) }
  const nodes: Array<Array<SharedRequests>> = []
  const messages: Array<Array<Parameters<SharedRequests['hear']>>> = []
  const start = (n: number, name: string): SharedRequests => {
    const made = shareRequests({
      ...{ limit, clock, digest: (key) => `digest of ${key}`, process: name, node: `node-${n}` },
      monotonic: () => time.now,
      tell: (...reports) => {
        messages[n]?.push(reports)
        for (const other of nodes[n] ?? []) if (other !== made) other.hear(...reports)
      },
    })
    messages[n] ??= []
    for (const reports of messages[n]) made.hear(...reports)
    nodes[n] = [...(nodes[n] ?? []), made]
    return made
  }
  for (const [n, size] of processesOf.entries())
    for (let p = 0; p < size; p += 1) start(n, `process-${n}-${p}`)
  return {
    nodes,
    start,
    time,
    processes: () => nodes.flat(),
    exchange: async (n: number) => nodes[n]?.[0]?.exchange(requestLog)(),
    pass: (milliseconds: number) => {
      time.now += milliseconds
    },
  }
}

/** Whether a process answers a request. */
const isAnswered = (process: SharedRequests | undefined, limit: number, key = 'app'): boolean =>
  (process?.count(key).requests ?? 0) <= limit

/** How requests arrive at processes, and when each of these reports or exchanges for the first time. */
interface Course {
  readonly limit: number
  readonly processesOf: ReadonlyArray<number>
  readonly bursts: ReadonlyArray<{
    readonly tick: number
    readonly process: number
    readonly requests: number
  }>
  readonly phases: ReadonlyArray<number>
}

/** Milliseconds of a tick: reports are made every two of them, exchanges every four. */
const TICK = 100

/** Courses of bursts of a few requests, or of up to the limit, most of them within the first seconds. */
const courses = (ticks: number): fc.Arbitrary<Course> =>
  fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 500, max: 1500 })).chain((limit) =>
    fc.record({
      limit: fc.constant(limit),
      processesOf: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 }),
      bursts: fc.array(
        fc.record({
          tick: fc.oneof(fc.nat(Math.min(50, ticks)), fc.nat(ticks)),
          process: fc.nat(11),
          requests: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: limit })),
        }),
        { maxLength: 80, size: 'max' },
      ),
      phases: fc.array(fc.nat(3), { minLength: 12, maxLength: 12 }),
    }),
  )

/** Plays a course; returns the moments of the requests that were answered, and of those refused. */
const play = async ({ limit, processesOf, bursts, phases }: Course, ticks: number) => {
  const { nodes, processes, exchange, pass, time } = makeNodes(limit, processesOf)
  const answered: Array<number> = []
  const refused: Array<number> = []
  const ask = (process: SharedRequests | undefined, requests: number) => {
    for (let n = 0; n < requests; n += 1) {
      const moments = isAnswered(process, limit) ? answered : refused
      moments.push(time.now)
    }
  }
  const isTurn = (n: number, tick: number, every: number) => (tick + (phases[n] ?? 0)) % every === 0
  for (let tick = 0; tick < ticks; tick += 1) {
    for (const burst of bursts.filter((one) => one.tick === tick))
      ask(processes()[burst.process % processes().length], burst.requests)
    const telling = processes().filter((_, n) => isTurn(n, tick, 2))
    for (const process of telling) process.tellProcesses()
    for (const n of nodes.keys()) if (isTurn(n, tick, 4)) await exchange(n)
    pass(TICK)
  }
  return { answered, refused, processes: processes() }
}

t.test(
  'A8, I8: processes answer no more than the limit and what arrives within 2 s after it was reached',
  () =>
    fc.assert(
      fc.asyncProperty(courses(570), async (course) => {
        const { answered } = await play(course, 590)
        const reached = answered[course.limit - 1]
        if (reached !== undefined) t.ok((answered.at(-1) ?? 0) <= reached + 2000)
      }),
      { numRuns: 30 },
    ),
)

t.test('A8, I8: no process refuses a request before the limit was reached within a minute', () =>
  fc.assert(
    fc.asyncProperty(courses(1300), async (course) => {
      const { answered, refused } = await play(course, 1300)
      const isEarly = (moment: number) =>
        answered.filter((at) => at > moment - 60_000 && at <= moment).length < course.limit
      t.notOk([...new Set(refused)].some(isEarly))
    }),
    { numRuns: 12 },
  ),
)

t.test('A8, I8: all processes that know of a limit share one window', () =>
  fc.assert(
    fc.asyncProperty(courses(10), async (course) => {
      const { answered, processes } = await play(course, 30)
      const windows = new Set(processes.map((process) => process.count('app').endsIn))
      t.ok(answered.length < course.limit || windows.size === 1)
    }),
    { numRuns: 50 },
  ),
)

t.test('A8: a window that another node has begun ends the one before it', async (t) => {
  const { nodes, time } = makeNodes(2, [1])
  const process = nodes[0]?.[0]
  for (let n = 0; n < 2; n += 1) isAnswered(process, 2)
  time.now = 59_999
  const begun = addMillis(START, 60_000)
  process?.hear([{ node: 'another', key: 'digest of app', begun, requests: 1, at: begun }], false)
  t.strictSame(process?.count('app'), { requests: 2, endsIn: 60_000 })
})

t.test('A8: a client that is far from its limit costs few reports, and a blocked one none', async (t) => {
  const { requestLog } = memoryStore()
  let reports = 0
  const { nodes, exchange, pass } = makeNodes(2560, [1], {
    ...requestLog,
    add: (entries, now) => {
      reports += entries.length
      return requestLog.add(entries, now)
    },
  })
  const ask = async (requests: number) => {
    for (let n = 0; n < requests; n += 1) isAnswered(nodes[0]?.[0], 2560)
    pass(400)
    await exchange(0)
  }
  for (let n = 0; n < 9; n += 1) await ask(1)
  t.equal(reports, 0, 'less than a part')
  for (let n = 0; n < 20; n += 1) await ask(1)
  t.equal(reports, 2)
  await ask(2560)
  t.equal(reports, 3)
  for (let n = 0; n < 20; n += 1) await ask(5)
  t.equal(reports, 3, 'nothing is written while it is blocked')
})

t.test(
  'A8, I8: the rest that each process keeps to itself far from the limit is reported near it',
  async (t) => {
    const { nodes, exchange, pass } = makeNodes(2560, [1, 1, 1, 1])
    for (const [n, requests] of [639, 639, 639, 643].entries())
      for (let asked = 0; asked < requests; asked += 1) {
        isAnswered(nodes[n]?.[0], 2560)
        if (asked % 9 === 0) await exchange(n)
      }
    for (let turn = 0; turn < 4; turn += 1) {
      for (const n of nodes.keys()) await exchange(n)
      pass(400)
    }
    t.notOk(nodes.some(([process]) => isAnswered(process, 2560)))
  },
)

t.test('A8: what a process did not know of its limit, a new process of the node learns', async (t) => {
  const { nodes, start, exchange, time } = makeNodes(3, [1, 1])
  for (let n = 0; n < 3; n += 1) isAnswered(nodes[0]?.[0], 3)
  await exchange(0)
  time.now = 40_000
  t.notOk(isAnswered(nodes[0]?.[0], 3))
  const restarted = start(2, 'new')
  await exchange(2)
  t.notOk(isAnswered(restarted, 3), 'a node that starts reads the last minute')
  time.now = 60_000
  t.ok(isAnswered(restarted, 3), 'the window ends where it was begun')
})

t.test('A8: a process that takes over the exchange of its node counts nothing twice', async (t) => {
  const { nodes, start, exchange } = makeNodes(10, [2, 1])
  const [first, second] = nodes[0] ?? []
  for (let n = 0; n < 4; n += 1) isAnswered(second, 10)
  second?.tellProcesses()
  isAnswered(first, 10)
  await exchange(0)
  await exchange(1)
  t.equal(nodes[1]?.[0]?.count('app').requests, 6)
  nodes[0] = second === undefined ? [] : [second]
  const third = start(0, 'process-0-2')
  await exchange(1)
  await exchange(0)
  await exchange(0)
  t.equal(third.count('app').requests, 6, 'of those of the first, only the other node knows')
  await exchange(1)
  t.equal(nodes[1]?.[0]?.count('app').requests, 7)
})

for (const down of ['add', 'ofOthers'] as const)
  t.test(
    `A8: while the database fails (${down}), each node counts alone, and nothing twice afterwards`,
    async (t) => {
      const { requestLog } = memoryStore()
      let isDown = true
      const failing = TE.left(unavailable(new Error('down')))
      const { nodes, exchange, pass } = makeNodes(100, [1, 1], {
        add: (...given) => (isDown && down === 'add' ? failing : requestLog.add(...given)),
        ofOthers: (...given) => (isDown && down === 'ofOthers' ? failing : requestLog.ofOthers(...given)),
      })
      for (const expected of [1, 2, 3]) {
        t.equal(nodes[0]?.[0]?.count('app').requests, expected)
        t.match(await exchange(0), { _tag: 'Left' })
        pass(500)
      }
      isDown = false
      for (const n of [0, 1, 0, 1]) await exchange(n)
      t.equal(nodes[1]?.[0]?.count('app').requests, 4)
    },
  )

for (const hours of [-2, 2])
  t.test(`I9: a limit holds for its own length where the clock is set by ${hours} h`, async (t) => {
    const { nodes, exchange, time } = makeNodes(2, [1, 1])
    const [one, two] = nodes.flat()
    for (let n = 0; n < 2; n += 1) isAnswered(one, 2)
    await exchange(0)
    await exchange(1)
    time.ahead = hours * 3_600_000
    t.notOk(isAnswered(one, 2))
    t.notOk(isAnswered(two, 2))
    time.now = 59_999
    for (const n of [0, 1]) await exchange(n)
    t.notOk(isAnswered(two, 2))
    time.now = 60_000
    for (const process of [one, two]) t.ok(isAnswered(process, 2))
  })

t.test('I9: reports of a clock that is far ahead count nowhere', async (t) => {
  const { nodes } = makeNodes(2, [1])
  const report = { node: 'another', key: 'digest of app', requests: 5, at: START }
  for (const minutes of [-1, 1, 60])
    nodes[0]?.[0]?.hear([{ ...report, begun: addMillis(START, minutes * 60_000) }], false)
  t.ok(isAnswered(nodes[0]?.[0], 2))
  nodes[0]?.[0]?.hear([{ ...report, begun: addMillis(START, 59_999) }], false)
  t.equal(nodes[0]?.[0]?.count('app').endsIn, 60_000, 'for a window at most')
})

t.test('A8: beyond 20,000 keys the one that began to count longest ago is forgotten', async (t) => {
  const { nodes } = makeNodes(1, [1])
  for (let n = 0; n <= 20_000; n += 1) isAnswered(nodes[0]?.[0], 1, `client ${n}`)
  t.ok(isAnswered(nodes[0]?.[0], 1, 'client 0'))
  t.notOk(isAnswered(nodes[0]?.[0], 1, 'client 2'))
})

t.test('A8: reports of requests are written in batches, and none is lost', async (t) => {
  const { nodes, exchange, pass } = makeNodes(1, [1, 1])
  for (let n = 0; n < 3000; n += 1) isAnswered(nodes[0]?.[0], 1, `client ${n}`)
  for (let n = 0; n < 3; n += 1) {
    for (const node of [0, 1]) await exchange(node)
    pass(400)
  }
  const answered = Array.from({ length: 3000 }, (_, n) => isAnswered(nodes[1]?.[0], 1, `client ${n}`))
  t.notOk(answered.includes(true))
})
