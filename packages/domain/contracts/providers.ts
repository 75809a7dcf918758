import * as O from 'fp-ts/lib/Option.js'
import {
  type DeliveryResult,
  type DeviceId,
  FAULT_PAUSE,
  type Instant,
  later,
  PROVIDERS,
  type Provider,
  pausesAmong,
  type ReleaseRequest,
  SAMPLE_WINDOW,
  TOO_MANY_DEAD,
} from '../src/index.ts'
import { type DeliveriesUnderTest, dead, ended, givenKit, held, type Kit, LIFE } from './deliveries/kit.ts'
import { collect } from './item-store.ts'
import type { ContractRunner } from './runner.ts'
import { done } from './samples.ts'
import { SAMPLE_MOMENT, sampleEmail, sampleMoment } from './samples-people.ts'

/** Starts a notification to this number of readers, in one batch. */
const sending = async (kit: Kit, readers: number) => {
  await kit.readers(0, readers)
  const id = await kit.notification(1)
  await kit.start()
  return { id, batch: await kit.claimed() }
}
const answered =
  (outcome: 'delivered' | 'failed', provider: Provider = 'fcm') =>
  (deviceId: DeviceId): DeliveryResult => ({ deviceId, kind: 'answered', provider, outcome })
const devicesOf = (kit: Kit, n: number) => collect(kit.devices.ofUser(sampleEmail(n)))
const pauses = async (kit: Kit, now = SAMPLE_MOMENT) => pausesAmong(await done(kit.providers.states(now)))
const OPEN = { provider: 'fcm', reason: TOO_MANY_DEAD, since: SAMPLE_MOMENT, until: O.none }
const resume = (kit: Kit, overrideUntil: O.Option<typeof SAMPLE_MOMENT> = O.none) =>
  done(kit.providers.resume('fcm', { now: SAMPLE_MOMENT, overrideUntil }))
/** Releases what one call takes, for a process that has these providers. */
const release = (kit: Kit, now: Instant, over: Partial<ReleaseRequest> = {}) =>
  done(kit.deliveries.release({ now, by: PROVIDERS, first: 1000, ...over }))

/** What every `Providers` must do, with the deliveries that they are paused by and that wait for them (G5). */
export const providersContract = (runner: ContractRunner, make: () => Promise<DeliveriesUnderTest>): void => {
  const given = givenKit(runner, make)

  given(
    'G5: more than a fifth of 200 answers dead: nothing is detached, and the provider is paused',
    async (check, kit) => {
      const { id, batch } = await sending(kit, SAMPLE_WINDOW)
      const results = batch.recipients.map(({ deviceId }, n) =>
        n < 41 ? dead(SAMPLE_MOMENT)(deviceId) : answered('delivered')(deviceId),
      )
      const { results: kept, paused } = await done(kit.record(batch.claim, results, { last: true }))
      check.same(paused, [OPEN])
      check.same(kept.filter(({ kind }) => kind === 'held').length, 41)
      check.same(await pauses(kit), [OPEN])
      const states = await done(kit.providers.states(SAMPLE_MOMENT))
      check.same(
        states.map(({ provider }) => provider),
        [...PROVIDERS],
      )
      check.same((await devicesOf(kit, 0)).length, 1, 'a wrong key must not wipe the devices')
      const { tally, finishedAt } = await kit.progress(id)
      check.same([tally.delivered, tally.dead, finishedAt], [159, 0, O.none], 'its devices stay pending')
    },
  )

  given('G5: a fifth of 200 answers, or all of 199, are believed', async (check, kit) => {
    const { batch } = await sending(kit, SAMPLE_WINDOW + 199)
    const result = (n: number) =>
      n % 5 === 0 || n >= SAMPLE_WINDOW ? dead(SAMPLE_MOMENT) : answered('failed')
    const results = batch.recipients.map(({ deviceId }, n) => result(n)(deviceId))
    check.same((await done(kit.record(batch.claim, results.slice(0, SAMPLE_WINDOW)))).paused, [])
    await resume(kit)
    check.same((await done(kit.record(batch.claim, results.slice(SAMPLE_WINDOW)))).paused, [])
    check.same(await devicesOf(kit, SAMPLE_WINDOW), [])
  })

  given('G5: answers count together over many batches and notifications', async (check, kit) => {
    const { batch } = await sending(kit, 100)
    await kit.recordAll(batch, answered('delivered'))
    await kit.notification(2)
    await kit.start()
    const second = await kit.claimed()
    const few = second.recipients.slice(0, 26)
    for (const { deviceId } of few.slice(0, 25))
      await done(kit.record(second.claim, [dead(SAMPLE_MOMENT)(deviceId)]))
    check.same(await pauses(kit), [], 'that were 125 answers')
    const rest = second.recipients.slice(25).map(({ deviceId }) => answered('failed')(deviceId))
    await done(kit.record(second.claim, rest, { last: true }))
    await kit.notification(3)
    await kit.start()
    const third = await kit.claimed()
    const { paused } = await kit.recordAll(third, dead(SAMPLE_MOMENT))
    check.same(paused, [OPEN])
  })

  given('G5: the answers of one provider say nothing of another', async (check, kit) => {
    const { batch } = await sending(kit, 400)
    const results = batch.recipients.map(({ deviceId }, n) =>
      n < 50 ? dead(SAMPLE_MOMENT)(deviceId) : answered('delivered', n < 300 ? 'apns' : 'webpush')(deviceId),
    )
    check.same((await done(kit.record(batch.claim, results, { last: true }))).paused, [])
    check.same(await devicesOf(kit, 0), [])
  })

  given(
    'G5: while a provider is paused, on every node, nothing that it calls dead is detached',
    async (check, kit) => {
      const { batch } = await sending(kit, 250)
      await kit.recordAll({ ...batch, recipients: batch.recipients.slice(0, 249) }, dead(SAMPLE_MOMENT))
      const [last] = batch.recipients.slice(249)
      if (last === undefined) throw new Error('there are 250')
      const other = await kit.claimed({ now: sampleMoment(60), most: 1 })
      const { results } = await kit.recordAll(other, dead(SAMPLE_MOMENT), sampleMoment(60))
      check.same(results, [held()(last.deviceId)])
      check.same((await devicesOf(kit, 249)).length, 1)
      const eligibility = await done(
        kit.deliveries.checkEligibility(other.claim, other.recipients, sampleMoment(60)),
      )
      check.same([...eligibility.paused], ['fcm'])
    },
  )

  given('G5: what is held comes when its provider is resumed, as it was', async (check, kit) => {
    const { id, batch } = await sending(kit, SAMPLE_WINDOW)
    await kit.recordAll(batch, dead(SAMPLE_MOMENT))
    check.same(await release(kit, sampleMoment(1)), 0, 'it is paused')
    check.same(await kit.claim({ now: sampleMoment(LIFE / 1000 - 1) }), O.none)
    check.same(await resume(kit), O.some(OPEN))
    check.same(await resume(kit), O.none)
    check.same(await pauses(kit), [])
    const now = sampleMoment(2)
    let released = 0
    for (let some = -1; some !== 0; released += some) some = await release(kit, now)
    check.same(released, SAMPLE_WINDOW)
    const again = await kit.claimed({ now })
    check.same(again.recipients, batch.recipients, 'and no device got a second push')
    await kit.recordAll(again, answered('delivered'), now)
    const { tally, finishedAt } = await kit.progress(id)
    check.same([tally.delivered, finishedAt], [SAMPLE_WINDOW, O.some(now)])
    check.same(await kit.claim({ now: sampleMoment(LIFE / 1000 + 1) }), O.none)
  })

  given('G5: what is held comes at the end of the notification’s life in any case', async (check, kit) => {
    const { id, batch } = await sending(kit, 2)
    await kit.recordAll(batch, held('fcm', 'a wrong key'))
    const backlog = await done(kit.deliveries.backlog())
    check.same(backlog.nextRetry, O.none, 'when it will come nobody knows')
    const now = later(SAMPLE_MOMENT, LIFE)
    await kit.recordAll(await kit.claimed({ now }), ended('failed'), now)
    check.same((await kit.progress(id)).tally.failed, 2)
  })

  given(
    'G5: a provider that refuses us is paused for a while, and tried again by itself',
    async (check, kit) => {
      const { batch } = await sending(kit, 2)
      const { paused } = await kit.recordAll(batch, held('fcm', 'a wrong key'))
      const until = later(SAMPLE_MOMENT, FAULT_PAUSE)
      const pause = { provider: 'fcm', reason: 'a wrong key', since: SAMPLE_MOMENT, until: O.some(until) }
      check.same(paused, [pause])
      check.same(await pauses(kit, later(until, -1)), [pause])
      check.same(await release(kit, later(until, -1)), 0)
      check.same(await pauses(kit, until), [])
      check.same(await release(kit, until), 2)
      const again = await kit.claimed({ now: until })
      const later1 = await kit.recordAll(again, held('fcm', 'a wrong key'), until)
      check.same(later1.paused, [{ ...pause, since: until, until: O.some(later(until, FAULT_PAUSE)) }])
      check.same(await resume(kit), O.none, 'by a clock that is set back, its pause is over')
    },
  )

  given('G5: a second refusal makes a pause no longer', async (check, kit) => {
    const { batch } = await sending(kit, 2)
    const [first, second] = batch.recipients.map(({ deviceId }) => held('fcm', 'no')(deviceId))
    if (first === undefined || second === undefined) throw new Error('there are two')
    const [before] = (await done(kit.record(batch.claim, [first]))).paused
    const now = sampleMoment(60)
    check.same((await done(kit.record(batch.claim, [second], { now }))).paused, [])
    check.same(await pauses(kit, now), [before])
  })

  given(
    'G5: told to believe it, a provider is not stopped for a while, and then again',
    async (check, kit) => {
      const { batch } = await sending(kit, 3 * SAMPLE_WINDOW - 100)
      const of = (from: number, to: number) =>
        batch.recipients.slice(from, to).map(({ deviceId }) => dead(SAMPLE_MOMENT)(deviceId))
      await resume(kit, O.some(sampleMoment(10)))
      const believed = async (now: Instant) =>
        (await done(kit.providers.states(now))).map((one) => one.overrideUntil)
      check.same(await believed(SAMPLE_MOMENT), [O.some(sampleMoment(10)), O.none, O.none])
      check.same(await believed(sampleMoment(10)), [O.none, O.none, O.none])
      const [now, then] = [sampleMoment(9.999), sampleMoment(10)]
      check.same((await done(kit.record(batch.claim, of(0, SAMPLE_WINDOW), { now }))).paused, [])
      check.same(await devicesOf(kit, 0), [])
      const [healthy] = batch.recipients
        .slice(SAMPLE_WINDOW)
        .map(({ deviceId }) => answered('delivered')(deviceId))
      if (healthy === undefined) throw new Error('there are more')
      check.same(
        (await done(kit.record(batch.claim, [healthy], { now: then }))).paused,
        [],
        'what was believed is not judged later',
      )
      const more = of(SAMPLE_WINDOW + 1, 2 * SAMPLE_WINDOW + 1)
      const { paused } = await done(kit.record(batch.claim, more, { now: then }))
      check.same(paused, [{ ...OPEN, since: then }])
    },
  )

  given(
    'G5: after a pause a few devices are released first, the rest once the provider took a push',
    async (check, kit) => {
      const { batch } = await sending(kit, 30)
      await kit.recordAll(batch, held('fcm', 'a wrong key'))
      for (const now of [later(SAMPLE_MOMENT, FAULT_PAUSE), later(SAMPLE_MOMENT, FAULT_PAUSE * 3)]) {
        check.same(await release(kit, now, { first: 0 }), 0, 'a review that waits for the first few')
        check.same(await release(kit, now, { first: 4 }), 4)
        const few = await kit.claimed({ now })
        check.same(few.recipients.length, 4)
        await kit.recordAll(few, held('fcm', 'a wrong key'), now)
      }
      await resume(kit)
      const now = later(SAMPLE_MOMENT, FAULT_PAUSE * 6)
      const untried = async () => (await done(kit.providers.states(now))).map((state) => state.untried)
      check.same(await untried(), [true, false, false])
      check.same(await release(kit, now, { first: 4 }), 4, 'after an operator has ended it, too')
      const few = await kit.claimed({ now })
      const [one, ...others] = few.recipients.map(({ deviceId }) => deviceId)
      if (one === undefined) throw new Error('there are four')
      const results = [answered('failed')(one), ...others.map(answered('delivered'))]
      await done(kit.record(few.claim, results.slice(0, 1), { now }))
      check.same(await release(kit, now, { first: 0 }), 0, 'one refused device says nothing of others')
      await done(kit.record(few.claim, results.slice(1), { now, last: true }))
      check.same(await untried(), [false, false, false])
      check.same(await release(kit, now, { first: 0 }), 26)
      check.same(await release(kit, now, { first: 0 }), 0)
    },
  )

  given('G5: a process without a provider leaves what waits for it to others', async (check, kit) => {
    const { batch } = await sending(kit, 3)
    await kit.recordAll(batch, held('fcm'))
    const now = sampleMoment(1)
    check.same(await release(kit, now, { by: ['apns', 'webpush'] }), 0)
    check.same(await release(kit, now, { by: [] }), 0)
    check.same(await release(kit, now, { by: ['fcm'] }), 3)
  })
}
