import {
  MOST_UNANSWERED,
  NO_ANSWER,
  type Origin,
  type Pause,
  pausesAmong,
  wholeOf,
} from '@almoner/domain/delivery'
import { type DeviceId, PROVIDERS, type Provider } from '@almoner/domain/people'
import { addMillis, type Instant, MINUTE, SECOND } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { done, SAMPLE_MOMENT, sampleMoment } from '../samples.ts'
import {
  answered,
  deferred,
  ended,
  FCM,
  type Given,
  type givenDeliveries,
  heldBack,
  LATER,
  pauses,
  probe,
  recordSome,
  release,
  resume,
  senderRefused,
  sending,
  silent,
} from './fixture.ts'

const PRODUCTION = 'apns' as Origin
const SANDBOX = 'apns sandbox' as Origin

/** What stores remember of origins, and what they do with devices that wait for one (G15). */
export const originsContract = (given: Given): void => {
  given(
    'G15: after five time-outs in a row an origin is probed, however they are recorded',
    async (check, setup) => {
      const { batch } = await sending(setup, 12)
      await recordSome(setup, batch, [0, 4], silent(LATER))
      await recordSome(setup, batch, [4, 5], answered('failed'))
      await recordSome(setup, batch, [5, 9], silent(LATER))
      check.same(await pauses(setup), [], 'an answer came in between')
      const { results, paused } = await recordSome(setup, batch, [9, 10], silent(LATER))
      check.same(
        paused.map(({ kind, reason, until }) => [kind, reason, until]),
        [['probed', NO_ANSWER, O.some(sampleMoment(2))]],
      )
      check.same(results[0]?.kind, 'held', 'the device waits for its origin')
      await recordSome(setup, batch, [10, 12], silent(LATER))
      check.same((await pauses(setup)).length, 1, 'pushes that were in flight change nothing')
      check.same(MOST_UNANSWERED, 5)
    },
  )

  given('G15: probes follow after 2 s, doubling to 60 s, until one is accepted', async (check, setup) => {
    const { id, batch } = await sending(setup, 20)
    await setup.recordAll(batch, silent(LATER))
    let now = SAMPLE_MOMENT
    for (const seconds of [2, 4, 8, 16, 32, 60, 60]) {
      check.same(await release(setup, addMillis(now, seconds * SECOND - 1)), 0)
      now = addMillis(now, seconds * SECOND)
      await probe(check, setup, now, silent(addMillis(now, SECOND)))
    }
    now = addMillis(now, 60 * SECOND)
    await probe(check, setup, now, answered('delivered'))
    check.same(await pauses(setup, now), [])
    check.same(await release(setup, now), 19, 'then all that wait are due')
    check.same(
      (await setup.claimed({ now })).recipients.every(({ attempts }) => attempts === 0),
      true,
    )
    check.same((await setup.progress(id)).tally.delivered, 1)
  })

  given('G15: a probe goes to a device at random, which alone passes', async (check, setup) => {
    const { batch } = await sending(setup, 10)
    await setup.recordAll(batch, silent(LATER))
    const other = await setup.notification(2)
    await setup.start()
    const seen = new Set<DeviceId>()
    let now = sampleMoment(2)
    for (const fraction of [0, 0.5, 0.99]) {
      check.same(await release(setup, now, { fraction }), 1)
      const claimed = await setup.claimed({ now })
      const [only] = claimed.recipients
      const { closed } = await done(setup.deliveries.checkEligibility(claimed.claim, claimed.recipients, now))
      check.same([...closed], [[FCM, { kind: 'probed', probe: O.some(only?.deviceId) }]])
      if (only !== undefined) seen.add(only.deviceId)
      await setup.recordAll(claimed, silent(now), now)
      now = addMillis(now, MINUTE)
    }
    check.same(seen.size, 3)
    const next = await setup.claimed({ now, first: 'new recipients' })
    check.same(next.claim.notificationId, other)
    const { closed } = await done(setup.deliveries.checkEligibility(next.claim, next.recipients, now))
    check.same(
      [...closed],
      [[FCM, { kind: 'probed', probe: O.none }]],
      'a device of another notification does not pass',
    )
  })

  given('G15: a probe that says nothing of its origin is followed by another one', async (check, setup) => {
    const { batch } = await sending(setup, 10)
    await setup.recordAll(batch, silent(LATER))
    await probe(check, setup, sampleMoment(2), answered('failed'))
    await probe(check, setup, sampleMoment(4), ended('skipped'))
    check.same(await release(setup, sampleMoment(6)), 1)
    check.same(await release(setup, sampleMoment(35)), 0)
    check.same(await release(setup, sampleMoment(36)), 1, 'one that was lost with its process, too')
    check.same((await pauses(setup, sampleMoment(36)))[0]?.kind, 'probed')
  })

  given(
    'G15: 503, 429 and Retry-After hold back the origin: as long as it asks, else 1 s, doubling to 60 s',
    async (check, setup) => {
      const { batch } = await sending(setup, 12)
      let now = SAMPLE_MOMENT
      for (const [n, seconds] of [1, 2, 4, 8, 16, 32, 60, 60].entries()) {
        const { results, paused } = await recordSome(setup, batch, [n, n + 1], heldBack(), { now })
        check.same([results[0]?.kind, paused], ['held', []])
        const [state] = await done(setup.providers.states(now))
        check.same(
          O.map(({ kind, until }: Pause) => [kind, until])(state?.pause ?? O.none),
          O.some(['held', O.some(addMillis(now, seconds * SECOND))]),
        )
        now = addMillis(now, seconds * SECOND)
      }
      check.same(
        await pauses(setup, now),
        [],
        'a moment of patience is no pause that an operator should know of',
      )
      await recordSome(setup, batch, [8, 9], answered('delivered'), { now })
      await recordSome(setup, batch, [9, 10], heldBack(O.some(90 * SECOND)), { now })
      await recordSome(setup, batch, [10, 11], heldBack(O.some(30 * SECOND)), { now })
      await recordSome(setup, batch, [11, 12], answered('delivered'), { now })
      check.same(
        await release(setup, addMillis(now, 90 * SECOND - 1)),
        0,
        'nor does an answer to an earlier push end it',
      )
      check.same(await release(setup, addMillis(now, 90 * SECOND)), 10)
    },
  )

  given('G15: nothing is to be sent to an origin until the time that it asks for', async (check, setup) => {
    const { batch } = await sending(setup, 2)
    const { claim, recipients } = batch
    const closedAt = async (now: Instant) => {
      const { closed } = await done(setup.deliveries.checkEligibility(claim, recipients, now))
      return [...closed.keys()]
    }
    check.same(await closedAt(SAMPLE_MOMENT), [])
    await recordSome(setup, batch, [0, 1], heldBack(O.some(10 * SECOND)))
    const until = sampleMoment(10)
    check.same([await closedAt(addMillis(until, -1)), await closedAt(until)], [[FCM], []])
  })

  given('G15: no probe is sent before Retry-After', async (check, setup) => {
    const { batch } = await sending(setup, 8)
    await recordSome(setup, batch, [0, 1], heldBack(O.some(50 * SECOND)))
    await recordSome(setup, batch, [1, 8], silent(LATER))
    check.same((await pauses(setup))[0]?.kind, 'probed')
    check.same(await release(setup, sampleMoment(49)), 0)
    await probe(check, setup, sampleMoment(50), heldBack(O.some(100 * SECOND)))
    check.same(await release(setup, sampleMoment(149)), 0)
    check.same(await release(setup, sampleMoment(150)), 1)
  })

  given(
    'G15: a pause that a clock ahead has begun is over when the clock is set back',
    async (check, setup) => {
      const { batch } = await sending(setup, 4)
      const ahead = addMillis(SAMPLE_MOMENT, 365 * 24 * 60 * MINUTE)
      await recordSome(setup, batch, [0, 1], heldBack(O.some(10 * MINUTE)), { now: ahead })
      await recordSome(setup, batch, [1, 4], deferred(), { now: ahead })
      check.same(await release(setup, SAMPLE_MOMENT), 4)
    },
  )

  given('G15: what was learned of an origin ends when an operator resumes it', async (check, setup) => {
    const { batch } = await sending(setup, 12)
    await recordSome(setup, batch, [0, 5], silent(LATER))
    await resume(setup)
    await recordSome(setup, batch, [5, 9], silent(LATER))
    check.same(await pauses(setup), [])
    await recordSome(setup, batch, [9, 10], silent(LATER))
    check.same((await pauses(setup)).length, 1)
  })

  given(
    'G9, G15: the next moment at which devices may go on that wait for an origin is known',
    async (check, setup) => {
      const { batch } = await sending(setup, 6)
      const next = async () => (await done(setup.deliveries.upcoming())).origin
      check.same(await next(), O.none)
      await recordSome(setup, batch, [0, 1], deferred())
      check.same(await next(), O.some({ origin: FCM, at: 0 }))
      await recordSome(setup, batch, [1, 6], silent(LATER))
      check.same(await next(), O.some({ origin: FCM, at: sampleMoment(2) }))
      await done(setup.providers.pause('fcm', SAMPLE_MOMENT))
      check.same(await next(), O.none, 'not before an operator resumes it')
    },
  )

  for (const [name, result] of [
    ['the back-off', heldBack(O.some(90 * SECOND), PRODUCTION)],
    ['probing', silent(LATER, PRODUCTION)],
  ] as const)
    given(`G15: ${name} of one server of a provider does not hold up another`, async (check, setup) => {
      const { batch } = await sending(setup, 12)
      await recordSome(setup, batch, [0, 6], result)
      await recordSome(setup, batch, [6, 12], deferred(SANDBOX))
      const { closed } = await done(setup.deliveries.checkEligibility(batch.claim, [], SAMPLE_MOMENT))
      check.same([...closed.keys()], [PRODUCTION])
      check.same((await done(setup.deliveries.upcoming())).origin, O.some({ origin: SANDBOX, at: 0 }))
      check.same(await release(setup, SAMPLE_MOMENT), 6)
    })

  given(
    'G5, G15: a pause that an operator has to end is for all servers of a provider',
    async (check, setup) => {
      const { batch } = await sending(setup, 4)
      await recordSome(setup, batch, [0, 4], deferred(SANDBOX))
      await done(setup.providers.pause('apns', SAMPLE_MOMENT))
      const { closed } = await done(setup.deliveries.checkEligibility(batch.claim, [], SAMPLE_MOMENT))
      check.same([...closed], [[PRODUCTION, { kind: 'stopped', probe: O.none }]])
      check.same((await done(setup.deliveries.upcoming())).origin, O.none)
      check.same(await release(setup, sampleMoment(100)), 0)
      await resume(setup, { provider: 'apns' })
      check.same(await release(setup, sampleMoment(100)), 4)
    },
  )

  given('G15: released devices are mixed', async (check, setup) => {
    const { batch } = await sending(setup, 200)
    await setup.recordAll(batch, deferred())
    const now = sampleMoment(20)
    check.same(await release(setup, now), 200)
    const ids = (await setup.claimed({ now })).recipients.map(({ deviceId }) => deviceId)
    const half = batch.recipients[100]?.deviceId ?? 0
    const early = ids.slice(0, 100).filter((deviceId) => deviceId < half).length
    check.ok(early > 20 && early < 80, `${early} of the first half come first`)
  })
}

// In a host's program these names are in the type, by declaration merging.
const ADDED = 'expo' as Provider
const NEVER_USED = 'another' as Provider

/** What stores do with a provider that a host has added. */
export const addedProvider = (given: ReturnType<typeof givenDeliveries>): void =>
  given(
    'G5: a provider that a host has added is paused and resumed like any other',
    async (check, fixture) => {
      await fixture.readers(0, 5)
      await fixture.notification(1)
      await fixture.start()
      const refused = senderRefused(sampleMoment(60), 'a wrong key', wholeOf(ADDED))
      const { paused } = await fixture.recordAll(await fixture.claimed(), refused)
      check.same(
        paused.map(({ origin, kind, reason }) => [origin, kind, reason]),
        [[ADDED, 'probed', 'a wrong key']],
      )
      const states = await done(fixture.providers.states(SAMPLE_MOMENT))
      check.same(pausesAmong(states), paused)
      check.same(
        states.map(({ provider }) => provider),
        [...PROVIDERS, ADDED],
      )
      check.same(await resume(fixture, { provider: ADDED }), paused)
      check.same(await resume(fixture, { provider: NEVER_USED }), [])
      check.same(
        await release(fixture, SAMPLE_MOMENT),
        0,
        'a process without the provider does not send to its devices',
      )
      check.same(await release(fixture, SAMPLE_MOMENT, { by: [ADDED] }), 5)
    },
  )
