// G5, G15: the health of an origin after the results of its pushes.

import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import * as domain from './fixtures/domain.ts'

const { addMillis: later, instant, MINUTE, NEW_HEALTH, SAMPLE_WINDOW, SECOND, settle } = domain
const NOW = instant(Date.UTC(2026, 0, 1))
const FCM = domain.wholeOf('fcm')
const ID = '0190bbbb-0000-7000-8000-000000000001' as domain.NotificationId

type Way = 'delivered' | 'dead' | 'failed' | 'device' | 'silence' | 'sender' | 'partner' | 'heldBack'
const WAYS: ReadonlyArray<Way> = [
  ...(['delivered', 'dead', 'failed', 'device', 'silence', 'sender', 'partner', 'heldBack'] as const),
]

const resultOf = (way: Way, n: number, after: O.Option<number>): domain.DeliveryResult => {
  const of = { deviceId: n as domain.DeviceId, origin: FCM }
  switch (way) {
    case 'delivered':
    case 'failed':
      return { ...of, kind: 'responded', outcome: way }
    case 'dead':
      return { ...of, kind: 'unregistered', attachedAt: NOW }
    case 'heldBack':
      return { ...of, kind: 'heldBack', after, reason: 'HTTP 503' }
    default:
      return { ...of, kind: 'retry', cause: way, reason: 'no', at: O.some(later(NOW, MINUTE)) }
  }
}

interface Settling {
  readonly now?: domain.Instant
  readonly isOverridden?: boolean
  readonly after?: O.Option<number>
}

const settleWays = (
  health: domain.OriginHealth,
  ways: ReadonlyArray<Way>,
  { now = NOW, isOverridden = false, after = O.none }: Settling = {},
) => {
  const served = ways.map((way, n) => ({
    recipient: {
      deviceId: n as domain.DeviceId,
      email: 'a@example.org' as domain.Email,
      attempts: 0,
      refusals: 0,
    },
    result: resultOf(way, n, after),
  }))
  return settle(health, served, { origin: FCM, notificationId: ID, credentials: 'key', now, isOverridden })
}

/** The health after ways, recorded in batches of these sizes. */
const after = (
  ways: ReadonlyArray<Way>,
  sizes: ReadonlyArray<number>,
  from: domain.OriginHealth = NEW_HEALTH,
  settling: Settling = {},
): domain.OriginHealth => {
  let health = from
  for (let at = 0, batch = 0; at < ways.length; batch += 1) {
    const size = sizes[batch % sizes.length] ?? 1
    health = settleWays(health, ways.slice(at, at + size), settling).health
    at += size
  }
  return health
}

const dying = (answers: ReadonlyArray<boolean>): ReadonlyArray<Way> =>
  answers.map((isDead) => (isDead ? 'dead' : 'delivered'))

const sizes = fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 10 })
const isStopped = ({ pause }: domain.OriginHealth) => O.isSome(pause) && pause.value.kind === 'stopped'
const ways = fc.array(fc.constantFrom(...WAYS), { maxLength: 150 })

t.test('G5: an origin that calls every sixth token dead is never stopped', async () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 3000 }),
      fc.integer({ min: 0, max: 5 }),
      sizes,
      (count, first, sizes) => {
        const answers = Array.from({ length: count }, (_, n) => n % 6 === first)
        return !isStopped(after(dying(answers), sizes))
      },
    ),
    { numRuns: 30 },
  )
})

t.test('G5: fewer than 200 results never stop an origin', async () => {
  fc.assert(
    fc.property(
      fc.array(fc.boolean(), { maxLength: SAMPLE_WINDOW - 1 }),
      sizes,
      (answers, sizes) => !isStopped(after(dying(answers), sizes)),
    ),
  )
})

t.test(
  'G5: an origin that calls every token dead is stopped in time, after any earlier results',
  async () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1000 }), (healthy) => {
        const before = Array.from({ length: healthy }, () => false)
        const isStoppedAfter = (dead: number) =>
          isStopped(after(dying([...before, ...Array.from({ length: dead }, () => true)]), [1]))
        return isStoppedAfter(SAMPLE_WINDOW) && (healthy < SAMPLE_WINDOW || isStoppedAfter(SAMPLE_WINDOW / 2))
      }),
      { numRuns: 15 },
    )
  },
)

t.test('G5: an origin is stopped by more than a fifth of dead results for long enough', async () => {
  fc.assert(
    fc.property(
      fc.array(fc.boolean(), { maxLength: 500 }),
      fc.integer({ min: 0, max: 3 }),
      sizes,
      (before, first, sizes) => {
        const quarter = Array.from({ length: 1500 }, (_, n) => n % 4 === first)
        return isStopped(after(dying([...before, ...quarter]), sizes))
      },
    ),
    { numRuns: 30 },
  )
})

t.test(
  'G5: while an operator must decide, further results change nothing but the last acceptance',
  async () => {
    const stopped = after(Array<Way>(SAMPLE_WINDOW).fill('dead'), [SAMPLE_WINDOW])
    fc.assert(
      fc.property(ways, sizes, (some, sizes) => {
        const now = later(NOW, 86_400_000)
        const { pause, sampleWindow } = after(some, sizes, stopped, { now })
        return pause === stopped.pause && sampleWindow === stopped.sampleWindow
      }),
    )
  },
)

t.test('G5: the circuit breaker replaces probing', async (t) => {
  const probed = after(Array<Way>(5).fill('sender'), [5])
  const { pause } = after(Array<Way>(SAMPLE_WINDOW).fill('dead'), [SAMPLE_WINDOW], probed)
  t.same(pause, O.some(domain.stopped(FCM, domain.TOO_MANY_DEAD, NOW)))
})

t.test('G5: responses during an override are not counted afterwards', async () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 1000 }), sizes, (answers, sizes) => {
      const health = after(dying(answers), sizes, NEW_HEALTH, { isOverridden: true })
      const few = Array<Way>(SAMPLE_WINDOW - 1).fill('dead')
      return !isStopped(health) && !isStopped(after(few, [few.length], health))
    }),
    { numRuns: 30 },
  )
})

interface Modelled {
  readonly state: 'open' | 'held' | 'probed'
  readonly unanswered: number
  readonly refusals: number
  readonly isKnown: boolean
}

const FRESH: Modelled = { state: 'open', unanswered: 0, refusals: 0, isKnown: false }

/** What the ruling prescribes for one result. */
const step = (model: Modelled, way: Way): Modelled => {
  if (way === 'delivered') return { ...FRESH, isKnown: true, state: model.state === 'held' ? 'held' : 'open' }
  if (model.state === 'probed') return model
  const unanswered = way === 'silence' ? model.unanswered + 1 : 0
  const refusals = model.refusals + Number(way === 'sender')
  const isProbed = unanswered >= 5 || refusals >= (model.isKnown ? 50 : 5)
  const state = way === 'heldBack' ? 'held' : model.state
  return { ...model, unanswered, refusals, state: isProbed ? 'probed' : state }
}

const modelled = (some: ReadonlyArray<Way>): string => some.reduce(step, FRESH).state

t.test(
  'G15: an origin is probed after five time-outs or refusals in a row, and held back when it asks',
  async (t) => {
    fc.assert(
      fc.property(ways, sizes, (some, sizes) => {
        const { pause } = after(some, sizes)
        const expected = modelled(some)
        return (O.toUndefined(pause)?.kind ?? 'open') === expected
      }),
      { numRuns: 300 },
    )
    t.equal(modelled(Array<Way>(5).fill('silence')), 'probed')
  },
)

/** The effects that a result may have, while its origin is open and after it is closed. */
const EFFECTS: Readonly<Record<Way, readonly [open: string, closed: string]>> = {
  delivered: ['ended', 'ended'],
  failed: ['ended', 'ended'],
  dead: ['ended', 'ended'],
  device: ['waiting', 'waiting'],
  silence: ['waiting', 'held'],
  sender: ['waiting', 'held'],
  partner: ['waiting', 'held'],
  heldBack: ['held', 'held'],
}

t.test('G15: each result ends, waits for a time or waits for its origin', async () => {
  fc.assert(
    fc.property(ways, fc.option(fc.integer({ min: -1, max: 100_000 })), (some, asked) => {
      const { health, settled } = settleWays(NEW_HEALTH, some, { after: O.fromNullable(asked) })
      const isClosed = O.isSome(domain.pauseOf(health, NOW))
      return some.every((way, n) => settled[n]?.kind === EFFECTS[way][Number(isClosed)])
    }),
  )
})

t.test('G15: a wait is as long as the origin asks, a day at most, and never nothing', async (t) => {
  const until = (asked: number) => {
    const { health } = settleWays(NEW_HEALTH, ['heldBack'], { after: O.some(asked) })
    const { until } = O.toNullable(health.pause) ?? { until: O.none }
    return O.isSome(until) ? until.value - NOW : undefined
  }
  const day = 24 * 60 * MINUTE
  t.same([0, -5, 1, 5000, day, 10 * day].map(until), [SECOND, SECOND, 1, 5000, day, day])
})

t.test('G15: a wait that begins in the future is none; probing goes on', async (t) => {
  const held = settleWays(NEW_HEALTH, ['heldBack'], { now: later(NOW, 60 * MINUTE) }).health
  t.same(domain.pauseOf(held, NOW), O.none)
  const probed = after(Array<Way>(5).fill('silence'), [5], NEW_HEALTH, { now: later(NOW, 60 * MINUTE) })
  const pause = O.toUndefined(domain.pauseOf(probed, NOW))
  t.equal(pause?.kind, 'probed')
  t.notOk(pause && domain.isAhead(pause, NOW), 'its next probe is due')
})

t.test('I9: the next probe follows one of a clock that was ahead as soon as any other', async (t) => {
  const silent = after(Array<Way>(5).fill('silence'), [5])
  for (const ahead of [0, MINUTE, 60 * MINUTE, 1e11]) {
    const at = later(NOW, ahead)
    const probing = domain.whileProbing(silent, { notificationId: ID, deviceId: 0 as domain.DeviceId, at })
    const { pause } = settleWays(probing, ['silence']).health
    t.same(
      O.flatMap(({ until }: domain.Pause) => until)(pause),
      O.some(later(NOW, 4 * SECOND)),
      String(ahead),
    )
  }
})

t.test('G15: probes follow after 2, 4, 8, 16, 32 and 60 seconds from one to the next', async (t) => {
  let health = after(Array<Way>(5).fill('silence'), [5])
  let at = NOW
  const waits: Array<number> = []
  for (let n = 0; n < 8; n += 1) {
    const next = O.toUndefined(O.flatMap(({ until }: domain.Pause) => until)(health.pause)) ?? at
    waits.push((next - at) / SECOND)
    at = next
    health = domain.whileProbing(health, { notificationId: ID, deviceId: 0 as domain.DeviceId, at })
    // A probe without an answer takes eight seconds.
    health = settleWays(health, ['silence'], { now: later(at, 8 * SECOND) }).health
  }
  t.same(waits, [2, 8, 8, 16, 32, 60, 60, 60], 'the next one does not begin before the last has ended')
})

t.test('I9: a wait that is over does not come back when the clock is set back', async () => {
  const [lengths, steps] = [fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 600 })]
  fc.assert(
    fc.property(lengths, steps, fc.nat(600), (length, back, accepted) => {
      const held = settleWays(NEW_HEALTH, ['heldBack'], { after: O.some(length * SECOND) }).health
      const then = later(NOW, (length + accepted) * SECOND)
      const { health } = settleWays(held, ['delivered'], { now: then })
      return O.isNone(domain.pauseOf(health, later(then, -back * SECOND)))
    }),
  )
})
