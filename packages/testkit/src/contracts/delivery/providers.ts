import { type Origin, PAUSED_BY_OPERATOR, type Recipient, SAMPLE_WINDOW } from '@almoner/domain/delivery'
import { PROVIDERS } from '@almoner/domain/people'
import { addMillis, type Instant } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import type { ContractRunner } from '../runner.ts'
import { done, SAMPLE_MOMENT, sampleMoment } from '../samples.ts'
import {
  answered,
  type DeliveriesUnderTest,
  dead,
  deferred,
  devicesOf,
  ended,
  FCM,
  givenDeliveries,
  LIFE,
  OPEN,
  pauses,
  release,
  resume,
  senderRefused,
  sending,
} from './fixture.ts'
import { refusalsContract } from './leasing.ts'
import { originsContract } from './origins.ts'

/** Contract tests of `Providers`, together with the deliveries that pause them and wait for them (G5). */
export const providersContract = (runner: ContractRunner, make: () => Promise<DeliveriesUnderTest>): void => {
  const given = givenDeliveries(runner, make)
  originsContract(given)
  refusalsContract(given)

  given(
    'G5: if more than a fifth of 200 results are dead, nothing is detached and the provider is paused',
    async (check, setup) => {
      const { id, batch } = await sending(setup, SAMPLE_WINDOW)
      const results = batch.recipients.map(({ deviceId }, n) =>
        n < 41 ? dead(SAMPLE_MOMENT)(deviceId) : answered('delivered')(deviceId),
      )
      const { results: kept, paused } = await done(setup.record(batch.claim, results, { last: true }))
      check.same(paused, [OPEN])
      check.same(kept.filter(({ kind }) => kind === 'held').length, 41)
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

  given('G5, G15: results of one origin do not affect another', async (check, setup) => {
    const { batch } = await sending(setup, 400)
    const others = ['apns', 'apns sandbox', 'webpush https://a.example', 'webpush https://b.example'] as const
    const results = batch.recipients.map(({ deviceId }, n) =>
      n < 50
        ? dead(SAMPLE_MOMENT)(deviceId)
        : answered('delivered', others[n % others.length] as string as Origin)(deviceId),
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
    check.same(results, [{ deviceId: last.deviceId, kind: 'held', origin: FCM, isStrike: false }])
    check.same((await devicesOf(setup, 249)).length, 1)
    const eligibility = await done(
      setup.deliveries.checkEligibility(other.claim, other.recipients, sampleMoment(60)),
    )
    check.same([...eligibility.closed], [[FCM, { kind: 'stopped', probe: O.none }]])
  })

  given('G5: resuming a provider releases its deferred devices unchanged', async (check, setup) => {
    const { id, batch } = await sending(setup, SAMPLE_WINDOW)
    await setup.recordAll(batch, dead(SAMPLE_MOMENT))
    check.same(await release(setup, sampleMoment(1)), 0, 'it is paused')
    check.same(await setup.claim({ now: sampleMoment(LIFE / 1000 - 1) }), O.none)
    check.same(await resume(setup), [OPEN])
    check.same(await resume(setup), [])
    check.same(await pauses(setup), [])
    const now = sampleMoment(2)
    let released = 0
    for (let some = -1; some !== 0; released += some) some = await release(setup, now)
    check.same(released, SAMPLE_WINDOW)
    const again = await setup.claimed({ now })
    const byId = (a: Recipient, b: Recipient) => a.deviceId - b.deviceId
    check.same([...again.recipients].sort(byId), batch.recipients, 'and no device got a second push')
    await setup.recordAll(again, answered('delivered'), now)
    const { tally, finishedAt } = await setup.progress(id)
    check.same([tally.delivered, finishedAt], [SAMPLE_WINDOW, O.some(now)])
    check.same(await setup.claim({ now: sampleMoment(LIFE / 1000 + 1) }), O.none)
  })

  given(
    'G5: deferred devices are released at the end of the notification’s life at the latest',
    async (check, setup) => {
      const { id, batch } = await sending(setup, 2)
      await setup.recordAll(batch, deferred())
      const backlog = await done(setup.deliveries.backlog())
      check.same(backlog.nextRetry, O.none, 'its time is unknown')
      const now = addMillis(SAMPLE_MOMENT, LIFE)
      await setup.recordAll(await setup.claimed({ now }), ended('failed'), now)
      check.same((await setup.progress(id)).tally.failed, 2)
    },
  )

  given('G5: an override prevents pauses until it ends', async (check, setup) => {
    const { batch } = await sending(setup, 3 * SAMPLE_WINDOW - 100)
    const of = (from: number, to: number) =>
      batch.recipients.slice(from, to).map(({ deviceId }) => dead(SAMPLE_MOMENT)(deviceId))
    await resume(setup, { overrideUntil: O.some(sampleMoment(10)) })
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
    'G5, G15: a process releases deferred devices of its own providers, as many as it can take',
    async (check, setup) => {
      const { batch } = await sending(setup, 5)
      await setup.recordAll(batch, deferred())
      const now = sampleMoment(1)
      check.same(await release(setup, now, { by: ['apns', 'webpush'] }), 0)
      check.same(await release(setup, now, { by: [] }), 0)
      check.same(await release(setup, now, { room: () => 0 }), 0)
      check.same(await release(setup, now, { by: ['fcm'], room: (origin) => (origin === FCM ? 3 : 0) }), 3)
      check.same(await release(setup, now), 2)
    },
  )

  given(
    'G15: a pause of a provider holds all its origins, and resuming it ends all their pauses',
    async (check, setup) => {
      const { batch } = await sending(setup, 10)
      const [one, other] = ['https://a.example', 'https://b.example'].map(
        (name) => `webpush ${name}` as string as Origin,
      )
      const results = batch.recipients.map(({ deviceId }, n) =>
        senderRefused(sampleMoment(60), `word ${n % 2}`, n % 2 === 0 ? one : other)(deviceId),
      )
      const { paused } = await done(setup.record(batch.claim, results, { last: true }))
      check.same(
        paused.map(({ origin, kind, reason }) => [origin, kind, reason]),
        [
          [one, 'probed', 'word 0'],
          [other, 'probed', 'word 1'],
        ],
      )
      const [, , webpush] = await done(setup.providers.states(SAMPLE_MOMENT))
      check.same([webpush?.pause, webpush?.origins], [O.none, paused])
      const stop = await done(setup.providers.pause('webpush', SAMPLE_MOMENT))
      check.same([stop.origin, stop.reason], ['webpush', PAUSED_BY_OPERATOR])
      const { closed } = await done(
        setup.deliveries.checkEligibility(batch.claim, batch.recipients, SAMPLE_MOMENT),
      )
      check.ok(closed.has('webpush' as Origin), 'nothing is to be sent')
      check.same(await release(setup, sampleMoment(60)), 0, 'not even a probe')
      check.same(await resume(setup, { provider: 'webpush' }), [stop, ...paused])
      check.same(await pauses(setup), [])
      check.same(await release(setup, sampleMoment(60)), 10)
    },
  )
}
