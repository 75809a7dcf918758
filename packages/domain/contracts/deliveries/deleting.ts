import * as O from 'fp-ts/lib/Option.js'
import { collect } from '../item-store.ts'
import { done, failure } from '../samples.ts'
import { SAMPLE_MOMENT, sampleEmail, sampleMoment } from '../samples-people.ts'
import { again, type DeliveriesFixture, dead, ended, type Given } from './fixture.ts'

/** Clears up. Gives how often it took. */
const purgeAll = async (fixture: DeliveriesFixture): Promise<number> => {
  let rounds = 1
  while ((await done(fixture.notifications.purge())) > 0 && rounds < 100) rounds += 1
  return rounds
}

/** Deletion during a delivery. */
export const deleting = (given: Given): void => {
  given(
    'G3: deleting a notification that is being sent stops what has not gone out',
    async (check, fixture) => {
      await fixture.readers(0, 6)
      const id = await fixture.notification(1)
      await fixture.start()
      const [first, second] = [await fixture.claimed({ most: 2 }), await fixture.claimed({ most: 2 })]
      await fixture.recordAll(first, again(sampleMoment(1)))
      await done(fixture.notifications.remove(id))
      check.same(
        await failure(fixture.deliveries.checkEligibility(second.claim, second.recipients, SAMPLE_MOMENT)),
        'ClaimLost',
      )
      const results = second.recipients.map(({ deviceId }) => dead(SAMPLE_MOMENT)(deviceId))
      check.same(await failure(fixture.record(second.claim, results, { last: true })), 'ClaimLost')
      check.same((await collect(fixture.devices.ofUser(sampleEmail(2)))).length, 1, 'nothing has changed')
      for (const seconds of [0, 1, 3600])
        check.same(await fixture.claim({ now: sampleMoment(seconds) }), O.none)
      check.same(await fixture.start(sampleMoment(3600)), [], 'it is not taken up again')
      check.same(await done(fixture.deliveries.backlog()), { sending: 0, claimed: 0, nextRetry: O.none })
      check.same(await done(fixture.notifications.find(id)), O.none)
      check.same(await failure(fixture.notifications.remove(id)), 'NotificationNotFound')
    },
  )

  given('G7: the report of a deleted notification is gone, sent or not', async (check, fixture) => {
    await fixture.readers(0, 2)
    const id = await fixture.notification(1)
    await fixture.start()
    await fixture.recordAll(await fixture.claimed(), ended('delivered'))
    await done(fixture.notifications.remove(id))
    check.same(await done(fixture.notifications.find(id)), O.none)
  })

  given(
    'what a deleted notification leaves is cleared away bit by bit, and nothing else is',
    async (check, fixture) => {
      await fixture.readers(0, 200)
      const [kept, gone] = [await fixture.notification(1), await fixture.notification(2)]
      await fixture.start()
      const batches = [await fixture.claimed({ most: 100 }), await fixture.claimed({ most: 100 })]
      for (const batch of batches) await fixture.recordAll(batch, ended('delivered'))
      const before = await fixture.progress(kept)
      check.same(await purgeAll(fixture), 1, 'there is nothing to clear away yet')
      await done(fixture.notifications.remove(gone))
      check.ok((await purgeAll(fixture)) < 100)
      check.same(await done(fixture.notifications.purge()), 0)
      check.same(await fixture.progress(kept), before)
      const rest = await fixture.claimed()
      check.same([rest.claim.notificationId, rest.recipients.length], [kept, 100])
      await fixture.recordAll(rest, ended('delivered'))
      check.same((await fixture.progress(kept)).tally.delivered, 200)
    },
  )

  given('G3: clearing up while others send loses nothing', async (check, fixture) => {
    await fixture.readers(0, 20)
    const [kept, gone] = [await fixture.notification(1), await fixture.notification(2)]
    await fixture.start()
    const batch = await fixture.claimed({ most: 50 })
    const other = await fixture.claimed({ most: 50 })
    const [mine, theirs] = batch.claim.notificationId === kept ? [batch, other] : [other, batch]
    await done(fixture.notifications.remove(gone))
    await Promise.all([purgeAll(fixture), fixture.recordAll(mine, ended('delivered')), purgeAll(fixture)])
    check.same(await failure(fixture.record(theirs.claim, [])), 'ClaimLost')
    await done(fixture.deliveries.releaseClaim(theirs.claim))
    check.same((await fixture.progress(kept)).tally.delivered, 20)
  })
}
