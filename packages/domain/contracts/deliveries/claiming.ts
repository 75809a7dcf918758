import * as O from 'fp-ts/lib/Option.js'
import { type Batch, type DeviceId, LEASE } from '../../src/index.ts'
import { done, failure } from '../samples.ts'
import { SAMPLE_MOMENT, sampleMoment } from '../samples-people.ts'
import { emails, emailsOf, ended, type Given } from './fixture.ts'

const DAY = 86_400
const LEASE_ENDS = LEASE / 1000

const nameOf = ({ claim: { notificationId, number } }: Batch) => ({ notificationId, number })

/** Claiming batches, and leases on them. */
export const claiming = (given: Given): void => {
  given(
    'recipients come in the order of their devices, at most so many at a time',
    async (check, fixture) => {
      await fixture.readers(0, 7)
      await fixture.notification(1)
      await fixture.start()
      const batches = [
        await fixture.claimed({ most: 3 }),
        await fixture.claimed({ most: 3 }),
        await fixture.claimed({ most: 3 }),
      ]
      check.same(batches.map(emailsOf), [emails(0, 3), emails(3, 6), emails(6, 7)])
      check.same(await fixture.claim(), O.none)
      const ids = batches.flatMap(({ recipients }) => recipients.map(({ deviceId }): number => deviceId))
      check.same(
        ids,
        [...ids].sort((a, b) => a - b),
      )
      check.ok(batches.every(({ recipients }) => recipients.every(({ attempts }) => attempts === 0)))
    },
  )

  given('1,200 recipients are claimed in batches, each once', async (check, fixture) => {
    await fixture.readers(0, 1200)
    const id = await fixture.notification(1)
    await fixture.start()
    const seen = new Set<DeviceId>()
    const sizes: Array<number> = []
    for (let batch = await fixture.claim(); O.isSome(batch); batch = await fixture.claim()) {
      const { recipients, claim } = batch.value
      sizes.push(recipients.length)
      for (const { deviceId } of recipients) seen.add(deviceId)
      check.same((await fixture.reachable(claim, recipients)).length, recipients.length)
      await fixture.recordAll(batch.value, ended('delivered'))
    }
    check.same(sizes, [500, 500, 200])
    check.same(seen.size, 1200)
    check.same((await fixture.progress(id)).tally.delivered, 1200)
  })

  given('notifications take turns', async (check, fixture) => {
    await fixture.readers(0, 4)
    const ids = [await fixture.notification(1), await fixture.notification(2), await fixture.notification(3)]
    await fixture.start()
    for (let result = 0; result < 4; result += 1) {
      const batches = [
        await fixture.claimed({ most: 1 }),
        await fixture.claimed({ most: 1 }),
        await fixture.claimed({ most: 1 }),
      ]
      check.same(batches.map(({ claim }) => claim.notificationId).sort(), ids, `turn ${result}`)
      check.same(batches.flatMap(emailsOf), Array(3).fill(emails(result, result + 1)[0]))
    }
  })

  given(
    'a notification that is taken up later does not wait for the end of the first',
    async (check, fixture) => {
      await fixture.readers(0, 4)
      await fixture.notification(1)
      await fixture.start()
      await fixture.claimed({ most: 1 })
      const late = await fixture.notification(2)
      await fixture.start()
      const next = [await fixture.claimed({ most: 1 }), await fixture.claimed({ most: 1 })]
      check.ok(next.some(({ claim }) => claim.notificationId === late))
    },
  )

  given('G5: of several who claim at once, each gets recipients of its own', async (check, fixture) => {
    await fixture.readers(0, 12)
    await fixture.notification(1)
    await fixture.start()
    const batches = await Promise.all(Array.from({ length: 4 }, () => fixture.claimed({ most: 3 })))
    check.same(batches.flatMap(emailsOf).sort(), emails(0, 12))
    check.same(await fixture.claim(), O.none)
  })

  given('G5: a lease keeps others out as long as it lasts, and no longer', async (check, fixture) => {
    await fixture.readers(0, 2)
    await fixture.notification(1)
    await fixture.start()
    const first = await fixture.claimed()
    check.same(await fixture.claim({ now: sampleMoment(LEASE_ENDS - 0.001) }), O.none)
    const second = await fixture.claimed({ now: sampleMoment(LEASE_ENDS) })
    check.same(nameOf(second), nameOf(first))
    check.ok(second.claim.fence > first.claim.fence)
    check.same(second.recipients, first.recipients)
    check.same(await fixture.claim({ now: sampleMoment(LEASE_ENDS + 1) }), O.none, 'the second holds it now')
  })

  given('G5: what is recorded renews the lease', async (check, fixture) => {
    await fixture.readers(0, 3)
    await fixture.notification(1)
    await fixture.start()
    const { claim, recipients } = await fixture.claimed()
    const [first] = recipients.map(({ deviceId }) => ended('delivered')(deviceId))
    await done(fixture.record(claim, first === undefined ? [] : [first], { now: sampleMoment(20) }))
    check.same(await fixture.claim({ now: sampleMoment(LEASE_ENDS + 10) }), O.none)
    await done(fixture.record(claim, [], { now: sampleMoment(LEASE_ENDS + 10) }))
    check.same(await fixture.claim({ now: sampleMoment(LEASE_ENDS + 30) }), O.none)
    const taken = await fixture.claimed({ now: sampleMoment(2 * LEASE_ENDS + 10) })
    check.same(emailsOf(taken), emails(1, 3), 'who has had a turn does not get another')
  })

  given('G5: a lease of a clock that was a day ahead binds nobody', async (check, fixture) => {
    await fixture.readers(0, 2)
    await fixture.notification(1)
    await fixture.start()
    const ahead = await fixture.claimed({ now: sampleMoment(DAY) })
    const right = await fixture.claimed()
    check.same(nameOf(right), nameOf(ahead))
    check.ok(right.claim.fence > ahead.claim.fence)
    check.same(await fixture.claim(), O.none)
    await done(fixture.record(right.claim, [], { now: sampleMoment(DAY) }))
    check.same(nameOf(await fixture.claimed()), nameOf(ahead), 'nor one that was renewed by such a clock')
  })

  given(
    'a process does not claim its own batch again, even if its lease has expired',
    async (check, fixture) => {
      await fixture.readers(0, 3)
      await fixture.notification(1)
      await fixture.start()
      const mine = [await fixture.claimed({ most: 1 }), await fixture.claimed({ most: 1 })]
      const except = mine.map(nameOf)
      const request = { now: sampleMoment(DAY), most: 1, except }
      check.same(emailsOf(await fixture.claimed(request)), emails(2, 3), 'others are')
      check.same(await fixture.claim({ ...request, now: sampleMoment(DAY + 1) }), O.none)
      const [first] = except
      const one = await fixture.claimed({ ...request, except: first === undefined ? [] : [first] })
      check.same(emailsOf(one), emails(1, 2))
    },
  )

  given('who lets go of a claim keeps nobody waiting', async (check, fixture) => {
    await fixture.readers(0, 3)
    await fixture.notification(1)
    await fixture.start()
    const first = await fixture.claimed()
    const [result] = first.recipients.map(({ deviceId }) => ended('delivered')(deviceId))
    await done(fixture.record(first.claim, result === undefined ? [] : [result]))
    await done(fixture.deliveries.releaseClaim(first.claim))
    const second = await fixture.claimed()
    check.same(nameOf(second), nameOf(first))
    check.same(emailsOf(second), emails(1, 3))
  })

  given(
    'letting go of a lost claim is no fault, and takes nothing from its successor',
    async (check, fixture) => {
      await fixture.readers(0, 2)
      const id = await fixture.notification(1)
      await fixture.start()
      const lost = await fixture.claimed()
      const now = sampleMoment(LEASE_ENDS)
      const present = await fixture.claimed({ now })
      await done(fixture.deliveries.releaseClaim(lost.claim))
      check.same(await fixture.claim({ now }), O.none)
      await done(fixture.record(present.claim, [], { now }))
      await done(fixture.notifications.remove(id))
      await done(fixture.deliveries.releaseClaim(present.claim))
    },
  )

  given('G5: an older claim can neither record nor ask who is reachable', async (check, fixture) => {
    await fixture.readers(0, 2)
    const id = await fixture.notification(1)
    await fixture.start()
    const old = await fixture.claimed()
    await fixture.claimed({ now: sampleMoment(LEASE_ENDS) })
    const results = old.recipients.map(({ deviceId }) => ended('failed')(deviceId))
    for (const last of [false, true])
      check.same(await failure(fixture.record(old.claim, results, { last })), 'ClaimLost')
    check.same(
      await failure(fixture.deliveries.checkEligibility(old.claim, old.recipients, SAMPLE_MOMENT)),
      'ClaimLost',
    )
    check.same((await fixture.progress(id)).tally.failed, 0, 'nothing has changed')
    check.same(await fixture.claim({ now: sampleMoment(LEASE_ENDS) }), O.none)
  })

  given('a claim on one batch says nothing of another', async (check, fixture) => {
    await fixture.readers(0, 2)
    const id = await fixture.notification(1)
    await fixture.start()
    const [first, second] = [await fixture.claimed({ most: 1 }), await fixture.claimed({ most: 1 })]
    await done(fixture.deliveries.releaseClaim(second.claim))
    await fixture.claimed({ most: 1 })
    await fixture.recordAll(first, ended('delivered'))
    check.same((await fixture.progress(id)).tally.delivered, 1)
    check.same(await failure(fixture.record(second.claim, [])), 'ClaimLost')
    check.same((await fixture.progress(id)).startedAt, SAMPLE_MOMENT)
  })
}
