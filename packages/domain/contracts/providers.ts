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

/** What every `Providers` must do, with the deliveries that they are paused by and that wait for them (G5). */
export const providersContract = (runner: ContractRunner, make: () => Promise<DeliveriesUnderTest>): void => {
  const given = givenDeliveries(runner, make)

  given(
    'G5: more than a fifth of 200 answers dead: nothing is detached, and the provider is paused',
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

  given('G5: a fifth of 200 answers, or all of 199, are believed', async (check, setup) => {
    const { batch } = await sending(setup, SAMPLE_WINDOW + 199)
    const result = (n: number) =>
      n % 5 === 0 || n >= SAMPLE_WINDOW ? dead(SAMPLE_MOMENT) : answered('failed')
    const results = batch.recipients.map(({ deviceId }, n) => result(n)(deviceId))
    check.same((await done(setup.record(batch.claim, results.slice(0, SAMPLE_WINDOW)))).paused, [])
    await resume(setup)
    check.same((await done(setup.record(batch.claim, results.slice(SAMPLE_WINDOW)))).paused, [])
    check.same(await devicesOf(setup, SAMPLE_WINDOW), [])
  })

  given('G5: answers count together over many batches and notifications', async (check, setup) => {
    const { batch } = await sending(setup, 100)
    await setup.recordAll(batch, answered('delivered'))
    await setup.notification(2)
    await setup.start()
    const second = await setup.claimed()
    const few = second.recipients.slice(0, 26)
    for (const { deviceId } of few.slice(0, 25))
      await done(setup.record(second.claim, [dead(SAMPLE_MOMENT)(deviceId)]))
    check.same(await pauses(setup), [], 'that were 125 answers')
    const rest = second.recipients.slice(25).map(({ deviceId }) => answered('failed')(deviceId))
    await done(setup.record(second.claim, rest, { last: true }))
    await setup.notification(3)
    await setup.start()
    const third = await setup.claimed()
    const { paused } = await setup.recordAll(third, dead(SAMPLE_MOMENT))
    check.same(paused, [OPEN])
  })

  given('G5: the answers of one provider say nothing of another', async (check, setup) => {
    const { batch } = await sending(setup, 400)
    const results = batch.recipients.map(({ deviceId }, n) =>
      n < 50 ? dead(SAMPLE_MOMENT)(deviceId) : answered('delivered', n < 300 ? 'apns' : 'webpush')(deviceId),
    )
    check.same((await done(setup.record(batch.claim, results, { last: true }))).paused, [])
    check.same(await devicesOf(setup, 0), [])
  })

  given(
    'G5: while a provider is paused, on every node, nothing that it calls dead is detached',
    async (check, setup) => {
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
    },
  )

  given('G5: what is held comes when its provider is resumed, as it was', async (check, setup) => {
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

  given('G5: what is held comes at the end of the notification’s life in any case', async (check, setup) => {
    const { id, batch } = await sending(setup, 2)
    await setup.recordAll(batch, deferred('fcm', 'a wrong key'))
    const backlog = await done(setup.deliveries.backlog())
    check.same(backlog.nextRetry, O.none, 'when it will come nobody knows')
    const now = addMillis(SAMPLE_MOMENT, LIFE)
    await setup.recordAll(await setup.claimed({ now }), ended('failed'), now)
    check.same((await setup.progress(id)).tally.failed, 2)
  })

  given(
    'G5: a provider that refuses us is paused for a while, and tried again by itself',
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
      check.same(await resume(setup), O.none, 'by a clock that is set back, its pause is over')
    },
  )

  given('G5: a second refusal makes a pause no longer', async (check, setup) => {
    const { batch } = await sending(setup, 2)
    const [first, second] = batch.recipients.map(({ deviceId }) => deferred('fcm', 'no')(deviceId))
    if (first === undefined || second === undefined) throw new Error('there are two')
    const [before] = (await done(setup.record(batch.claim, [first]))).paused
    const now = sampleMoment(60)
    check.same((await done(setup.record(batch.claim, [second], { now }))).paused, [])
    check.same(await pauses(setup, now), [before])
  })

  given(
    'G5: told to believe it, a provider is not stopped for a while, and then again',
    async (check, setup) => {
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
        'what was believed is not judged later',
      )
      const more = of(SAMPLE_WINDOW + 1, 2 * SAMPLE_WINDOW + 1)
      const { paused } = await done(setup.record(batch.claim, more, { now: then }))
      check.same(paused, [{ ...OPEN, since: then }])
    },
  )

  given(
    'G5: after a pause a few devices are released first, the rest once the provider took a push',
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
      check.same(await release(setup, now, { first: 4 }), 4, 'after an operator has ended it, too')
      const few = await setup.claimed({ now })
      const [one, ...others] = few.recipients.map(({ deviceId }) => deviceId)
      if (one === undefined) throw new Error('there are four')
      const results = [answered('failed')(one), ...others.map(answered('delivered'))]
      await done(setup.record(few.claim, results.slice(0, 1), { now }))
      check.same(await release(setup, now, { first: 0 }), 0, 'one refused device says nothing of others')
      await done(setup.record(few.claim, results.slice(1), { now, last: true }))
      check.same(await untried(), [false, false, false])
      check.same(await release(setup, now, { first: 0 }), 26)
      check.same(await release(setup, now, { first: 0 }), 0)
    },
  )

  given('G5: a process without a provider leaves what waits for it to others', async (check, setup) => {
    const { batch } = await sending(setup, 3)
    await setup.recordAll(batch, deferred('fcm'))
    const now = sampleMoment(1)
    check.same(await release(setup, now, { by: ['apns', 'webpush'] }), 0)
    check.same(await release(setup, now, { by: [] }), 0)
    check.same(await release(setup, now, { by: ['fcm'] }), 3)
  })
}
