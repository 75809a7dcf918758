import type { PushResult } from '@almoner/domain/notifications'
import { elapsed } from '@almoner/domain/ports'
import { instant, MINUTE, SECOND } from '@almoner/domain/values'
import { samplePush } from '@almoner/testkit/contracts'
import { memoryPushGateway, setClock } from '@almoner/testkit/memory'
import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { longestWait, rateLimited } from '../src/index.ts'

/** What `passed` sees of a send: when it was asked for and, if it went out, when. */
interface Seen {
  readonly asked: number
  readonly sent: number | undefined
  readonly result: PushResult
}

/** A rate-limited gateway with a clock that tests advance; waiting sends continue when their time has come. */
const fixture = (perMinute: number, patience: number) => {
  const clock = setClock(0)
  /** What has passed, in milliseconds: a timer does not care how the clock is set. */
  const time = () => elapsed(clock)
  let sleepers: ReadonlyArray<{ readonly until: number; readonly wake: () => void }> = []
  const timer = {
    wait: (milliseconds: number) => () =>
      new Promise<void>((wake) => {
        sleepers = [...sleepers, { until: time() + milliseconds, wake }]
      }),
  }
  const seen: Array<Seen> = []
  const sentAt = new Map<number, number>()
  const inner = memoryPushGateway(({ deviceId }) => {
    sentAt.set(Number(deviceId), time())
    return { _tag: 'Delivered' }
  })
  const gateway = rateLimited(inner, { perMinute, maxWait: patience, clock, timer })
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  let asked = 0

  /** Time passes, moment by moment. */
  const pass = async (milliseconds: number): Promise<void> => {
    const end = time() + milliseconds
    for (;;) {
      const [first] = sleepers.toSorted((a, b) => a.until - b.until)
      if (first === undefined || first.until > end) break
      sleepers = sleepers.filter((sleeper) => sleeper !== first)
      clock.advance(Math.max(first.until - time(), 0))
      first.wake()
      await settle()
    }
    clock.advance(end - time())
  }

  const ask = async (count: number): Promise<void> => {
    const at = time()
    for (let n = 0; n < count; n += 1) {
      const id = asked
      asked += 1
      gateway
        .send(samplePush(id))()
        .then((result) => seen.push({ asked: at, sent: sentAt.get(id), result }))
    }
    await settle()
  }

  return { ask, pass, clock, seen, sleepers: () => sleepers.length }
}

const bursts = fc.array(fc.tuple(fc.nat(400), fc.constantFrom(0, 1, 7, 100, 2500, 20_000)), { maxLength: 12 })
const paces = fc.integer({ min: 2, max: 5000 })

/** The most of some moments that lie within one minute. */
const mostInAMinute = (moments: ReadonlyArray<number>): number => {
  const sorted = moments.toSorted((a, b) => a - b)
  let from = 0
  return sorted.reduce((most, moment, n) => {
    while ((sorted[from] ?? 0) <= moment - MINUTE) from += 1
    return Math.max(most, n - from + 1)
  }, 0)
}

const played = async (perMinute: number, patience: number, asks: ReadonlyArray<[number, number]>) => {
  const setup = fixture(perMinute, patience)
  for (const [count, gap] of asks) {
    await setup.ask(count)
    await setup.pass(gap)
  }
  await setup.pass(patience + 1)
  return setup
}

t.test('rate limit: no minute has more sends than the quota, and none is lost', async () => {
  await fc.assert(
    fc.asyncProperty(paces, bursts, fc.nat(3000), async (perMinute, asks, patience) => {
      const { seen } = await played(perMinute, patience, asks)
      const sent = seen.flatMap((each) => each.sent ?? [])
      const asked = asks.reduce((sum, [count]) => sum + count, 0)
      return seen.length === asked && mostInAMinute(sent) <= perMinute
    }),
    { numRuns: 60 },
  )
})

t.test(
  'rate limit: no send waits longer than the maximum; otherwise it gets the remaining time',
  async () => {
    await fc.assert(
      fc.asyncProperty(paces, bursts, fc.nat(3000), async (perMinute, asks, patience) => {
        const { seen } = await played(perMinute, patience, asks)
        return seen.every(({ asked, sent, result }) => {
          if (sent !== undefined) return result._tag === 'Delivered' && sent - asked <= patience
          return result._tag === 'Retry' && O.isSome(result.after) && result.after.value > patience
        })
      }),
      { numRuns: 60 },
    )
  },
)

t.test('rate limit: with the planned number in flight, none is rejected', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 300, max: 100_000 }),
      fc.integer({ min: 1, max: 300 }),
      async (perMinute, window) => {
        const setup = fixture(perMinute, longestWait(perMinute, window))
        for (let n = 0; n < 5; n += 1) {
          const free = window - setup.sleepers()
          await setup.ask(free)
          await setup.pass(free % 17)
        }
        await setup.pass(MINUTE * 2)
        return setup.seen.every(({ result }) => result._tag === 'Delivered')
      },
    ),
    { numRuns: 60 },
  )
})

t.test('rate limit: sends are spread, and an idle hour saves up nothing', async (t) => {
  const setup = fixture(601, 3 * SECOND)
  for (const round of [1, 2]) {
    await setup.ask(20)
    t.equal(setup.sleepers(), 19, `round ${round}: one is sent at once`)
    await setup.pass(SECOND)
    t.equal(setup.sleepers(), 9)
    await setup.pass(60 * MINUTE)
  }
  t.equal(setup.seen.length, 40)
})

t.test('rate limit: a clock that is set back an hour delays nothing', async (t) => {
  const setup = fixture(60, 2 * SECOND)
  await setup.ask(1)
  setup.clock.set(instant(-60 * MINUTE))
  await setup.ask(1)
  await setup.pass(2 * SECOND)
  t.strictSame(
    setup.seen.map(({ result }) => result._tag),
    ['Delivered', 'Delivered'],
  )
})

for (const step of [-60 * MINUTE, MINUTE, 60 * MINUTE])
  t.test(`I9: a clock that is set by ${step} ms lets no send go earlier or later`, async (t) => {
    const sentAt = async (by: number) => {
      const setup = fixture(61, 30 * SECOND)
      await setup.ask(5)
      await setup.pass(SECOND)
      setup.clock.set(instant(setup.clock.now() + by))
      await setup.ask(5)
      await setup.pass(20 * SECOND)
      return setup.seen.map(({ sent }) => sent)
    }
    t.strictSame(await sentAt(step), await sentAt(0))
  })
