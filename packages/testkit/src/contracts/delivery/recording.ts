import { type DeliveryResult, LEASE } from '@almoner/domain/delivery'
import { OUTCOMES, type Outcome } from '@almoner/domain/notifications'
import { collect } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { done, failure, SAMPLE_MOMENT, sampleDevice, sampleEmail, sampleMoment } from '../samples.ts'
import { again, type DeliveriesFixture, dead, emails, emailsOf, ended, type Given } from './fixture.ts'

/** A batch of readers 0 to n, with the identifier of its notification. */
const sending = async (setup: DeliveriesFixture, readers: number) => {
  await setup.readers(0, readers)
  const id = await setup.notification(1)
  await setup.start()
  return { id, batch: await setup.claimed() }
}

const devicesOf = (setup: DeliveriesFixture, n: number) => collect(setup.devices.ofUser(sampleEmail(n)))

/** Recording outcomes, finishing notifications, retries and dead devices. */
export const recording = (given: Given): void => {
  given('G5, G7: each outcome is counted, and the sum is all recipients', async (check, setup) => {
    const { id, batch } = await sending(setup, 10)
    const ways: ReadonlyArray<Outcome> = [
      ...Array<Outcome>(4).fill('delivered'),
      ...Array<Outcome>(3).fill('failed'),
      'dead',
      ...Array<Outcome>(2).fill('skipped'),
    ]
    const results = batch.recipients.map(({ deviceId }, n): DeliveryResult => {
      const outcome = ways[n] ?? 'failed'
      return outcome === 'dead' ? dead(SAMPLE_MOMENT)(deviceId) : ended(outcome)(deviceId)
    })
    await done(setup.record(batch.claim, results.slice(0, 5), { now: sampleMoment(1) }))
    const half = await setup.progress(id)
    check.same(half.tally, { delivered: 4, failed: 1, dead: 0, skipped: 0 })
    check.same(half.finishedAt, O.none)
    await done(setup.record(batch.claim, results.slice(5), { now: sampleMoment(2), last: true }))
    const { tally, recipients, startedAt, finishedAt } = await setup.progress(id)
    check.same(tally, { delivered: 4, failed: 3, dead: 1, skipped: 2 })
    check.same(
      OUTCOMES.reduce((sum, outcome) => sum + tally[outcome], 0),
      recipients,
    )
    check.same([startedAt, finishedAt], [SAMPLE_MOMENT, O.some(sampleMoment(2))])
    check.same(await setup.claim({ now: sampleMoment(LEASE) }), O.none, 'nothing is left')
  })

  given('G5: a recipient with an outcome keeps it, and is counted once', async (check, setup) => {
    const { id, batch } = await sending(setup, 3)
    const ids = batch.recipients.map(({ deviceId }) => deviceId)
    await done(setup.record(batch.claim, ids.slice(0, 2).map(ended('delivered'))))
    await done(setup.record(batch.claim, ids.map(ended('failed'))))
    await done(setup.record(batch.claim, ids.map(dead(SAMPLE_MOMENT))))
    await done(setup.record(batch.claim, ids.map(again(sampleMoment(1)))))
    check.same((await setup.progress(id)).tally, { delivered: 2, failed: 1, dead: 0, skipped: 0 })
    check.same(await setup.claim({ now: sampleMoment(3600) }), O.none)
  })

  given('G5: results can be recorded again if the response was lost', async (check, setup) => {
    const { id, batch } = await sending(setup, 3)
    const [first, ...others] = batch.recipients.map(({ deviceId }) => ended('delivered')(deviceId))
    const results = first === undefined ? [] : [again(sampleMoment(60))(first.deviceId), ...others]
    for (let time = 0; time < 3; time += 1)
      await done(setup.record(batch.claim, results, { now: sampleMoment(time), last: true }))
    check.same((await setup.progress(id)).tally.delivered, 2)
    const retry = await setup.claimed({ now: sampleMoment(60) })
    check.same(
      retry.recipients.map(({ attempts }) => attempts),
      [1],
    )
    for (let time = 0; time < 3; time += 1)
      await setup.recordAll(retry, ended('failed'), sampleMoment(100 + time))
    const { tally, finishedAt } = await setup.progress(id)
    check.same([tally.delivered, tally.failed], [2, 1])
    check.same(finishedAt, O.some(sampleMoment(100)), 'the outcome is recorded once')
  })

  given('G7: a notification is finished when all its batches are finished', async (check, setup) => {
    await setup.readers(0, 4)
    const id = await setup.notification(1)
    await setup.start()
    const batches = [await setup.claimed({ most: 2 }), await setup.claimed({ most: 2 })]
    for (const [n, batch] of batches.entries()) {
      check.same((await setup.progress(id)).finishedAt, O.none)
      await setup.recordAll(batch, ended('delivered'), sampleMoment(n))
    }
    check.same((await setup.progress(id)).finishedAt, O.some(sampleMoment(1)))
  })

  given('G5: a dead device is detached', async (check, setup) => {
    const { id, batch } = await sending(setup, 2)
    await setup.recordAll(batch, dead(SAMPLE_MOMENT))
    check.same([await devicesOf(setup, 0), await devicesOf(setup, 1)], [[], []])
    check.same(await failure(setup.devices.detach(sampleEmail(0), sampleDevice(0))), 'DeviceNotFound')
    check.same((await setup.progress(id)).tally.dead, 2)
    check.ok(O.isSome(await done(setup.users.find(sampleEmail(0)))), 'its user stays')
    const next = await setup.notification(2)
    await setup.start()
    check.same((await setup.progress(next)).recipients, 0)
  })

  given('G5: a device that was moved or attached again since is not detached', async (check, setup) => {
    const { id, batch } = await sending(setup, 5)
    const moved = sampleDevice(0, { email: sampleEmail(9) })
    const renewed = sampleDevice(1, { attachedAt: sampleMoment(1) })
    const setBack = sampleDevice(2, { attachedAt: sampleMoment(-86_400) })
    const reattached = sampleDevice(3, { attachedAt: sampleMoment(1) })
    await done(setup.devices.detach(sampleEmail(3), sampleDevice(3)))
    for (const device of [moved, renewed, setBack, reattached]) await done(setup.devices.attach(device))
    await setup.recordAll(batch, dead(SAMPLE_MOMENT))
    check.same(await devicesOf(setup, 9), [moved])
    check.same(await devicesOf(setup, 1), [renewed])
    check.same(await devicesOf(setup, 2), [setBack], 'also with a clock that was set back')
    check.same(await devicesOf(setup, 3), [reattached])
    check.same(await devicesOf(setup, 4), [])
    check.same((await setup.progress(id)).tally.dead, 5, 'the outcome is recorded all the same')
  })

  given('G5: a retry is claimed when due, not earlier; attempts are counted', async (check, setup) => {
    const { id, batch } = await sending(setup, 1)
    await setup.recordAll(batch, again(sampleMoment(60)))
    check.same((await setup.progress(id)).finishedAt, O.none)
    check.same(await setup.claim({ now: sampleMoment(59.999) }), O.none)
    const second = await setup.claimed({ now: sampleMoment(60) })
    check.same(emailsOf(second), emails(0, 1))
    check.same(second.recipients[0]?.attempts, 1)
    await setup.recordAll(second, again(sampleMoment(90)), sampleMoment(60))
    check.same(await setup.claim({ now: sampleMoment(89) }), O.none)
    const third = await setup.claimed({ now: sampleMoment(90) })
    check.same(third.recipients[0]?.attempts, 2)
    await setup.recordAll(third, ended('delivered'), sampleMoment(91))
    const { tally, finishedAt } = await setup.progress(id)
    check.same([tally.delivered, finishedAt], [1, O.some(sampleMoment(91))])
  })

  given(
    'G5: retries are claimed in the order of their time, so that released devices stay mixed',
    async (check, setup) => {
      const { batch } = await sending(setup, 4)
      const seconds = [40, 10, 30, 20]
      const results = batch.recipients.map(({ deviceId }, n) =>
        again(sampleMoment(seconds[n] ?? 0))(deviceId),
      )
      await done(setup.record(batch.claim, results, { last: true }))
      const now = sampleMoment(100)
      check.same(emailsOf(await setup.claimed({ now, most: 1 })), emails(1, 2))
      check.same(emailsOf(await setup.claimed({ now, most: 2 })), [3, 2].map(sampleEmail))
      check.same(emailsOf(await setup.claimed({ now, most: 2 })), emails(0, 1))
    },
  )

  given('G5: a recipient that waits for a retry is not claimed with its batch', async (check, setup) => {
    const { batch } = await sending(setup, 3)
    const [first, second] = batch.recipients.map(({ deviceId }) => deviceId)
    if (first === undefined || second === undefined) throw new Error('there are three')
    await done(setup.record(batch.claim, [again(sampleMoment(600))(first), ended('failed')(second)]))
    const now = sampleMoment(LEASE / 1000)
    const taken = await setup.claimed({ now })
    check.same(emailsOf(taken), emails(2, 3))
    await setup.recordAll(taken, ended('delivered'), now)
    check.same(await setup.claim({ now }), O.none)
    check.same(emailsOf(await setup.claimed({ now: sampleMoment(600) })), emails(0, 1))
  })

  given(
    'G15: claims prefer released batches, then retries or new recipients as they ask',
    async (check, setup) => {
      await setup.readers(0, 3)
      await setup.notification(1)
      await setup.start()
      const first = await setup.claimed({ most: 1 })
      await setup.recordAll(first, again(sampleMoment(1)))
      const second = await setup.claimed({ most: 1 })
      await done(setup.deliveries.releaseClaim(second.claim))
      const now = sampleMoment(10)
      const order = [
        await setup.claimed({ now, most: 1, first: 'new recipients' }),
        await setup.claimed({ now, most: 1, first: 'new recipients' }),
        await setup.claimed({ now, most: 1, first: 'new recipients' }),
      ]
      check.same(order.flatMap(emailsOf), [1, 2, 0].map(sampleEmail))
      await setup.readers(3, 5)
      await setup.notification(2)
      await setup.start(now)
      const third = await setup.claimed({ now, most: 1 })
      await setup.recordAll(third, again(now), now)
      check.same(emailsOf(await setup.claimed({ now, most: 1, first: 'retries' })), emailsOf(third))
    },
  )

  given('G10: setting a batch aside fails it, and finishes the notification', async (check, setup) => {
    const { id, batch } = await sending(setup, 5)
    const [first, second] = batch.recipients.map(({ deviceId }) => deviceId)
    if (first === undefined || second === undefined) throw new Error('there are five')
    await done(setup.record(batch.claim, [ended('delivered')(first), again(sampleMoment(60))(second)]))
    const now = sampleMoment(1)
    check.same(await done(setup.deliveries.setAside(batch.claim, now)), 3)
    check.same(await done(setup.deliveries.setAside(batch.claim, now)), 0, 'it counts once')
    const { tally, finishedAt } = await setup.progress(id)
    check.same([tally, finishedAt], [{ delivered: 1, failed: 3, dead: 0, skipped: 0 }, O.none])
    check.same(await setup.claim({ now: sampleMoment(LEASE / 1000 + 1) }), O.none)
    const retry = await setup.claimed({ now: sampleMoment(60) })
    check.same(retry.recipients.length, 1, 'a recipient that waits for a retry is not set aside')
    check.same(await done(setup.deliveries.setAside(retry.claim, sampleMoment(61))), 1)
    const over = await setup.progress(id)
    check.same([over.tally.failed, over.finishedAt], [4, O.some(sampleMoment(61))])
    check.same(await setup.claim({ now: sampleMoment(3600) }), O.none)
    check.same(await done(setup.deliveries.backlog()), { sending: 0, claimed: 0, nextRetry: O.none })
  })

  given('G10: a batch that another process has claimed cannot be set aside', async (check, setup) => {
    const { id, batch } = await sending(setup, 2)
    const now = sampleMoment(LEASE / 1000)
    const later = await setup.claimed({ now })
    check.same(await failure(setup.deliveries.setAside(batch.claim, now)), 'ClaimLost')
    await setup.recordAll(later, ended('delivered'), now)
    check.same((await setup.progress(id)).tally.delivered, 2)
    await done(setup.notifications.remove(id))
    check.same(await failure(setup.deliveries.setAside(later.claim, now)), 'ClaimLost')
  })

  given('the backlog has the counts of deliveries and claims, and the next retry', async (check, setup) => {
    const backlog = () => done(setup.deliveries.backlog())
    check.same(await backlog(), { sending: 0, claimed: 0, nextRetry: O.none })
    await setup.readers(0, 4)
    await setup.notification(1)
    await setup.notification(2, { date: O.some(sampleMoment(3600)) })
    await setup.start()
    check.same(await backlog(), { sending: 1, claimed: 0, nextRetry: O.none })
    const batches = [await setup.claimed({ most: 2 }), await setup.claimed({ most: 2 })]
    check.same(await backlog(), { sending: 1, claimed: 2, nextRetry: O.none })
    for (const [n, batch] of batches.entries()) await setup.recordAll(batch, again(sampleMoment(90 - n)))
    check.same(await backlog(), { sending: 1, claimed: 0, nextRetry: O.some(sampleMoment(89)) })
    await setup.start(sampleMoment(3600))
    check.same((await backlog()).sending, 2)
    const retry = await setup.claimed({ now: sampleMoment(89) })
    check.same(await backlog(), { sending: 2, claimed: 1, nextRetry: O.some(sampleMoment(90)) })
    await done(setup.deliveries.releaseClaim(retry.claim))
    check.same((await backlog()).claimed, 0)
  })
}
