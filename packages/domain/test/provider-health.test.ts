import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import * as domain from '../src/all.ts'

const { FAULT_PAUSE, updateHealth, instant, addMillis: later, NEW_HEALTH, SAMPLE_WINDOW } = domain
const NOW = instant(Date.UTC(2026, 0, 1))

const sample = (answers: number, dead: number, fault?: string): domain.ProviderSample => ({
  provider: 'fcm',
  responses: answers,
  unregistered: dead,
  accepted: answers > dead,
  fault: O.fromNullable(fault),
})

/** The health after responses, each dead or not, recorded in batches of these sizes. */
const after = (
  answers: ReadonlyArray<boolean>,
  sizes: ReadonlyArray<number>,
  from: domain.ProviderHealth = NEW_HEALTH,
): domain.ProviderHealth => {
  let health = from
  for (let at = 0, batch = 0; at < answers.length; batch += 1) {
    const size = sizes[batch % sizes.length] ?? 1
    const some = answers.slice(at, at + size)
    health = updateHealth(health, sample(some.length, some.filter((isDead) => isDead).length), NOW)
    at += size
  }
  return health
}

const sizes = fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 10 })
const isPaused = ({ pause }: domain.ProviderHealth) => O.isSome(pause)

t.test('G5: a provider that calls every sixth token dead is never paused', async () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 3000 }),
      fc.integer({ min: 0, max: 5 }),
      sizes,
      (count, first, sizes) => {
        const answers = Array.from({ length: count }, (_, n) => n % 6 === first)
        return !isPaused(after(answers, sizes))
      },
    ),
  )
})

t.test('G5: fewer than 200 results never pause a provider', async () => {
  fc.assert(
    fc.property(
      fc.array(fc.boolean(), { maxLength: SAMPLE_WINDOW - 1 }),
      sizes,
      (answers, sizes) => !isPaused(after(answers, sizes)),
    ),
  )
})

t.test(
  'G5: a provider that calls every token dead is paused in time, whatever the earlier results',
  async () => {
    const one = [1]
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2000 }), (healthy) => {
        const before = Array.from({ length: healthy }, () => false)
        const dying = (dead: number) => after([...before, ...Array.from({ length: dead }, () => true)], one)
        return (
          isPaused(dying(SAMPLE_WINDOW)) && (healthy < SAMPLE_WINDOW || isPaused(dying(SAMPLE_WINDOW / 2)))
        )
      }),
      { numRuns: 30 },
    )
  },
)

t.test(
  'G5: a provider is paused by more than a fifth of dead results for long enough, in any batches',
  async () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { maxLength: 500 }),
        fc.integer({ min: 0, max: 3 }),
        sizes,
        (before, first, sizes) => {
          const quarter = Array.from({ length: 1500 }, (_, n) => n % 4 === first)
          return isPaused(after([...before, ...quarter], sizes))
        },
      ),
    )
  },
)

t.test('G5: while an operator must decide, further results change nothing', async () => {
  const stopped = updateHealth(NEW_HEALTH, sample(SAMPLE_WINDOW, SAMPLE_WINDOW), NOW)
  fc.assert(
    fc.property(fc.nat(1000), fc.boolean(), (answers, isFault) => {
      const more = sample(answers, 0, isFault ? 'a wrong key' : undefined)
      return updateHealth(stopped, more, later(NOW, 86_400_000)) === stopped
    }),
  )
})

t.test('G5: the circuit breaker replaces a pause that ends by itself', async (t) => {
  const refused = updateHealth(NEW_HEALTH, sample(0, 0, 'a wrong key'), NOW)
  const { pause } = updateHealth(refused, sample(SAMPLE_WINDOW, SAMPLE_WINDOW), later(NOW, 1))
  t.same(
    pause,
    O.some({ provider: 'fcm', reason: domain.TOO_MANY_DEAD, since: later(NOW, 1), until: O.none }),
  )
})

t.test('G5: a pause that ends later than any pause can is void', async (t) => {
  const { pause } = updateHealth(NEW_HEALTH, sample(0, 0, 'a wrong key'), NOW)
  const at = (milliseconds: number) => O.isSome(domain.pauseOf({ pause }, later(NOW, milliseconds)))
  t.same([at(0), at(FAULT_PAUSE - 1), at(FAULT_PAUSE)], [true, true, false])
  t.same([at(-20_000), at(-60_000)], [true, false], 'the clock was set back after the pause began')
})

t.test('G5: results are counted per provider', async (t) => {
  const deviceId = 1 as domain.DeviceId
  const results: ReadonlyArray<domain.DeliveryResult> = [
    { deviceId, kind: 'responded', provider: 'apns', outcome: 'delivered' },
    { deviceId, kind: 'responded', provider: 'apns', outcome: 'failed' },
    { deviceId, kind: 'unregistered', provider: 'apns', attachedAt: NOW },
    { deviceId, kind: 'deferred', provider: 'fcm', fault: O.none },
    { deviceId, kind: 'deferred', provider: 'webpush', fault: O.none },
    { deviceId, kind: 'deferred', provider: 'webpush', fault: O.some('first') },
    { deviceId, kind: 'deferred', provider: 'webpush', fault: O.some('second') },
    { deviceId, kind: 'retry', at: NOW },
    { deviceId, kind: 'notSent', outcome: 'failed' },
    { deviceId, kind: 'notSent', outcome: 'skipped' },
  ]
  t.same(domain.samplesOf(results), [
    { provider: 'apns', responses: 3, unregistered: 1, accepted: true, fault: O.none },
    { provider: 'webpush', responses: 0, unregistered: 0, accepted: false, fault: O.some('first') },
  ])
})

t.test('G5: responses during an override are not counted afterwards', async () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 1000 }), sizes, (answers, sizes) => {
      const until = later(NOW, 1)
      const resumed = domain.resumedHealth(NEW_HEALTH, { now: NOW, overrideUntil: O.some(until) })
      const health = after(answers, sizes, resumed)
      const few = sample(SAMPLE_WINDOW - 1, SAMPLE_WINDOW - 1)
      return !isPaused(health) && !isPaused(updateHealth(health, few, until))
    }),
  )
})

t.test('G5: a provider is untried from the end of its pause until a push succeeds', async (t) => {
  const refused = updateHealth(NEW_HEALTH, sample(0, 0, 'a wrong key'), NOW)
  const [within, over] = [later(NOW, FAULT_PAUSE - 1), later(NOW, FAULT_PAUSE)]
  t.same(
    [NEW_HEALTH, refused].map((health) => domain.isUntried(health, within)),
    [false, false],
  )
  t.ok(domain.isUntried(refused, over))
  t.ok(domain.isUntried(updateHealth(refused, sample(1, 1), over), over))
  t.notOk(domain.isUntried(updateHealth(refused, sample(2, 1), over), over))
  t.same(
    updateHealth(refused, sample(2, 1), within).pause,
    refused.pause,
    'a response from before does not end the pause',
  )
  const stopped = updateHealth(NEW_HEALTH, sample(SAMPLE_WINDOW, SAMPLE_WINDOW), NOW)
  for (const clock of [-20_000, 0, 20_000]) {
    const resumed = domain.resumedHealth(stopped, { now: NOW, overrideUntil: O.none })
    t.ok(domain.isUntried(resumed, later(NOW, clock)), 'with any clock')
  }
  t.notOk(domain.isUntried(domain.resumedHealth(NEW_HEALTH, { now: NOW, overrideUntil: O.none }), NOW))
})
