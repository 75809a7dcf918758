import * as O from 'fp-ts/lib/Option.js'
import type { Instant, Ports } from '../src/index.ts'
import { type DeliveriesUnderTest, ended, givenKit, type Kit } from './deliveries/kit.ts'
import type { Check, ContractRunner } from './runner.ts'
import { done, failure } from './samples.ts'
import { sampleMoment } from './samples-people.ts'

/** A store of one test, alone with its data. */
export type RetentionUnderTest = DeliveriesUnderTest & Pick<Ports, 'retention'>

type Retention = Ports['retention']
type Purge = Exclude<keyof Retention, 'oldestEnded'>

/** Deletes all that there is to delete, step by step. Gives how many. */
const purgeAll = async (retention: Retention, which: Purge, endedBy: Instant): Promise<number> => {
  let total = 0
  for (;;) {
    const count = await done(retention[which](endedBy))
    if (count === 0) return total
    total += count
  }
}

/** A notification that has ended at that second, and the claim on all of its readers. */
const sent = async (kit: Kit, n: number, second: number) => {
  const id = await kit.notification(n)
  await kit.start()
  const batch = await kit.claimed()
  await kit.recordAll(batch, ended('delivered'), sampleMoment(second))
  return { id, claim: batch.claim }
}

/** What every `Retention` must do, with the other ports of the same store. */
export const retentionContract = (runner: ContractRunner, make: () => Promise<RetentionUnderTest>): void => {
  const given = (name: string, body: (check: Check, kit: Kit, retention: Retention) => Promise<void>) => {
    let opened: RetentionUnderTest
    const open = async () => {
      opened = await make()
      return opened
    }
    givenKit(runner, open)(name, (check, kit) => body(check, kit, opened.retention))
  }

  given(
    'G8: per-device rows of what ended longer ago go, and the totals of the report stay',
    async (check, kit, retention) => {
      await kit.readers(0, 5)
      const old = await sent(kit, 1, 10)
      const young = await sent(kit, 2, 20)
      await kit.notification(3)
      await kit.start()
      const open = await kit.claimed()
      const before = [await kit.progress(old.id), await kit.progress(young.id)]
      check.same(await done(retention.oldestEnded()), {
        deliveryRows: O.some(sampleMoment(10)),
        notification: O.some(sampleMoment(10)),
      })
      check.same(await purgeAll(retention, 'purgeDeliveries', sampleMoment(9)), 0)
      check.ok((await purgeAll(retention, 'purgeDeliveries', sampleMoment(10))) >= 5)
      check.same(await purgeAll(retention, 'purgeDeliveries', sampleMoment(10)), 0, 'nothing is left')
      check.same(await done(retention.oldestEnded()), {
        deliveryRows: O.some(sampleMoment(20)),
        notification: O.some(sampleMoment(10)),
      })
      check.same([await kit.progress(old.id), await kit.progress(young.id)], before)
      check.same(await failure(kit.record(old.claim, [])), 'ClaimLost')
      check.same(await failure(kit.record(young.claim, [])), 'none')
      await kit.recordAll(open, ended('delivered'))
      check.same(await kit.claim({ now: sampleMoment(3600) }), O.none, 'nobody gets anything again')
    },
  )

  given('G8: what is being sent keeps its rows, however long ago it began', async (check, kit, retention) => {
    await kit.readers(0, 4)
    const id = await kit.notification(1)
    await kit.start()
    const batch = await kit.claimed({ most: 2 })
    await kit.recordAll(batch, ended('delivered'))
    check.same(await purgeAll(retention, 'purgeDeliveries', sampleMoment(86_400 * 1000)), 0)
    check.same(await done(retention.oldestEnded()), { deliveryRows: O.none, notification: O.none })
    const rest = await kit.claimed()
    check.same(rest.recipients.length, 2)
    await kit.recordAll(rest, ended('delivered'))
    check.same((await kit.progress(id)).tally.delivered, 4)
  })

  given(
    'G8: notifications that ended longer ago are deleted, and no others',
    async (check, kit, retention) => {
      await kit.readers(0, 3)
      const old = await sent(kit, 1, 10)
      const nobody = await kit.notification(2, { lang: 'fr' })
      await kit.start(sampleMoment(11))
      const young = await sent(kit, 3, 20)
      const sending = await kit.notification(4)
      await kit.start()
      const scheduled = await kit.notification(5, { date: O.some(sampleMoment(7200)) })
      const undated = await kit.notification(6, { date: O.none })
      check.same(await purgeAll(retention, 'purgeNotifications', sampleMoment(9)), 0)
      check.same(await purgeAll(retention, 'purgeNotifications', sampleMoment(11)), 2)
      for (const id of [old.id, nobody]) check.same(await done(kit.notifications.find(id)), O.none)
      for (const id of [young.id, sending, scheduled, undated])
        check.ok(O.isSome(await done(kit.notifications.find(id))))
      let rounds = 0
      while ((await done(kit.notifications.purge())) > 0) rounds += 1
      check.ok(rounds > 0, 'what they leave is cleared away as after any deletion')
      check.same(await done(retention.oldestEnded()), {
        deliveryRows: O.some(sampleMoment(20)),
        notification: O.some(sampleMoment(20)),
      })
      check.same((await kit.claimed()).recipients.length, 3)
    },
  )
}
