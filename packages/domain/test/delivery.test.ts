import { sampleEmail, sampleNotificationId } from '@almoner/testkit/contracts'
import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { combinations } from './fixtures/combinations.ts'
import * as domain from './fixtures/domain.ts'

const { instant, addMillis: later, LEASE, MINUTE, MOST_ATTEMPTS, SECOND } = domain
const DAY = 24 * 60 * MINUTE
const NOW = instant(Date.UTC(2026, 0, 1))

const tallyOf = (over: Partial<domain.Tally>): domain.Tally => ({ ...domain.NO_OUTCOMES, ...over })

const progressOf = (
  recipients: number,
  over: Partial<domain.Tally>,
  isFinished: boolean,
): domain.Progress => ({
  recipients,
  tally: tallyOf(over),
  startedAt: NOW,
  finishedAt: isFinished ? O.some(later(NOW, 1)) : O.none,
  shortened: '' as const,
})

t.test('G5: the states are unscheduled, scheduled, sending, then sent, partial or failed', async (t) => {
  const state = (date: O.Option<domain.Instant>, progress: O.Option<domain.Progress>) =>
    domain.deliveryOf({ id: sampleNotificationId(1), date }, progress).state
  t.equal(state(O.none, O.none), 'unscheduled')
  t.equal(state(O.some(NOW), O.none), 'scheduled')
  t.equal(state(O.some(NOW), O.some(progressOf(3, { delivered: 2 }, false))), 'sending')
  t.equal(state(O.some(NOW), O.some(progressOf(0, {}, true))), 'sent')
  t.equal(state(O.some(NOW), O.some(progressOf(3, { delivered: 2, failed: 1 }, true))), 'partial')
  t.equal(state(O.some(NOW), O.some(progressOf(3, { failed: 3 }, true))), 'failed')
  t.same(domain.DELIVERY_STATES.length, 6)
})

t.test(
  'G7: the state is sent without failures, partial with failures and deliveries, failed with failures only',
  async (t) => {
    const counts = [0, 1, 5]
    for (const tally of combinations({ delivered: counts, failed: counts, dead: counts, skipped: counts })) {
      const { delivered, failed } = tally
      const expected = failed === 0 ? 'sent' : delivered > 0 ? 'partial' : 'failed'
      t.equal(domain.finalState(tally), expected, JSON.stringify(tally))
    }
  },
)

t.test('G7: a report counts each recipient once: as pending or with one outcome', async (t) => {
  const counts = fc.record({ delivered: fc.nat(9), failed: fc.nat(9), dead: fc.nat(9), skipped: fc.nat(9) })
  fc.assert(
    fc.property(counts, fc.nat(9), (tally, pending) => {
      const sum = tally.delivered + tally.failed + tally.dead + tally.skipped
      const progress = progressOf(sum + pending, tally, pending === 0)
      const report = domain.deliveryOf({ id: sampleNotificationId(1), date: O.some(NOW) }, O.some(progress))
      return (
        report.recipients === sum + pending &&
        report.pending === pending &&
        domain.isSettled(progress) === (pending === 0)
      )
    }),
  )
  t.same(domain.deliveryOf({ id: sampleNotificationId(1), date: O.none }, O.none), {
    notificationId: sampleNotificationId(1),
    state: 'unscheduled',
    recipients: 0,
    pending: 0,
    tally: domain.NO_OUTCOMES,
    startedAt: O.none,
    finishedAt: O.none,
    shortened: '',
  })
})

t.test('G5: a notification’s life begins with its date or its start, whichever is later', async (t) => {
  t.equal(domain.endOfLife(NOW, later(NOW, 5), DAY), later(NOW, DAY + 5))
  t.equal(domain.endOfLife(later(NOW, 5), NOW, DAY), later(NOW, DAY + 5))
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.nat(), (date, started, life) => {
      const end = domain.endOfLife(instant(date), instant(started), life)
      return end - life === Math.max(date, started)
    }),
  )
})

const attempt = fc.record({
  attempts: fc.integer({ min: 1, max: MOST_ATTEMPTS + 5 }),
  now: fc.nat().map(instant),
  retryAfter: fc.option(fc.nat(2 * DAY)).map(O.fromNullable),
  fraction: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  life: fc.nat(2 * DAY),
})

t.test('G5: a retry is never before Retry-After, and the first five follow it exactly', async () => {
  fc.assert(
    fc.property(attempt, fc.integer({ min: 1, max: 2 * DAY }), ({ life, ...one }, after) => {
      const at = domain.retryAt({ ...one, retryAfter: O.some(after), endsAt: later(one.now, life) })
      const endsAt = later(one.now, life)
      const asked = later(one.now, after)
      const isLastTry = O.isSome(at) && asked >= endsAt && at.value === later(endsAt, -domain.LAST_TRY)
      return O.isNone(at) || isLastTry || (one.attempts <= 5 ? at.value === asked : at.value >= asked)
    }),
  )
})

t.test(
  'G5: a provider with very short Retry-After times does not use up the attempts in a moment',
  async (t) => {
    for (const after of [0, 1]) {
      let now = NOW
      for (let attempts = 1; attempts < MOST_ATTEMPTS; attempts += 1) {
        const endsAt = later(now, 2 * DAY)
        const at = domain.retryAt({ attempts, now, retryAfter: O.some(after), fraction: 0.5, endsAt })
        if (O.isSome(at)) now = at.value
      }
      t.ok(now - NOW > DAY / 2, `${now - NOW} ms for Retry-After ${after}`)
    }
  },
)

t.test(
  'G5: no retry is after the end of the notification’s life or beyond the maximum number of attempts',
  async (t) => {
    fc.assert(
      fc.property(attempt, ({ life, ...one }) => {
        const endsAt = later(one.now, life)
        const at = domain.retryAt({ ...one, endsAt })
        return O.isNone(at) || (at.value < endsAt && at.value >= one.now && one.attempts < MOST_ATTEMPTS)
      }),
    )
    const one = { attempts: 1, now: NOW, retryAfter: O.some(5), fraction: 0 }
    t.same(domain.retryAt({ ...one, endsAt: later(NOW, 5) }), O.none)
    t.same(domain.retryAt({ ...one, now: later(NOW, 4), endsAt: later(NOW, 5) }), O.none)
    t.same(domain.retryAt({ ...one, endsAt: later(NOW, 6) }), O.some(later(NOW, 5)))
    t.same(domain.retryAt({ ...one, attempts: MOST_ATTEMPTS, endsAt: later(NOW, DAY) }), O.none)
  },
)

t.test('G5: a Retry-After beyond the notification’s life gives one retry just before the end', async (t) => {
  const endsAt = later(NOW, DAY)
  const last = later(endsAt, -domain.LAST_TRY)
  const asked = (now: domain.Instant, after: number, attempts = 1) =>
    domain.retryAt({ attempts, now, retryAfter: O.some(after), fraction: 0.5, endsAt })
  for (const after of [DAY, DAY * 400, Number.MAX_SAFE_INTEGER]) t.same(asked(NOW, after), O.some(last))
  t.same(asked(later(endsAt, -MINUTE), MINUTE), O.some(last))
  t.same(asked(last, DAY), O.none, 'and no second one')
  t.same(asked(later(last, 1), DAY), O.none)
  t.same(asked(NOW, DAY, MOST_ATTEMPTS), O.none)
  t.ok(domain.LAST_TRY > domain.ANSWER_WITHIN, 'its response arrives in time')
})

t.test('G15: how long a device waits, by the cause and the tries before', async () => {
  const causes: ReadonlyArray<readonly [domain.PushResult, (before: number) => readonly [number, number]]> = [
    [domain.senderError('refused'), (before) => (before === 0 ? [4, 6] : [7, 9])],
    [domain.UNANSWERED, (before) => [0, 10 * 2 ** Math.max(0, before - 2)]],
    [domain.partnerError('refused'), (before) => [0, 10 * 2 ** before]],
    [domain.retry(O.none, '500'), (before) => [0, 10 * 2 ** before]],
  ]
  const waitOf = (result: domain.PushResult, attempts: number, fraction: number): number => {
    const recipient = { deviceId: 1 as domain.DeviceId, email: sampleEmail(1), attempts, refusals: 0 }
    const served = domain.resultOf(
      { endsAt: later(NOW, 365 * DAY) },
      { recipient, origin: domain.wholeOf('fcm'), result, attachedAt: NOW, now: NOW, fraction },
    )
    return served.kind === 'retry' && O.isSome(served.at) ? served.at.value - NOW : Number.NaN
  }
  fc.assert(
    fc.property(
      fc.constantFrom(...causes),
      fc.nat(MOST_ATTEMPTS - 2),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      ([result, boundsOf], before, fraction) => {
        const [least, most] = boundsOf(before)
        const [shortest, longest] = [least * SECOND, Math.min(60 * MINUTE, most * SECOND)]
        return waitOf(result, before, fraction) === Math.ceil(shortest + (longest - shortest) * fraction)
      },
    ),
  )
})

t.test(
  'G5: without Retry-After: backoff with full jitter, where the delay doubles up to an hour',
  async (t) => {
    fc.assert(
      fc.property(attempt, ({ life: _, ...one }) => {
        const at = domain.retryAt({ ...one, retryAfter: O.none, endsAt: instant(Number.MAX_SAFE_INTEGER) })
        const longest = Math.min(60 * MINUTE, 10 * SECOND * 2 ** (one.attempts - 1))
        const waited = O.isSome(at) ? at.value - one.now : 0
        const exact = longest * one.fraction
        return Number.isInteger(waited) && (O.isNone(at) || (waited >= exact && waited <= exact + 1))
      }),
    )
    const longest = (attempts: number) => {
      const at = domain.retryAt({
        attempts,
        now: NOW,
        retryAfter: O.none,
        fraction: 0.999999,
        endsAt: later(NOW, DAY),
      })
      return O.isSome(at) ? Math.round((at.value - NOW) / SECOND) : undefined
    }
    t.same([1, 2, 3, 9, 10, 20].map(longest), [10, 20, 40, 2560, 3600, 3600])
  },
)

t.test('G5: a lease is valid until it ends', async (t) => {
  const until = O.some(domain.leaseFrom(NOW))
  t.same(
    [0, 1, LEASE - 1].map((by) => domain.isHeld(until, later(NOW, by))),
    [true, true, true],
  )
  t.same(
    [LEASE, LEASE + 1, DAY].map((by) => domain.isHeld(until, later(NOW, by))),
    [false, false, false],
  )
  t.equal(domain.isHeld(O.none, NOW), false)
})

t.test('G5: a lease set by a clock a day ahead is void; one of a slow clock has expired', async (t) => {
  for (const wrong of [DAY, -DAY, 2 * LEASE, -LEASE])
    t.equal(domain.isHeld(O.some(domain.leaseFrom(later(NOW, wrong))), NOW), false, String(wrong))
  for (const slightly of [-10 * SECOND, -1, 1, 10 * SECOND])
    t.equal(
      domain.isHeld(O.some(domain.leaseFrom(later(NOW, slightly))), NOW),
      true,
      'small differences between clocks are tolerated',
    )
  fc.assert(
    fc.property(fc.integer({ min: -2 * DAY, max: 2 * DAY }), (by) => {
      const isHeld = domain.isHeld(O.some(later(NOW, by)), NOW)
      return isHeld === (by > 0 && later(NOW, by) <= domain.latestLease(NOW))
    }),
  )
})

t.test('G5: a response, and the attempts to record it, fit within the lease', async (t) => {
  t.ok(domain.ANSWER_WITHIN < LEASE / 2)
})

t.test('G5, G15: the result of a push decides the delivery result', async (t) => {
  const deviceId = 7 as domain.DeviceId
  const recipient = { deviceId, email: 'a@example.org' as domain.Email, attempts: 0, refusals: 0 }
  const origin = domain.wholeOf('apns')
  const result = (result: domain.PushResult, attempts = 0, life = DAY) =>
    domain.resultOf(
      { endsAt: later(NOW, life) },
      {
        recipient: { ...recipient, attempts },
        origin,
        result,
        attachedAt: instant(5),
        now: NOW,
        fraction: 0.5,
      },
    )
  const answered = { deviceId, kind: 'responded', origin }
  t.same(result(domain.DELIVERED), { ...answered, outcome: 'delivered' })
  t.same(result(domain.UNREGISTERED), { deviceId, kind: 'unregistered', origin, attachedAt: 5 })
  t.same(result(domain.REFUSED), { ...answered, outcome: 'failed' })
  const again = (cause: string, reason: string, at: O.Option<number>) => {
    return { deviceId, kind: 'retry', origin, cause, reason, at }
  }
  const soon = O.some(later(NOW, 5 * SECOND))
  t.same(result(domain.senderError('a wrong key')), again('sender', 'a wrong key', soon))
  t.same(result(domain.partnerError('no key')), again('partner', 'no key', soon))
  t.same(result(domain.UNANSWERED), again('silence', '', soon))
  t.same(result(domain.retry(O.none, 'HTTP 500')), again('device', 'HTTP 500', soon))
  t.same(result(domain.retry(O.some(MINUTE))), again('device', '', O.some(later(NOW, MINUTE))))
  const held = { deviceId, kind: 'heldBack', origin, after: O.some(MINUTE), reason: 'HTTP 503' }
  t.same(result(domain.holdBack(O.some(MINUTE), 'HTTP 503')), held)
  t.same(result(domain.retry(), MOST_ATTEMPTS - 1), again('device', '', O.none), 'the last attempt')
  t.same(result(domain.retry(), 0, SECOND), again('device', '', O.none), 'the notification’s life is over')
})

t.test('G5: Retry-After: 0 is retried after our own delay', async (t) => {
  const one = { attempts: 1, now: NOW, fraction: 0.5, endsAt: later(NOW, DAY) }
  const ours = domain.retryAt({ ...one, retryAfter: O.none })
  t.ok(O.isSome(ours) && ours.value > NOW)
  t.same(domain.retryAt({ ...one, retryAfter: O.some(0) }), ours)
})

t.test('G5: the time limit for a response is well within the lease', async (t) => {
  t.equal(domain.ANSWER_WITHIN, 8 * SECOND)
  t.ok(domain.ANSWER_WITHIN < LEASE)
})
