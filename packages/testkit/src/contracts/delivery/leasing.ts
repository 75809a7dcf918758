import { LEASE, type Lease, MOST_REFUSALS } from '@almoner/domain/delivery'
import { addMillis, collect, type Instant, MINUTE } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { done, failure, SAMPLE_MOMENT, sampleEmail, sampleMoment } from '../samples.ts'
import {
  again,
  answered,
  type DeliveriesFixture,
  dead,
  deferred,
  emails,
  emailsOf,
  ended,
  FCM,
  type Given,
  LATER,
  LIFE,
  pauses,
  probe,
  recordSome,
  release,
  senderRefused,
  sending,
} from './fixture.ts'

const DAY = 86_400
const LEASE_ENDS = LEASE / 1000

/** Leases and lives of deliveries whose clock is set (I9). */
export const leasing = (given: Given): void => {
  given(
    'I9: a lease is shown as it is stored, and its batch is claimed once it is called abandoned',
    async (check, setup) => {
      await setup.readers(0, 2)
      await setup.notification(1)
      await setup.start()
      const { claim, recipients } = await setup.claimed()
      const seen: Array<Lease> = []
      const look = (now: Instant, isLeft = false) =>
        setup.claim({ now, isAbandoned: (lease) => seen.push(lease) > 0 && isLeft })
      const lease = { ...claim, until: sampleMoment(LEASE_ENDS) }
      check.same(await look(sampleMoment(1)), O.none)
      check.same(seen[0], lease, 'also before its end, so that it can be watched')
      check.same(await look(sampleMoment(1), true), O.none, 'the stored end counts too')
      for (const now of [LEASE_ENDS, DAY, 1000 * DAY, -DAY, -1000 * DAY].map(sampleMoment))
        check.same(await look(now), O.none, `at ${now}`)
      const [one] = recipients.map(({ deviceId }) => ended('delivered')(deviceId))
      await done(setup.record(claim, one === undefined ? [] : [one], { now: sampleMoment(10) }))
      seen.length = 0
      check.same(await look(sampleMoment(LEASE_ENDS + 10)), O.none)
      check.same(
        seen[0],
        { ...lease, until: sampleMoment(LEASE_ENDS + 10) },
        'a renewed lease is another one',
      )
      const taken = await look(sampleMoment(LEASE_ENDS + 10), true)
      check.same(O.isSome(taken) && emailsOf(taken.value), emails(1, 2))
    },
  )

  given('G9: the end of the first lease is known', async (check, setup) => {
    const next = async () => (await done(setup.deliveries.upcoming())).lease
    await setup.readers(0, 2)
    await setup.notification(1)
    await setup.start()
    check.same(await next(), O.none)
    const first = await setup.claimed({ now: sampleMoment(5), most: 1 })
    const second = await setup.claimed({ now: sampleMoment(2), most: 1 })
    check.same(await next(), O.some(sampleMoment(LEASE_ENDS + 2)))
    await setup.recordAll(second, ended('delivered'), sampleMoment(3))
    check.same(await next(), O.some(sampleMoment(LEASE_ENDS + 5)))
    await done(setup.deliveries.releaseClaim(first.claim))
    check.same(await next(), O.none)
  })

  for (const ahead of [61, 2 * DAY, 1000 * DAY])
    given(
      `I9: a delivery that a clock ${ahead} s ahead has started lives as long as any, from the first look on`,
      async (check, setup) => {
        await setup.readers(0, 1)
        await setup.notification(1)
        await setup.start(sampleMoment(ahead))
        const ends = async (now: number) => (await setup.claimed({ now: sampleMoment(now), most: 1 })).endsAt
        check.same(await ends(ahead), sampleMoment(ahead + LIFE / 1000), 'by that clock')
        check.same(await ends(0), sampleMoment(LIFE / 1000), 'by the right one')
        if (ahead > DAY) check.same(await ends(DAY / 2), sampleMoment(LIFE / 1000), 'it does not begin again')
        check.same(await ends(ahead), sampleMoment(ahead + LIFE / 1000), 'nothing is lost by a clock behind')
        const batch = await setup.claimed({ now: sampleMoment(1001 * DAY) })
        await setup.recordAll(batch, deferred(), sampleMoment(10))
        check.same(await setup.claim({ now: sampleMoment(LIFE / 1000 - 1), most: 1 }), O.none)
        await setup.claimed({ now: sampleMoment(ahead > DAY ? LIFE / 1000 : ahead + LIFE / 1000) })
      },
    )

  given(
    'I9: a device that waits for its origin after its end is looked at once a minute',
    async (check, setup) => {
      await setup.readers(0, 1)
      await setup.notification(1)
      await setup.start()
      const now = sampleMoment(1000 * DAY)
      await setup.recordAll(await setup.claimed(), deferred(), now)
      check.same(await setup.claim({ now: addMillis(now, MINUTE - 1) }), O.none)
      await setup.claimed({ now: addMillis(now, MINUTE) })
    },
  )

  given('I9: a delivery whose clock was a minute ahead stays as it was', async (check, setup) => {
    await setup.readers(0, 1)
    await setup.notification(1)
    await setup.start(sampleMoment(60))
    check.same((await setup.claimed()).endsAt, sampleMoment(60 + LIFE / 1000))
  })
}

/** Purges deleted deliveries. Returns the number of calls it took. */
const purgeAll = async (setup: DeliveriesFixture): Promise<number> => {
  let rounds = 1
  while ((await done(setup.notifications.purge())) > 0 && rounds < 100) rounds += 1
  return rounds
}

/** Deletion during a delivery. */
export const deleting = (given: Given): void => {
  given('G3: deleting a notification that is being sent stops its remaining pushes', async (check, setup) => {
    await setup.readers(0, 6)
    const id = await setup.notification(1)
    await setup.start()
    const [first, second] = [await setup.claimed({ most: 2 }), await setup.claimed({ most: 2 })]
    await setup.recordAll(first, again(sampleMoment(1)))
    await done(setup.notifications.remove(id))
    check.same(
      await failure(setup.deliveries.checkEligibility(second.claim, second.recipients, SAMPLE_MOMENT)),
      'ClaimLost',
    )
    const results = second.recipients.map(({ deviceId }) => dead(SAMPLE_MOMENT)(deviceId))
    check.same(await failure(setup.record(second.claim, results, { last: true })), 'ClaimLost')
    check.same((await collect(setup.devices.ofUser(sampleEmail(2)))).length, 1, 'nothing has changed')
    for (const seconds of [0, 1, 3600]) check.same(await setup.claim({ now: sampleMoment(seconds) }), O.none)
    check.same(await setup.start(sampleMoment(3600)), [], 'it is not started again')
    check.same(await done(setup.deliveries.backlog()), { sending: 0, claimed: 0, nextRetry: O.none })
    check.same(await done(setup.notifications.find(id)), O.none)
    check.same(await failure(setup.notifications.remove(id)), 'NotificationNotFound')
  })

  given('G3: a notification that is started is not withdrawn', async (check, setup) => {
    await setup.readers(0, 2)
    const id = await setup.notification(1)
    await setup.start()
    check.same(await failure(setup.notifications.withdraw(id)), 'NotificationStarted')
    await setup.recordAll(await setup.claimed(), ended('delivered'))
    check.same(await failure(setup.notifications.withdraw(id)), 'NotificationStarted')
    check.same((await setup.progress(id)).tally.delivered, 2)
    await done(setup.notifications.remove(id))
    check.same(await failure(setup.notifications.withdraw(id)), 'NotificationNotFound')
  })

  given('G7: a deleted notification has no report, sent or not', async (check, setup) => {
    await setup.readers(0, 2)
    const id = await setup.notification(1)
    await setup.start()
    await setup.recordAll(await setup.claimed(), ended('delivered'))
    await done(setup.notifications.remove(id))
    check.same(await done(setup.notifications.find(id)), O.none)
  })

  given(
    'the purge deletes the rows of a deleted notification in steps, and nothing else',
    async (check, setup) => {
      await setup.readers(0, 200)
      const [kept, gone] = [await setup.notification(1), await setup.notification(2)]
      await setup.start()
      const batches = [await setup.claimed({ most: 100 }), await setup.claimed({ most: 100 })]
      for (const batch of batches) await setup.recordAll(batch, ended('delivered'))
      const before = await setup.progress(kept)
      check.same(await purgeAll(setup), 1, 'there is nothing to purge yet')
      await done(setup.notifications.remove(gone))
      check.ok((await purgeAll(setup)) < 100)
      check.same(await done(setup.notifications.purge()), 0)
      check.same(await setup.progress(kept), before)
      const rest = await setup.claimed()
      check.same([rest.claim.notificationId, rest.recipients.length], [kept, 100])
      await setup.recordAll(rest, ended('delivered'))
      check.same((await setup.progress(kept)).tally.delivered, 200)
    },
  )

  given('G3: a purge during a delivery loses nothing', async (check, setup) => {
    await setup.readers(0, 20)
    const [kept, gone] = [await setup.notification(1), await setup.notification(2)]
    await setup.start()
    const batch = await setup.claimed({ most: 50 })
    const other = await setup.claimed({ most: 50 })
    const [mine, theirs] = batch.claim.notificationId === kept ? [batch, other] : [other, batch]
    await done(setup.notifications.remove(gone))
    await Promise.all([purgeAll(setup), setup.recordAll(mine, ended('delivered')), purgeAll(setup)])
    check.same(await failure(setup.record(theirs.claim, [])), 'ClaimLost')
    await done(setup.deliveries.releaseClaim(theirs.claim))
    check.same((await setup.progress(kept)).tally.delivered, 20)
  })
}

/** What stores remember of refusals of the sender, and of devices that are refused (G15). */
export const refusalsContract = (given: Given): void => {
  for (const [name, when, credentials, most] of [
    ['nothing was ever accepted', undefined, 'a key', MOST_REFUSALS.unknown],
    ['a push was accepted a moment ago', 0, 'a key', MOST_REFUSALS.known],
    ['a push was accepted nine minutes ago', -9, 'a key', MOST_REFUSALS.known],
    ['a push was accepted eleven minutes ago', -11, 'a key', MOST_REFUSALS.unknown],
    ['a push was accepted with other credentials', 0, 'another key', MOST_REFUSALS.unknown],
  ] as const)
    given(
      `G15: refusals of the sender in a row after which an origin is probed, if ${name}: ${most}`,
      async (check, setup) => {
        const { batch } = await sending(setup, 60)
        const accepted = when === undefined ? 0 : 1
        const before = addMillis(SAMPLE_MOMENT, (when ?? 0) * MINUTE)
        await recordSome(setup, batch, [0, accepted], answered('delivered'), {
          now: before,
          credentials: { fcm: credentials },
        })
        const last = accepted + most - 1
        for (let n = accepted; n < last; n += 1)
          await recordSome(setup, batch, [n, n + 1], senderRefused(LATER))
        check.same(await pauses(setup), [])
        const { paused } = await recordSome(setup, batch, [last, last + 1], senderRefused(LATER, 'no'))
        check.same(
          paused.map(({ origin, kind, reason }) => [origin, kind, reason]),
          [[FCM, 'probed', 'no']],
        )
      },
    )

  given('G15: an accepted push in between starts the count of refusals again', async (check, setup) => {
    const { batch } = await sending(setup, 9)
    await recordSome(setup, batch, [0, 4], senderRefused(LATER))
    await recordSome(setup, batch, [4, 5], answered('delivered'), { credentials: {} })
    await recordSome(setup, batch, [5, 9], senderRefused(LATER))
    check.same(await pauses(setup), [])
  })

  given(
    'G15: a device that is refused three times while its provider accepts others has failed',
    async (check, setup) => {
      const { id, batch } = await sending(setup, 5)
      await recordSome(setup, batch, [0, 1], senderRefused(sampleMoment(1)))
      await recordSome(setup, batch, [1, 5], answered('delivered'))
      await done(setup.record(batch.claim, [], { last: true }))
      const kinds: Array<unknown> = []
      for (const seconds of [1, 2, 3]) {
        const now = sampleMoment(seconds)
        const claimed = await setup.claimed({ now })
        check.same(
          claimed.recipients.map(({ refusals }) => refusals),
          [seconds - 1],
          'the first refusal came before anything was accepted',
        )
        const { results } = await recordSome(
          setup,
          claimed,
          [0, 1],
          senderRefused(sampleMoment(seconds + 1)),
          { now },
        )
        kinds.push(results[0]?.kind)
      }
      check.same(kinds, ['waiting', 'waiting', 'ended'])
      check.same((await setup.progress(id)).tally, { delivered: 4, failed: 1, dead: 0, skipped: 0 })
    },
  )

  given('G15: refusals of a probed origin do not count against a device', async (check, setup) => {
    const { id, batch } = await sending(setup, 6)
    await setup.recordAll(batch, senderRefused(LATER))
    let now = SAMPLE_MOMENT
    for (let n = 0; n < 5; n += 1) {
      now = addMillis(now, MINUTE)
      await probe(check, setup, now, senderRefused(LATER))
    }
    check.same((await setup.progress(id)).tally.failed, 0)
    now = addMillis(now, MINUTE)
    check.same(await release(setup, now), 1)
    check.same((await setup.claimed({ now })).recipients[0]?.refusals, 0)
  })
}
