import { collect } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { done, failure, SAMPLE_MOMENT, sampleEmail, sampleMoment } from '../samples.ts'
import { again, type DeliveriesFixture, dead, ended, type Given } from './fixture.ts'

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
