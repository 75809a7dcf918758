import * as O from 'fp-ts/lib/Option.js'
import { addMillis, FAULT_PAUSE, type Instant, PROVIDERS, SAMPLE_WINDOW } from '../src/all.ts'
import {
  type DeliveriesUnderTest,
  dead,
  deferred,
  ended,
  givenDeliveries,
  LIFE,
} from './deliveries/fixture.ts'
import { answered, devicesOf, OPEN, pauses, release, resume, sending } from './deliveries/provider-steps.ts'
import type { ContractRunner } from './runner.ts'
import { done } from './samples.ts'
import { SAMPLE_MOMENT, sampleMoment } from './samples-people.ts'

/** Contract tests of `Providers`, together with the deliveries that pause them and wait for them (G5). */
export const providersContract = (runner: ContractRunner, make: () => Promise<DeliveriesUnderTest>): void => {
  const given = givenDeliveries(runner, make)

  given(
    'G5: if more than a fifth of 200 results are dead, nothing is detached and the provider is paused',
    async (check, setup) => {
      const { id, batch } = await sending(setup, SAMPLE_WINDOW)
      const results = batch.recipients.map(({ deviceId }, n) =>
        n < 41 ? dead(SAMPLE_MOMENT)(deviceId) : answered('delivered')(deviceId),
      )
      const { results: kept, paused } = await done(setup.record(batch.claim, results, { last: true }))
      check.same(paused, [OPEN])
      check.same(kept.filter(({ kind }) => kind === 'deferred').length, 41)
      check.same(await pauses(setup), [OPEN])
      const states = await done(setup.providers.states(SAMPLE_MOMENT))
      check.same(
        states.map(({ provider }) => provider),
        [...PROVIDERS],
      )
      check.same((await devicesOf(setup, 0)).length, 1, 'a wrong key must not wipe the devices')
      const { tally, finishedAt } = await setup.progress(id)
      check.same([tally.delivered, tally.dead, finishedAt], [159, 0, O.none], 'its devices stay pending')
    },
  )

  given('G5: a fifth of 200 dead results, or all of 199, are accepted', async (check, setup) => {
    const { batch } = await sending(setup, SAMPLE_WINDOW + 199)
    const result = (n: number) =>
      n % 5 === 0 || n >= SAMPLE_WINDOW ? dead(SAMPLE_MOMENT) : answered('failed')
    const results = batch.recipients.map(({ deviceId }, n) => result(n)(deviceId))
    check.same((await done(setup.record(batch.claim, results.slice(0, SAMPLE_WINDOW)))).paused, [])
    await resume(setup)
    check.same((await done(setup.record(batch.claim, results.slice(SAMPLE_WINDOW)))).paused, [])
    check.same(await devicesOf(setup, SAMPLE_WINDOW), [])
  })

  given('G5: results count together across batches and notifications', async (check, setup) => {
    const { batch } = await sending(setup, 100)
    await setup.recordAll(batch, answered('delivered'))
    await setup.notification(2)
    await setup.start()
    const second = await setup.claimed()
    const few = second.recipients.slice(0, 26)
    for (const { deviceId } of few.slice(0, 25))
      await done(setup.record(second.claim, [dead(SAMPLE_MOMENT)(deviceId)]))
    check.same(await pauses(setup), [], 'after 125 results')
    const rest = second.recipients.slice(25).map(({ deviceId }) => answered('failed')(deviceId))
    await done(setup.record(second.claim, rest, { last: true }))
    await setup.notification(3)
    await setup.start()
    const third = await setup.claimed()
    const { paused } = await setup.recordAll(third, dead(SAMPLE_MOMENT))
    check.same(paused, [OPEN])
  })

  given('G5: results of one provider do not affect another', async (check, setup) => {
    const { batch } = await sending(setup, 400)
    const results = batch.recipients.map(({ deviceId }, n) =>
      n < 50 ? dead(SAMPLE_MOMENT)(deviceId) : answered('delivered', n < 300 ? 'apns' : 'webpush')(deviceId),
    )
    check.same((await done(setup.record(batch.claim, results, { last: true }))).paused, [])
    check.same(await devicesOf(setup, 0), [])
  })

  given('G5: during a pause no node detaches devices called dead', async (check, setup) => {
    const { batch } = await sending(setup, 250)
    await setup.recordAll({ ...batch, recipients: batch.recipients.slice(0, 249) }, dead(SAMPLE_MOMENT))
    const [last] = batch.recipients.slice(249)
    if (last === undefined) throw new Error('there are 250')
    const other = await setup.claimed({ now: sampleMoment(60), most: 1 })
    const { results } = await setup.recordAll(other, dead(SAMPLE_MOMENT), sampleMoment(60))
    check.same(results, [deferred()(last.deviceId)])
    check.same((await devicesOf(setup, 249)).length, 1)
    const eligibility = await done(
      setup.deliveries.checkEligibility(other.claim, other.recipients, sampleMoment(60)),
    )
    check.same([...eligibility.paused], ['fcm'])
  })

  given('G5: resuming a provider releases its deferred devices unchanged', async (check, setup) => {
    const { id, batch } = await sending(setup, SAMPLE_WINDOW)
    await setup.recordAll(batch, dead(SAMPLE_MOMENT))
    check.same(await release(setup, sampleMoment(1)), 0, 'it is paused')
    check.same(await setup.claim({ now: sampleMoment(LIFE / 1000 - 1) }), O.none)
    check.same(await resume(setup), O.some(OPEN))
    check.same(await resume(setup), O.none)
    check.same(await pauses(setup), [])
    const now = sampleMoment(2)
    let released = 0
    for (let some = -1; some !== 0; released += some) some = await release(setup, now)
    check.same(released, SAMPLE_WINDOW)
    const again = await setup.claimed({ now })
    check.same(again.recipients, batch.recipients, 'and no device got a second push')
    await setup.recordAll(again, answered('delivered'), now)
    const { tally, finishedAt } = await setup.progress(id)
    check.same([tally.delivered, finishedAt], [SAMPLE_WINDOW, O.some(now)])
    check.same(await setup.claim({ now: sampleMoment(LIFE / 1000 + 1) }), O.none)
  })

  given(
    'G5: deferred devices are released at the end of the notification’s life at the latest',
    async (check, setup) => {
      const { id, batch } = await sending(setup, 2)
      await setup.recordAll(batch, deferred('fcm', 'a wrong key'))
      const backlog = await done(setup.deliveries.backlog())
      check.same(backlog.nextRetry, O.none, 'its time is unknown')
      const now = addMillis(SAMPLE_MOMENT, LIFE)
      await setup.recordAll(await setup.claimed({ now }), ended('failed'), now)
      check.same((await setup.progress(id)).tally.failed, 2)
    },
  )

  given(
    'G5: a provider with a sender error is paused for a while and retried automatically',
    async (check, setup) => {
      const { batch } = await sending(setup, 2)
      const { paused } = await setup.recordAll(batch, deferred('fcm', 'a wrong key'))
      const until = addMillis(SAMPLE_MOMENT, FAULT_PAUSE)
      const pause = { provider: 'fcm', reason: 'a wrong key', since: SAMPLE_MOMENT, until: O.some(until) }
      check.same(paused, [pause])
      check.same(await pauses(setup, addMillis(until, -1)), [pause])
      check.same(await release(setup, addMillis(until, -1)), 0)
      check.same(await pauses(setup, until), [])
      check.same(await release(setup, until), 2)
      const again = await setup.claimed({ now: until })
      const later1 = await setup.recordAll(again, deferred('fcm', 'a wrong key'), until)
      check.same(later1.paused, [{ ...pause, since: until, until: O.some(addMillis(until, FAULT_PAUSE)) }])
      check.same(await resume(setup), O.none, 'after the clock is set back, the pause is over')
    },
  )

  given('G5: a second sender error does not lengthen the pause', async (check, setup) => {
    const { batch } = await sending(setup, 2)
    const [first, second] = batch.recipients.map(({ deviceId }) => deferred('fcm', 'no')(deviceId))
    if (first === undefined || second === undefined) throw new Error('there are two')
    const [before] = (await done(setup.record(batch.claim, [first]))).paused
    const now = sampleMoment(60)
    check.same((await done(setup.record(batch.claim, [second], { now }))).paused, [])
    check.same(await pauses(setup, now), [before])
  })

  given('G5: an override prevents pauses until it ends', async (check, setup) => {
    const { batch } = await sending(setup, 3 * SAMPLE_WINDOW - 100)
    const of = (from: number, to: number) =>
      batch.recipients.slice(from, to).map(({ deviceId }) => dead(SAMPLE_MOMENT)(deviceId))
    await resume(setup, O.some(sampleMoment(10)))
    const believed = async (now: Instant) =>
      (await done(setup.providers.states(now))).map((one) => one.overrideUntil)
    check.same(await believed(SAMPLE_MOMENT), [O.some(sampleMoment(10)), O.none, O.none])
    check.same(await believed(sampleMoment(10)), [O.none, O.none, O.none])
    const [now, then] = [sampleMoment(9.999), sampleMoment(10)]
    check.same((await done(setup.record(batch.claim, of(0, SAMPLE_WINDOW), { now }))).paused, [])
    check.same(await devicesOf(setup, 0), [])
    const [healthy] = batch.recipients
      .slice(SAMPLE_WINDOW)
      .map(({ deviceId }) => answered('delivered')(deviceId))
    if (healthy === undefined) throw new Error('there are more')
    check.same(
      (await done(setup.record(batch.claim, [healthy], { now: then }))).paused,
      [],
      'results during the override are not counted afterwards',
    )
    const more = of(SAMPLE_WINDOW + 1, 2 * SAMPLE_WINDOW + 1)
    const { paused } = await done(setup.record(batch.claim, more, { now: then }))
    check.same(paused, [{ ...OPEN, since: then }])
  })

  given(
    'G5: after a pause a few devices are released first, the rest after a successful push',
    async (check, setup) => {
      const { batch } = await sending(setup, 30)
      await setup.recordAll(batch, deferred('fcm', 'a wrong key'))
      for (const now of [addMillis(SAMPLE_MOMENT, FAULT_PAUSE), addMillis(SAMPLE_MOMENT, FAULT_PAUSE * 3)]) {
        check.same(await release(setup, now, { first: 0 }), 0, 'a review that waits for the first few')
        check.same(await release(setup, now, { first: 4 }), 4)
        const few = await setup.claimed({ now })
        check.same(few.recipients.length, 4)
        await setup.recordAll(few, deferred('fcm', 'a wrong key'), now)
      }
      await resume(setup)
      const now = addMillis(SAMPLE_MOMENT, FAULT_PAUSE * 6)
      const untried = async () => (await done(setup.providers.states(now))).map((state) => state.untried)
      check.same(await untried(), [true, false, false])
      check.same(await release(setup, now, { first: 4 }), 4, 'also after an operator has resumed it')
      const few = await setup.claimed({ now })
      const [one, ...others] = few.recipients.map(({ deviceId }) => deviceId)
      if (one === undefined) throw new Error('there are four')
      const results = [answered('failed')(one), ...others.map(answered('delivered'))]
      await done(setup.record(few.claim, results.slice(0, 1), { now }))
      check.same(await release(setup, now, { first: 0 }), 0, 'one rejected device does not affect others')
      await done(setup.record(few.claim, results.slice(1), { now, last: true }))
      check.same(await untried(), [false, false, false])
      check.same(await release(setup, now, { first: 0 }), 26)
      check.same(await release(setup, now, { first: 0 }), 0)
    },
  )

  given('G5: a process releases deferred devices of its own providers only', async (check, setup) => {
    const { batch } = await sending(setup, 3)
    await setup.recordAll(batch, deferred('fcm'))
    const now = sampleMoment(1)
    check.same(await release(setup, now, { by: ['apns', 'webpush'] }), 0)
    check.same(await release(setup, now, { by: [] }), 0)
    check.same(await release(setup, now, { by: ['fcm'] }), 3)
  })
}
