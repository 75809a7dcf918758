import * as O from 'fp-ts/lib/Option.js'
import {
  addMillis,
  type DeliveryResult,
  type DeviceId,
  FAULT_PAUSE,
  type Instant,
  PROVIDERS,
  type Provider,
  pausesAmong,
  type ReleaseRequest,
  SAMPLE_WINDOW,
  TOO_MANY_DEAD,
} from '../src/index.ts'
import {
  type DeliveriesFixture,
  type DeliveriesUnderTest,
  dead,
  deferred,
  ended,
  givenDeliveries,
  LIFE,
} from './deliveries/fixture.ts'
import { collect } from './item-store.ts'
import type { ContractRunner } from './runner.ts'
import { done } from './samples.ts'
import { SAMPLE_MOMENT, sampleEmail, sampleMoment } from './samples-people.ts'

/** Starts a notification to this number of readers, in one batch. */
const sending = async (fixture: DeliveriesFixture, readers: number) => {
  await fixture.readers(0, readers)
  const id = await fixture.notification(1)
  await fixture.start()
  return { id, batch: await fixture.claimed() }
}
const answered =
  (outcome: 'delivered' | 'failed', provider: Provider = 'fcm') =>
  (deviceId: DeviceId): DeliveryResult => ({ deviceId, kind: 'responded', provider, outcome })
const devicesOf = (fixture: DeliveriesFixture, n: number) => collect(fixture.devices.ofUser(sampleEmail(n)))
const pauses = async (fixture: DeliveriesFixture, now = SAMPLE_MOMENT) =>
  pausesAmong(await done(fixture.providers.states(now)))
const OPEN = { provider: 'fcm', reason: TOO_MANY_DEAD, since: SAMPLE_MOMENT, until: O.none }
const resume = (fixture: DeliveriesFixture, overrideUntil: O.Option<typeof SAMPLE_MOMENT> = O.none) =>
  done(fixture.providers.resume('fcm', { now: SAMPLE_MOMENT, overrideUntil }))
/** Releases what one call takes, for a process that has these providers. */
const release = (fixture: DeliveriesFixture, now: Instant, over: Partial<ReleaseRequest> = {}) =>
  done(fixture.deliveries.releaseDeferred({ now, by: PROVIDERS, first: 1000, ...over }))

/** What every `Providers` must do, with the deliveries that they are paused by and that wait for them (G5). */
export const providersContract = (runner: ContractRunner, make: () => Promise<DeliveriesUnderTest>): void => {
  const given = givenDeliveries(runner, make)

  given(
    'G5: more than a fifth of 200 answers dead: nothing is detached, and the provider is paused',
    async (check, fixture) => {
      const { id, batch } = await sending(fixture, SAMPLE_WINDOW)
      const results = batch.recipients.map(({ deviceId }, n) =>
        n < 41 ? dead(SAMPLE_MOMENT)(deviceId) : answered('delivered')(deviceId),
      )
      const { results: kept, paused } = await done(fixture.record(batch.claim, results, { last: true }))
      check.same(paused, [OPEN])
      check.same(kept.filter(({ kind }) => kind === 'deferred').length, 41)
      check.same(await pauses(fixture), [OPEN])
      const states = await done(fixture.providers.states(SAMPLE_MOMENT))
      check.same(
        states.map(({ provider }) => provider),
        [...PROVIDERS],
      )
      check.same((await devicesOf(fixture, 0)).length, 1, 'a wrong key must not wipe the devices')
      const { tally, finishedAt } = await fixture.progress(id)
      check.same([tally.delivered, tally.dead, finishedAt], [159, 0, O.none], 'its devices stay pending')
    },
  )

  given('G5: a fifth of 200 answers, or all of 199, are believed', async (check, fixture) => {
    const { batch } = await sending(fixture, SAMPLE_WINDOW + 199)
    const result = (n: number) =>
      n % 5 === 0 || n >= SAMPLE_WINDOW ? dead(SAMPLE_MOMENT) : answered('failed')
    const results = batch.recipients.map(({ deviceId }, n) => result(n)(deviceId))
    check.same((await done(fixture.record(batch.claim, results.slice(0, SAMPLE_WINDOW)))).paused, [])
    await resume(fixture)
    check.same((await done(fixture.record(batch.claim, results.slice(SAMPLE_WINDOW)))).paused, [])
    check.same(await devicesOf(fixture, SAMPLE_WINDOW), [])
  })

  given('G5: answers count together over many batches and notifications', async (check, fixture) => {
    const { batch } = await sending(fixture, 100)
    await fixture.recordAll(batch, answered('delivered'))
    await fixture.notification(2)
    await fixture.start()
    const second = await fixture.claimed()
    const few = second.recipients.slice(0, 26)
    for (const { deviceId } of few.slice(0, 25))
      await done(fixture.record(second.claim, [dead(SAMPLE_MOMENT)(deviceId)]))
    check.same(await pauses(fixture), [], 'that were 125 answers')
    const rest = second.recipients.slice(25).map(({ deviceId }) => answered('failed')(deviceId))
    await done(fixture.record(second.claim, rest, { last: true }))
    await fixture.notification(3)
    await fixture.start()
    const third = await fixture.claimed()
    const { paused } = await fixture.recordAll(third, dead(SAMPLE_MOMENT))
    check.same(paused, [OPEN])
  })

  given('G5: the answers of one provider say nothing of another', async (check, fixture) => {
    const { batch } = await sending(fixture, 400)
    const results = batch.recipients.map(({ deviceId }, n) =>
      n < 50 ? dead(SAMPLE_MOMENT)(deviceId) : answered('delivered', n < 300 ? 'apns' : 'webpush')(deviceId),
    )
    check.same((await done(fixture.record(batch.claim, results, { last: true }))).paused, [])
    check.same(await devicesOf(fixture, 0), [])
  })

  given(
    'G5: while a provider is paused, on every node, nothing that it calls dead is detached',
    async (check, fixture) => {
      const { batch } = await sending(fixture, 250)
      await fixture.recordAll({ ...batch, recipients: batch.recipients.slice(0, 249) }, dead(SAMPLE_MOMENT))
      const [last] = batch.recipients.slice(249)
      if (last === undefined) throw new Error('there are 250')
      const other = await fixture.claimed({ now: sampleMoment(60), most: 1 })
      const { results } = await fixture.recordAll(other, dead(SAMPLE_MOMENT), sampleMoment(60))
      check.same(results, [deferred()(last.deviceId)])
      check.same((await devicesOf(fixture, 249)).length, 1)
      const eligibility = await done(
        fixture.deliveries.checkEligibility(other.claim, other.recipients, sampleMoment(60)),
      )
      check.same([...eligibility.paused], ['fcm'])
    },
  )

  given('G5: what is held comes when its provider is resumed, as it was', async (check, fixture) => {
    const { id, batch } = await sending(fixture, SAMPLE_WINDOW)
    await fixture.recordAll(batch, dead(SAMPLE_MOMENT))
    check.same(await release(fixture, sampleMoment(1)), 0, 'it is paused')
    check.same(await fixture.claim({ now: sampleMoment(LIFE / 1000 - 1) }), O.none)
    check.same(await resume(fixture), O.some(OPEN))
    check.same(await resume(fixture), O.none)
    check.same(await pauses(fixture), [])
    const now = sampleMoment(2)
    let released = 0
    for (let some = -1; some !== 0; released += some) some = await release(fixture, now)
    check.same(released, SAMPLE_WINDOW)
    const again = await fixture.claimed({ now })
    check.same(again.recipients, batch.recipients, 'and no device got a second push')
    await fixture.recordAll(again, answered('delivered'), now)
    const { tally, finishedAt } = await fixture.progress(id)
    check.same([tally.delivered, finishedAt], [SAMPLE_WINDOW, O.some(now)])
    check.same(await fixture.claim({ now: sampleMoment(LIFE / 1000 + 1) }), O.none)
  })

  given(
    'G5: what is held comes at the end of the notification’s life in any case',
    async (check, fixture) => {
      const { id, batch } = await sending(fixture, 2)
      await fixture.recordAll(batch, deferred('fcm', 'a wrong key'))
      const backlog = await done(fixture.deliveries.backlog())
      check.same(backlog.nextRetry, O.none, 'when it will come nobody knows')
      const now = addMillis(SAMPLE_MOMENT, LIFE)
      await fixture.recordAll(await fixture.claimed({ now }), ended('failed'), now)
      check.same((await fixture.progress(id)).tally.failed, 2)
    },
  )

  given(
    'G5: a provider that refuses us is paused for a while, and tried again by itself',
    async (check, fixture) => {
      const { batch } = await sending(fixture, 2)
      const { paused } = await fixture.recordAll(batch, deferred('fcm', 'a wrong key'))
      const until = addMillis(SAMPLE_MOMENT, FAULT_PAUSE)
      const pause = { provider: 'fcm', reason: 'a wrong key', since: SAMPLE_MOMENT, until: O.some(until) }
      check.same(paused, [pause])
      check.same(await pauses(fixture, addMillis(until, -1)), [pause])
      check.same(await release(fixture, addMillis(until, -1)), 0)
      check.same(await pauses(fixture, until), [])
      check.same(await release(fixture, until), 2)
      const again = await fixture.claimed({ now: until })
      const later1 = await fixture.recordAll(again, deferred('fcm', 'a wrong key'), until)
      check.same(later1.paused, [{ ...pause, since: until, until: O.some(addMillis(until, FAULT_PAUSE)) }])
      check.same(await resume(fixture), O.none, 'by a clock that is set back, its pause is over')
    },
  )

  given('G5: a second refusal makes a pause no longer', async (check, fixture) => {
    const { batch } = await sending(fixture, 2)
    const [first, second] = batch.recipients.map(({ deviceId }) => deferred('fcm', 'no')(deviceId))
    if (first === undefined || second === undefined) throw new Error('there are two')
    const [before] = (await done(fixture.record(batch.claim, [first]))).paused
    const now = sampleMoment(60)
    check.same((await done(fixture.record(batch.claim, [second], { now }))).paused, [])
    check.same(await pauses(fixture, now), [before])
  })

  given(
    'G5: told to believe it, a provider is not stopped for a while, and then again',
    async (check, fixture) => {
      const { batch } = await sending(fixture, 3 * SAMPLE_WINDOW - 100)
      const of = (from: number, to: number) =>
        batch.recipients.slice(from, to).map(({ deviceId }) => dead(SAMPLE_MOMENT)(deviceId))
      await resume(fixture, O.some(sampleMoment(10)))
      const believed = async (now: Instant) =>
        (await done(fixture.providers.states(now))).map((one) => one.overrideUntil)
      check.same(await believed(SAMPLE_MOMENT), [O.some(sampleMoment(10)), O.none, O.none])
      check.same(await believed(sampleMoment(10)), [O.none, O.none, O.none])
      const [now, then] = [sampleMoment(9.999), sampleMoment(10)]
      check.same((await done(fixture.record(batch.claim, of(0, SAMPLE_WINDOW), { now }))).paused, [])
      check.same(await devicesOf(fixture, 0), [])
      const [healthy] = batch.recipients
        .slice(SAMPLE_WINDOW)
        .map(({ deviceId }) => answered('delivered')(deviceId))
      if (healthy === undefined) throw new Error('there are more')
      check.same(
        (await done(fixture.record(batch.claim, [healthy], { now: then }))).paused,
        [],
        'what was believed is not judged later',
      )
      const more = of(SAMPLE_WINDOW + 1, 2 * SAMPLE_WINDOW + 1)
      const { paused } = await done(fixture.record(batch.claim, more, { now: then }))
      check.same(paused, [{ ...OPEN, since: then }])
    },
  )

  given(
    'G5: after a pause a few devices are released first, the rest once the provider took a push',
    async (check, fixture) => {
      const { batch } = await sending(fixture, 30)
      await fixture.recordAll(batch, deferred('fcm', 'a wrong key'))
      for (const now of [addMillis(SAMPLE_MOMENT, FAULT_PAUSE), addMillis(SAMPLE_MOMENT, FAULT_PAUSE * 3)]) {
        check.same(await release(fixture, now, { first: 0 }), 0, 'a review that waits for the first few')
        check.same(await release(fixture, now, { first: 4 }), 4)
        const few = await fixture.claimed({ now })
        check.same(few.recipients.length, 4)
        await fixture.recordAll(few, deferred('fcm', 'a wrong key'), now)
      }
      await resume(fixture)
      const now = addMillis(SAMPLE_MOMENT, FAULT_PAUSE * 6)
      const untried = async () => (await done(fixture.providers.states(now))).map((state) => state.untried)
      check.same(await untried(), [true, false, false])
      check.same(await release(fixture, now, { first: 4 }), 4, 'after an operator has ended it, too')
      const few = await fixture.claimed({ now })
      const [one, ...others] = few.recipients.map(({ deviceId }) => deviceId)
      if (one === undefined) throw new Error('there are four')
      const results = [answered('failed')(one), ...others.map(answered('delivered'))]
      await done(fixture.record(few.claim, results.slice(0, 1), { now }))
      check.same(await release(fixture, now, { first: 0 }), 0, 'one refused device says nothing of others')
      await done(fixture.record(few.claim, results.slice(1), { now, last: true }))
      check.same(await untried(), [false, false, false])
      check.same(await release(fixture, now, { first: 0 }), 26)
      check.same(await release(fixture, now, { first: 0 }), 0)
    },
  )

  given('G5: a process without a provider leaves what waits for it to others', async (check, fixture) => {
    const { batch } = await sending(fixture, 3)
    await fixture.recordAll(batch, deferred('fcm'))
    const now = sampleMoment(1)
    check.same(await release(fixture, now, { by: ['apns', 'webpush'] }), 0)
    check.same(await release(fixture, now, { by: [] }), 0)
    check.same(await release(fixture, now, { by: ['fcm'] }), 3)
  })
}
