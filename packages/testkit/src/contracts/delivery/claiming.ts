import { type Batch, LEASE } from '@almoner/domain/delivery'
import type { DeviceId } from '@almoner/domain/people'
import type { NotificationId } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { done, failure, SAMPLE_MOMENT, sampleMoment } from '../samples.ts'
import { again, deferred, emails, emailsOf, ended, FCM, type Given } from './fixture.ts'

const DAY = 86_400
const LEASE_ENDS = LEASE / 1000

const nameOf = ({ claim: { notificationId, number } }: Batch) => ({ notificationId, number })

/** Claiming batches, and leases on them. */
export const claiming = (given: Given): void => {
  given(
    'a claim returns recipients in the order of their devices, up to the requested number',
    async (check, setup) => {
      await setup.readers(0, 7)
      await setup.notification(1)
      await setup.start()
      const batches = [
        await setup.claimed({ most: 3 }),
        await setup.claimed({ most: 3 }),
        await setup.claimed({ most: 3 }),
      ]
      check.same(batches.map(emailsOf), [emails(0, 3), emails(3, 6), emails(6, 7)])
      check.same(await setup.claim(), O.none)
      const ids = batches.flatMap(({ recipients }) => recipients.map(({ deviceId }): number => deviceId))
      check.same(
        ids,
        [...ids].sort((a, b) => a - b),
      )
      check.ok(batches.every(({ recipients }) => recipients.every(({ attempts }) => attempts === 0)))
    },
  )

  given('1,200 recipients are claimed in batches, each once', async (check, setup) => {
    await setup.readers(0, 1200)
    const id = await setup.notification(1)
    await setup.start()
    const seen = new Set<DeviceId>()
    const sizes: Array<number> = []
    for (let batch = await setup.claim(); O.isSome(batch); batch = await setup.claim()) {
      const { recipients, claim } = batch.value
      sizes.push(recipients.length)
      for (const { deviceId } of recipients) seen.add(deviceId)
      check.same((await setup.reachable(claim, recipients)).length, recipients.length)
      await setup.recordAll(batch.value, ended('delivered'))
    }
    check.same(sizes, [500, 500, 200])
    check.same(seen.size, 1200)
    check.same((await setup.progress(id)).tally.delivered, 1200)
  })

  given('claims alternate between notifications', async (check, setup) => {
    await setup.readers(0, 4)
    const ids = [await setup.notification(1), await setup.notification(2), await setup.notification(3)]
    await setup.start()
    for (let result = 0; result < 4; result += 1) {
      const batches = [
        await setup.claimed({ most: 1 }),
        await setup.claimed({ most: 1 }),
        await setup.claimed({ most: 1 }),
      ]
      check.same(batches.map(({ claim }) => claim.notificationId).sort(), ids, `recipient ${result}`)
      check.same(batches.flatMap(emailsOf), Array(3).fill(emails(result, result + 1)[0]))
    }
  })

  given(
    'a notification that starts later does not wait until the first one is finished',
    async (check, setup) => {
      await setup.readers(0, 4)
      await setup.notification(1)
      await setup.start()
      await setup.claimed({ most: 1 })
      const late = await setup.notification(2)
      await setup.start()
      const next = [await setup.claimed({ most: 1 }), await setup.claimed({ most: 1 })]
      check.ok(next.some(({ claim }) => claim.notificationId === late))
    },
  )

  given('G5: concurrent claims get different recipients', async (check, setup) => {
    await setup.readers(0, 12)
    await setup.notification(1)
    await setup.start()
    const batches = await Promise.all(Array.from({ length: 4 }, () => setup.claimed({ most: 3 })))
    check.same(batches.flatMap(emailsOf).sort(), emails(0, 12))
    check.same(await setup.claim(), O.none)
  })

  given('G5: a lease blocks other claims until it ends', async (check, setup) => {
    await setup.readers(0, 2)
    await setup.notification(1)
    await setup.start()
    const first = await setup.claimed()
    check.same(await setup.claim({ now: sampleMoment(LEASE_ENDS - 0.001) }), O.none)
    const second = await setup.claimed({ now: sampleMoment(LEASE_ENDS) })
    check.same(nameOf(second), nameOf(first))
    check.ok(second.claim.fence > first.claim.fence)
    check.same(second.recipients, first.recipients)
    check.same(
      await setup.claim({ now: sampleMoment(LEASE_ENDS + 1) }),
      O.none,
      'the second process has the lease now',
    )
  })

  given('G5: recording results renews the lease', async (check, setup) => {
    await setup.readers(0, 3)
    await setup.notification(1)
    await setup.start()
    const { claim, recipients } = await setup.claimed()
    const [first] = recipients.map(({ deviceId }) => ended('delivered')(deviceId))
    await done(setup.record(claim, first === undefined ? [] : [first], { now: sampleMoment(20) }))
    check.same(await setup.claim({ now: sampleMoment(LEASE_ENDS + 10) }), O.none)
    await done(setup.record(claim, [], { now: sampleMoment(LEASE_ENDS + 10) }))
    check.same(await setup.claim({ now: sampleMoment(LEASE_ENDS + 30) }), O.none)
    const taken = await setup.claimed({ now: sampleMoment(2 * LEASE_ENDS + 10) })
    check.same(emailsOf(taken), emails(1, 3), 'a recipient with an outcome is not claimed again')
  })

  given('G5: a lease set by a clock a day ahead does not block other processes', async (check, setup) => {
    await setup.readers(0, 2)
    await setup.notification(1)
    await setup.start()
    const ahead = await setup.claimed({ now: sampleMoment(DAY) })
    const right = await setup.claimed()
    check.same(nameOf(right), nameOf(ahead))
    check.ok(right.claim.fence > ahead.claim.fence)
    check.same(await setup.claim(), O.none)
    await done(setup.record(right.claim, [], { now: sampleMoment(DAY) }))
    check.same(nameOf(await setup.claimed()), nameOf(ahead), 'nor a lease that such a clock has renewed')
  })

  given(
    'a process does not claim its own batch again, even if its lease has expired',
    async (check, setup) => {
      await setup.readers(0, 3)
      await setup.notification(1)
      await setup.start()
      const mine = [await setup.claimed({ most: 1 }), await setup.claimed({ most: 1 })]
      const except = mine.map(nameOf)
      const request = { now: sampleMoment(DAY), most: 1, except }
      check.same(emailsOf(await setup.claimed(request)), emails(2, 3), 'others can be claimed')
      check.same(await setup.claim({ ...request, now: sampleMoment(DAY + 1) }), O.none)
      const [first] = except
      const one = await setup.claimed({ ...request, except: first === undefined ? [] : [first] })
      check.same(emailsOf(one), emails(1, 2))
    },
  )

  given('a released batch can be claimed at once', async (check, setup) => {
    await setup.readers(0, 3)
    await setup.notification(1)
    await setup.start()
    const first = await setup.claimed()
    const [result] = first.recipients.map(({ deviceId }) => ended('delivered')(deviceId))
    await done(setup.record(first.claim, result === undefined ? [] : [result]))
    await done(setup.deliveries.releaseClaim(first.claim))
    const second = await setup.claimed()
    check.same(nameOf(second), nameOf(first))
    check.same(emailsOf(second), emails(1, 3))
  })

  given('releasing a lost claim is not an error and leaves the new claim intact', async (check, setup) => {
    await setup.readers(0, 2)
    const id = await setup.notification(1)
    await setup.start()
    const lost = await setup.claimed()
    const now = sampleMoment(LEASE_ENDS)
    const present = await setup.claimed({ now })
    await done(setup.deliveries.releaseClaim(lost.claim))
    check.same(await setup.claim({ now }), O.none)
    await done(setup.record(present.claim, [], { now }))
    await done(setup.notifications.remove(id))
    await done(setup.deliveries.releaseClaim(present.claim))
  })

  given('G5: an outdated claim can neither record results nor check eligibility', async (check, setup) => {
    await setup.readers(0, 2)
    const id = await setup.notification(1)
    await setup.start()
    const old = await setup.claimed()
    await setup.claimed({ now: sampleMoment(LEASE_ENDS) })
    const results = old.recipients.map(({ deviceId }) => ended('failed')(deviceId))
    for (const last of [false, true])
      check.same(await failure(setup.record(old.claim, results, { last })), 'ClaimLost')
    check.same(
      await failure(setup.deliveries.checkEligibility(old.claim, old.recipients, SAMPLE_MOMENT)),
      'ClaimLost',
    )
    check.same((await setup.progress(id)).tally.failed, 0, 'nothing has changed')
    check.same(await setup.claim({ now: sampleMoment(LEASE_ENDS) }), O.none)
  })

  given('claims on different batches are independent', async (check, setup) => {
    await setup.readers(0, 2)
    const id = await setup.notification(1)
    await setup.start()
    const [first, second] = [await setup.claimed({ most: 1 }), await setup.claimed({ most: 1 })]
    await done(setup.deliveries.releaseClaim(second.claim))
    await setup.claimed({ most: 1 })
    await setup.recordAll(first, ended('delivered'))
    check.same((await setup.progress(id)).tally.delivered, 1)
    check.same(await failure(setup.record(second.claim, [])), 'ClaimLost')
    check.same((await setup.progress(id)).startedAt, SAMPLE_MOMENT)
  })
}

/** Metrics of the delivery queue. */
export const queueing = (given: Given): void => {
  given('G4: the queue metrics report the oldest due date, started or not', async (check, setup) => {
    const queue = (seconds: number) => setup.deliveries.queue(sampleMoment(seconds))()
    const idle = { dueSince: O.none, unsentSince: O.none, pending: 0, retries: 0 }
    const told = async (seconds: number, expected: object) =>
      check.same(await queue(seconds), { _tag: 'Right', right: { ...idle, ...expected } })
    await told(0, {})
    await setup.readers(0, 3)
    await setup.notification(1, { date: O.none })
    await setup.notification(2, { date: O.some(sampleMoment(10)) })
    await setup.notification(3, { date: O.some(sampleMoment(20)), lang: 'fr' })
    await told(9, {})
    const since = O.some(sampleMoment(10))
    await told(10, { dueSince: since, unsentSince: since })
    await setup.start(sampleMoment(11))
    await told(12, { unsentSince: since, pending: 3 })
    await told(21, { dueSince: O.some(sampleMoment(20)), unsentSince: since, pending: 3 })
    await setup.start(sampleMoment(22))
    await told(23, { unsentSince: since, pending: 3 })
  })

  given(
    'G5: the queue metrics count remaining recipients and those that wait for a retry',
    async (check, setup) => {
      await setup.readers(0, 4)
      const id = await setup.notification(1)
      await setup.start()
      const told = async (pending: number, retries: number) => {
        const found = await setup.deliveries.queue(sampleMoment(1))()
        const { pending: left, retries: waiting } = found._tag === 'Right' ? found.right : {}
        check.same([left, waiting], [pending, retries])
      }
      const batch = await setup.claimed({ most: 3 })
      await told(4, 0)
      const [one, two, three] = batch.recipients.map(({ deviceId }) => deviceId)
      if (one === undefined || two === undefined || three === undefined) throw new Error('three are needed')
      const results = [ended('delivered')(one), again(sampleMoment(5))(two), deferred()(three)]
      await setup.record(batch.claim, results, { last: true })()
      await told(3, 2)
      await setup.claimed({ now: sampleMoment(5), most: 1 })
      await told(3, 1)
      await setup.notifications.remove(id)()
      await told(0, 0)
    },
  )

  given(
    'G9: the next due date and the next retry are returned, also if they are past',
    async (check, setup) => {
      let origin: O.Option<unknown> = O.none
      const told = async (first: readonly [NotificationId, number] | undefined, retry: O.Option<unknown>) => {
        const due = first === undefined ? O.none : O.some({ id: first[0], date: sampleMoment(first[1]) })
        check.same(await setup.deliveries.upcoming()(), E.right({ due, retry, origin, lease: O.none }))
      }
      await told(undefined, O.none)
      await setup.readers(0, 3)
      await setup.notification(1, { date: O.none })
      await setup.notification(4, { date: O.some(sampleMoment(31)) })
      const soon = await setup.notification(2, { date: O.some(sampleMoment(30)) })
      await told([soon, 30], O.none)
      const past = await setup.notification(3, { date: O.some(sampleMoment(-30)) })
      await told([past, -30], O.none)
      await setup.start()
      await told([soon, 30], O.none)
      const { claim, recipients } = await setup.claimed()
      const results = [again(sampleMoment(9)), again(sampleMoment(7)), deferred()]
      const taken = recipients.flatMap(({ deviceId }, n) => results[n]?.(deviceId) ?? [])
      await done(setup.record(claim, taken, { last: true }))
      origin = O.some({ origin: FCM, at: 0 })
      await told([soon, 30], O.some(sampleMoment(7)))
      const late = sampleMoment(8)
      await setup.recordAll(await setup.claimed({ now: late }), ended('delivered'), late)
      await told([soon, 30], O.some(sampleMoment(9)))
      await done(setup.notifications.remove(claim.notificationId))
      origin = O.none
      await told([soon, 30], O.none)
    },
  )
}
