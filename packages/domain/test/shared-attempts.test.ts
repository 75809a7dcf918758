import { lockedUntil, type SharedAttempts, shareAttempts } from '@almoner/domain/access'
import { type FailureLog, outcomeUnknown, unavailable } from '@almoner/domain/ports'
import { addMillis, type Instant, instant } from '@almoner/domain/values'
import { done } from '@almoner/testkit/contracts'
import { memoryStore } from '@almoner/testkit/memory'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t from 'tap'

const START = instant(1_800_000_000_000)

/** Nodes that exchange over a log, and a clock that they share. */
const makeNodes = (count: number, failureLog: FailureLog = memoryStore().failureLog) => {
  const time = { now: START }
  const clock = { now: (): Instant => time.now }
  const nodes = Array.from({ length: count }, (_, n) =>
    shareAttempts({ node: `node-${n}`, digest: (key) => `digest of ${key}` }),
  )
  return {
    nodes,
    clock,
    pass: (milliseconds: number) => {
      time.now = addMillis(time.now, milliseconds)
    },
    fail: (n: number, key = 'app from one') => nodes[n]?.failedAttempts.add('pair', key, time.now),
    exchange: (n: number) => (nodes[n] as SharedAttempts).exchange({ clock, failureLog })(),
    seen: (n: number, key = 'app from one') => nodes[n]?.failedAttempts.of('pair', key, time.now).length,
    isLocked: (n: number, key = 'app from one') =>
      O.isSome(lockedUntil('pair', nodes[n]?.failedAttempts.of('pair', key, time.now) ?? [], time.now)),
  }
}

t.test(
  'A8: wrong secrets that are spread over four nodes block the pair on all of them, as on one',
  async (t) => {
    const { nodes, fail, exchange, isLocked, pass, seen } = makeNodes(4)
    for (let n = 0; n < 10; n += 1) {
      t.notOk(nodes.some((_, node) => isLocked(node)))
      fail(n % 4)
      pass(333)
      for (const node of nodes.keys()) await exchange(node)
    }
    for (const node of nodes.keys()) await exchange(node)
    t.ok([...nodes.keys()].every((node) => isLocked(node)))
    t.equal(seen(0, 'app from another'), 0)
  },
)

t.test('A8: a success exchanges nothing, and a failure is written once', async (t) => {
  const { failureLog } = memoryStore()
  let writes = 0
  const counted: FailureLog = {
    ...failureLog,
    add: (...all) => {
      writes += 1
      return failureLog.add(...all)
    },
  }
  const { exchange, fail, seen } = makeNodes(2, counted)
  await exchange(0)
  t.equal(writes, 0)
  for (let n = 0; n < 5; n += 1) fail(0)
  for (const _ of [1, 2, 3]) await exchange(0)
  t.equal(writes, 1, 'in one batch')
  for (const _ of [1, 2, 3]) await exchange(1)
  t.equal(seen(1), 5)
  t.equal(seen(0), 5, 'what a node noted itself does not come back')
})

t.test('A8: the entries of a failure are gone a minute later, without another failure', async (t) => {
  const { failureLog } = memoryStore()
  const { exchange, fail, pass } = makeNodes(1, failureLog)
  const noted = async () => (await done(failureLog.ofOthers('another', START, 10))).length
  fail(0)
  await exchange(0)
  pass(59_000)
  await exchange(0)
  t.equal(await noted(), 1)
  pass(2000)
  await exchange(0)
  t.equal(await noted(), 0)
})

for (const failure of [unavailable(new Error('down')), outcomeUnknown(new Error('lost'))])
  t.test(
    `A8: while the database fails (${failure._tag}), each node counts alone, and nothing twice afterwards`,
    async (t) => {
      const { failureLog } = memoryStore()
      let isDown = true
      const { exchange, fail, seen } = makeNodes(2, {
        ...failureLog,
        add: (entries, now) =>
          isDown
            ? TE.flatMap(() => TE.left(failure))(
                failure._tag === 'OutcomeUnknown' ? failureLog.add(entries, now) : TE.right(undefined),
              )
            : failureLog.add(entries, now),
      })
      for (const expected of [1, 2, 3]) {
        fail(0)
        t.ok(E.isLeft(await exchange(0)))
        t.equal(seen(0), expected)
      }
      isDown = false
      for (const node of [0, 1, 0, 1]) await exchange(node)
      t.strictSame([seen(0), seen(1)], [3, 3])
    },
  )

t.test(
  'A8: a failure that another process of the node reports is exchanged; one of another node only counts',
  async (t) => {
    const { nodes, clock, exchange, seen } = makeNodes(2)
    const key = 'digest of app from one'
    nodes[0]?.hear('pair', key, clock.now(), true)
    nodes[0]?.hear('pair', key, clock.now(), false)
    for (const node of [0, 1]) await exchange(node)
    t.strictSame([seen(0), seen(1)], [2, 1])
  },
)

t.test('A8: the processes of a node hear of its failures, and of the failures of others', async (t) => {
  const { failureLog } = memoryStore()
  const clock = { now: () => START }
  const told: Array<unknown> = []
  const one = shareAttempts({ node: 'one', digest: (key) => key, onAdd: (...all) => told.push(all) })
  const two = shareAttempts({ node: 'two', digest: (key) => key })
  one.failedAttempts.add('address', 'a', START)
  two.failedAttempts.add('pair', 'b', START)
  await done(two.exchange({ clock, failureLog }))
  await done(one.exchange({ clock, failureLog }))
  t.strictSame(told, [
    ['address', 'a', START, true],
    ['pair', 'b', START, false],
  ])
})

t.test('A8: after a minute, what was noted counts nowhere, nor does it wait to be written', async (t) => {
  const { exchange, fail, pass, seen } = makeNodes(2)
  fail(0)
  pass(60_000)
  for (const node of [0, 1]) await exchange(node)
  t.strictSame([seen(0), seen(1)], [0, 0])
  fail(0)
  await exchange(0)
  pass(60_000)
  await exchange(1)
  t.equal(seen(1), 0)
})

interface Step {
  readonly node: number
  readonly key: 'a' | 'b'
  readonly act: 'fail' | 'exchange'
}

/** Plays steps, and compares what the nodes count. */
const play = async (steps: ReadonlyArray<Step>): Promise<void> => {
  const { nodes, fail, exchange, seen, pass } = makeNodes(3)
  const total = { a: 0, b: 0 }
  const counts = (key: 'a' | 'b') => [...nodes.keys()].map((node) => seen(node, key) ?? 0)
  for (const { node, key, act } of steps) {
    pass(7)
    if (act === 'exchange') await exchange(node)
    else {
      total[key] += 1
      fail(node, key)
    }
    t.ok(Math.max(...counts(key)) <= Math.min(10, total[key]))
  }
  for (const _ of [1, 2]) for (const node of nodes.keys()) await exchange(node)
  for (const key of ['a', 'b'] as const) t.strictSame(counts(key), Array(3).fill(Math.min(10, total[key])))
}

t.test(
  'A8: however failures and exchanges follow each other, all nodes count the same in the end, and none more than there were',
  () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            node: fc.nat(2),
            key: fc.constantFrom('a', 'b'),
            act: fc.constantFrom('fail', 'exchange'),
          }),
          { maxLength: 60 },
        ),
        play,
      ),
      { numRuns: 100 },
    ),
)
