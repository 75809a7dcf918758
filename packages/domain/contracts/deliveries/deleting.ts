import * as O from 'fp-ts/lib/Option.js'
import { collect } from '../item-store.ts'
import { done, failure } from '../samples.ts'
import { SAMPLE_MOMENT, sampleEmail, sampleMoment } from '../samples-people.ts'
import { again, dead, ended, type Given, type Kit } from './kit.ts'

/** Clears up. Gives how often it took. */
const purgeAll = async (kit: Kit): Promise<number> => {
  let rounds = 1
  while ((await done(kit.notifications.purge())) > 0 && rounds < 100) rounds += 1
  return rounds
}

/** Deletion during a delivery. */
export const deleting = (given: Given): void => {
  given('G3: deleting a notification that is being sent stops what has not gone out', async (check, kit) => {
    await kit.readers(0, 6)
    const id = await kit.notification(1)
    await kit.start()
    const [first, second] = [await kit.claimed({ most: 2 }), await kit.claimed({ most: 2 })]
    await kit.recordAll(first, again(sampleMoment(1)))
    await done(kit.notifications.remove(id))
    check.same(
      await failure(kit.deliveries.checkEligibility(second.claim, second.recipients, SAMPLE_MOMENT)),
      'ClaimLost',
    )
    const results = second.recipients.map(({ deviceId }) => dead(SAMPLE_MOMENT)(deviceId))
    check.same(await failure(kit.record(second.claim, results, { last: true })), 'ClaimLost')
    check.same((await collect(kit.devices.ofUser(sampleEmail(2)))).length, 1, 'nothing has changed')
    for (const seconds of [0, 1, 3600]) check.same(await kit.claim({ now: sampleMoment(seconds) }), O.none)
    check.same(await kit.start(sampleMoment(3600)), [], 'it is not taken up again')
    check.same(await done(kit.deliveries.backlog()), { sending: 0, claimed: 0, nextRetry: O.none })
    check.same(await done(kit.notifications.find(id)), O.none)
    check.same(await failure(kit.notifications.remove(id)), 'NotificationNotFound')
  })

  given('G7: the report of a deleted notification is gone, sent or not', async (check, kit) => {
    await kit.readers(0, 2)
    const id = await kit.notification(1)
    await kit.start()
    await kit.recordAll(await kit.claimed(), ended('delivered'))
    await done(kit.notifications.remove(id))
    check.same(await done(kit.notifications.find(id)), O.none)
  })

  given(
    'what a deleted notification leaves is cleared away bit by bit, and nothing else is',
    async (check, kit) => {
      await kit.readers(0, 200)
      const [kept, gone] = [await kit.notification(1), await kit.notification(2)]
      await kit.start()
      const batches = [await kit.claimed({ most: 100 }), await kit.claimed({ most: 100 })]
      for (const batch of batches) await kit.recordAll(batch, ended('delivered'))
      const before = await kit.progress(kept)
      check.same(await purgeAll(kit), 1, 'there is nothing to clear away yet')
      await done(kit.notifications.remove(gone))
      check.ok((await purgeAll(kit)) < 100)
      check.same(await done(kit.notifications.purge()), 0)
      check.same(await kit.progress(kept), before)
      const rest = await kit.claimed()
      check.same([rest.claim.notificationId, rest.recipients.length], [kept, 100])
      await kit.recordAll(rest, ended('delivered'))
      check.same((await kit.progress(kept)).tally.delivered, 200)
    },
  )

  given('G3: clearing up while others send loses nothing', async (check, kit) => {
    await kit.readers(0, 20)
    const [kept, gone] = [await kit.notification(1), await kit.notification(2)]
    await kit.start()
    const batch = await kit.claimed({ most: 50 })
    const other = await kit.claimed({ most: 50 })
    const [mine, theirs] = batch.claim.notificationId === kept ? [batch, other] : [other, batch]
    await done(kit.notifications.remove(gone))
    await Promise.all([purgeAll(kit), kit.recordAll(mine, ended('delivered')), purgeAll(kit)])
    check.same(await failure(kit.record(theirs.claim, [])), 'ClaimLost')
    await done(kit.deliveries.releaseClaim(theirs.claim))
    check.same((await kit.progress(kept)).tally.delivered, 20)
  })
}
