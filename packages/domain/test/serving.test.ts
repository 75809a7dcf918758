// G5: how a process sends a claimed batch, and what it records.

import { done, SAMPLE_MOMENT, sampleDevice, sampleNotification } from '@almoner/testkit/contracts'
import { memoryPushGateway, type PushScript } from '@almoner/testkit/memory'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t from 'tap'
import * as domain from './fixtures/domain.ts'
import { newFixture } from './fixtures/fixture.ts'

/** The sample reader whose device a push is for. */
const readerOf = ({ destination }: domain.Push): number =>
  destination.provider === 'webpush' ? -1 : Number(destination.token.replace('token-', ''))

const OUTAGE = domain.unavailable('out of order')

/** Waits until background work is done. */
const settled = async () => {
  for (let result = 0; result < 100; result += 1) await Promise.resolve()
}

interface Given {
  readonly readers: number
  readonly window: number
  readonly script?: PushScript
  readonly wrap?: (ports: domain.Ports) => Partial<domain.Ports>
  readonly isOver?: () => boolean
  /** Milliseconds by which the clock advances before results are recorded. */
  readonly recordTakes?: number
}

/** A claimed batch, and the calls that sending it makes to the ledger and the timer. */
const claimed = async ({
  readers,
  window: size,
  script,
  wrap = () => ({}),
  isOver = () => false,
  recordTakes = 0,
}: Given) => {
  const writes: Array<{ readonly results: ReadonlyArray<domain.DeviceId>; readonly last: boolean }> = []
  const waits: Array<number> = []
  let reached = 0
  let letGo = 0
  const { ports, clock } = newFixture({}, (whole) => {
    const changed = { ...whole, pushGateway: memoryPushGateway(script), ...wrap(whole) }
    const { deliveries, timer } = changed
    return {
      ...changed,
      timer: {
        wait: (milliseconds) => {
          waits.push(milliseconds)
          return timer.wait(milliseconds)
        },
      },
      deliveries: {
        ...deliveries,
        record: (claim, results, at) => async () => {
          writes.push({ results: results.map(({ deviceId }) => deviceId), last: at.last })
          const recorded = await deliveries.record(claim, results, at)()
          clock.advance(recordTakes)
          return recorded
        },
        checkEligibility: (...given) => {
          reached += 1
          return deliveries.checkEligibility(...given)
        },
        releaseClaim: (claim) => {
          letGo += 1
          return deliveries.releaseClaim(claim)
        },
      },
    }
  })
  clock.set(SAMPLE_MOMENT)
  for (let n = 0; n < readers; n += 1) await done(ports.devices.attach(sampleDevice(n)))
  const notification = sampleNotification(1)
  await done(ports.notifications.add(notification))
  await done(ports.deliveries.start(clock.now(), domain.MINUTE * 60))
  const request = {
    now: clock.now(),
    most: 500,
    first: 'retries',
    except: [],
    isAbandoned: () => true,
  } as const
  const batch = await done(ports.deliveries.claim(request))
  if (O.isNone(batch)) throw new Error('there is a batch')
  const window = domain.makeLanes(size, clock)
  // The origin has accepted pushes before, so that it may have all places.
  for (let n = 0; n < size; n += 1) window.note(domain.wholeOf('fcm'), domain.DELIVERED)
  const message = domain.messageOf(notification, domain.NO_LINKS, domain.DEFAULT_POLICY.look)
  return {
    window,
    writes,
    waits,
    devices: batch.value.recipients.map(({ deviceId }) => deviceId),
    reached: () => reached,
    letGo: () => letGo,
    serve: () =>
      domain.sendBatch(
        { ...ports, notSent: () => {} },
        {
          shortened: '',
          batch: batch.value,
          claimedAt: clock.now(),
          message,
          left: new Set(),
          lanes: window,
          lifeEnd: (endsAt) => endsAt,
          isOver,
          onStuck: () => {},
        },
      ),
  }
}

/** A provider that responds on demand. */
const answering = () => {
  const waiting = new Map<number, PromiseWithResolvers<domain.PushResult>>()
  const of = (reader: number) => {
    const one = waiting.get(reader) ?? Promise.withResolvers<domain.PushResult>()
    waiting.set(reader, one)
    return one
  }
  return {
    script: ((push) => of(readerOf(push)).promise) satisfies PushScript,
    answer: async (...readers: ReadonlyArray<number>) => {
      for (const reader of readers) of(reader).resolve(domain.DELIVERED)
      await settled()
    },
  }
}

const NEVER: domain.Timer = { wait: () => () => new Promise(() => {}) }

t.test('results are gathered for a moment, until they fill half of the in-flight limit', async (t) => {
  const provider = answering()
  const { serve, writes, waits, devices } = await claimed({
    readers: 3,
    window: 6,
    script: provider.script,
    wrap: () => ({ timer: NEVER }),
  })
  const served = serve()
  for (const reader of [0, 1]) await provider.answer(reader)
  t.strictSame(writes, [], 'less than half of the limit')
  t.strictSame(waits, [5])
  await provider.answer(2)
  t.ok(E.isRight(await served))
  t.strictSame(writes, [{ results: devices, last: true }])

  const atOnce = answering()
  const other = await claimed({
    readers: 3,
    window: 6,
    script: atOnce.script,
    wrap: () => ({ timer: NEVER }),
  })
  const all = other.serve()
  await settled()
  await atOnce.answer(0, 1, 2)
  t.ok(E.isRight(await all))
  t.strictSame(other.waits, [], 'half of the limit at once is recorded without waiting')
})

t.test('the last record ends the batch, which is not released separately', async (t) => {
  const provider = answering()
  const { serve, writes, devices, letGo, window } = await claimed({
    readers: 3,
    window: 2,
    script: provider.script,
  })
  const served = serve()
  await settled()
  for (const reader of [0, 2, 1]) await provider.answer(reader)
  t.match(await served, { right: { results: { length: 3 }, paused: [] } })
  t.strictSame(
    writes,
    [0, 2, 1].map((reader) => ({ results: [devices[reader]], last: reader === 1 })),
  )
  t.equal(letGo(), 0)
  t.equal(await window.acquire(100), 2, 'the whole limit is available again')
  t.notOk(window.isClosed())
})

t.test(
  'G4, G5: a lease older than ten seconds is renewed before the next group, a younger one is not',
  async (t) => {
    for (const [pause, renewals] of [
      [0, 0],
      [domain.LEASE / 3, 0],
      [domain.LEASE / 3 + 1, 2],
      [-domain.LEASE / 3 - 1, 2],
    ] as const) {
      const { serve, writes, devices } = await claimed({ readers: 3, window: 1, recordTakes: pause })
      t.ok(E.isRight(await serve()))
      t.equal(
        writes.filter(({ results }) => results.length === 0).length,
        renewals,
        `after ${pause} milliseconds`,
      )
      t.strictSame(
        writes.flatMap(({ results }) => results),
        devices,
      )
    }
  },
)

t.test('a batch acquires no more of the in-flight limit than it has recipients left', async (t) => {
  const { serve, window } = await claimed({ readers: 5, window: 4 })
  t.ok(E.isRight(await serve()))
  t.equal(await window.acquire(9), 4, 'the whole limit is available again')
})

t.test('G5: recording is retried for a while when it fails; then no further pushes are sent', async (t) => {
  const provider = answering()
  const { serve, writes, waits, devices, letGo, window } = await claimed({
    readers: 2,
    window: 9,
    script: provider.script,
    wrap: ({ deliveries }) => ({ deliveries: { ...deliveries, record: () => TE.left(OUTAGE) } }),
  })
  const served = serve()
  await settled()
  await provider.answer(0)
  await provider.answer(1)
  t.strictSame(await served, E.left(OUTAGE))
  t.strictSame(
    writes.map(({ results }) => results),
    Array.from({ length: 5 }, () => [devices[0]]),
  )
  t.strictSame(waits, [5, 100, 500, 2000, 5000, 5])
  t.equal(letGo(), 1)
  t.ok(window.isClosed(), 'nothing is sent whose result cannot be recorded')
})

t.test('G3, G5: a lost claim is not an error, and nothing is retried', async (t) => {
  const { serve, writes, waits, window, reached } = await claimed({
    readers: 2,
    window: 1,
    wrap: ({ deliveries }) => ({ deliveries: { ...deliveries, record: () => TE.left(domain.CLAIM_LOST) } }),
  })
  t.strictSame(await serve(), E.right({ results: [], paused: [], setAside: undefined, isStuck: false }))
  t.equal(writes.length, 1)
  t.strictSame(waits, [], 'one result is half of this limit')
  t.equal(reached(), 1)
  t.notOk(window.isClosed())
  t.equal(await window.acquire(9), 1)
})

t.test(
  'a process that is stopped while it waits for the in-flight limit checks no further recipients',
  async (t) => {
    let stopping = false
    const { serve, reached, letGo, window } = await claimed({
      readers: 2,
      window: 1,
      isOver: () => stopping,
      script: () => {
        stopping = true
        return domain.DELIVERED
      },
    })
    t.match(await serve(), { right: { results: { length: 1 } } })
    t.equal(reached(), 1)
    t.equal(letGo(), 1)
    t.equal(await window.acquire(9), 1, 'the limit that it waited for is available')
  },
)

t.test('a bug in a provider ends the batch after the other results are recorded', async (t) => {
  const provider = answering()
  const { serve, writes, devices, window, letGo } = await claimed({
    readers: 3,
    window: 3,
    script: (push) => {
      if (readerOf(push) === 1) throw new Error('a bug')
      return provider.script(push)
    },
  })
  const served = serve().catch((bug: unknown) => bug)
  await settled()
  t.ok(window.isClosed(), 'no further pushes start')
  await provider.answer(2)
  await provider.answer(0)
  t.match(await served, { message: 'a bug' })
  t.strictSame(
    writes,
    [2, 0].map((reader) => ({ results: [devices[reader]], last: false })),
    'the batch is not finished',
  )
  t.equal(letGo(), 0, 'its lease expires')
})
