import type { Ports } from '@almoner/domain/ports'
import type { Instant } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import {
  type DeliveriesFixture,
  type DeliveriesUnderTest,
  ended,
  givenDeliveries,
} from './deliveries/fixture.ts'
import type { Check, ContractRunner } from './runner.ts'
import { done, failure, sampleMoment } from './samples.ts'

/** A store for one test, with its own data. */
export type RetentionUnderTest = DeliveriesUnderTest & Pick<Ports, 'retention'>

type Retention = Ports['retention']
type Purge = Exclude<keyof Retention, 'oldestEnded'>

/** Purges everything, step by step. Returns the number of deleted rows. */
const purgeAll = async (retention: Retention, which: Purge, endedBy: Instant): Promise<number> => {
  let total = 0
  for (;;) {
    const count = await done(retention[which](endedBy))
    if (count === 0) return total
    total += count
  }
}

/** A notification that ended at this second, and the claim on all its recipients. */
const sent = async (setup: DeliveriesFixture, n: number, second: number) => {
  const id = await setup.notification(n)
  await setup.start()
  const batch = await setup.claimed()
  await setup.recordAll(batch, ended('delivered'), sampleMoment(second))
  return { id, claim: batch.claim }
}

/** Contract tests of `Retention`, together with the other ports of the same store. */
export const retentionContract = (runner: ContractRunner, make: () => Promise<RetentionUnderTest>): void => {
  const given = (
    name: string,
    body: (check: Check, setup: DeliveriesFixture, retention: Retention) => Promise<void>,
  ) => {
    let opened: RetentionUnderTest
    const open = async () => {
      opened = await make()
      return opened
    }
    givenDeliveries(runner, open)(name, (check, setup) => body(check, setup, opened.retention))
  }

  given(
    'G8: per-device rows of notifications that ended long ago are deleted, and the report’s totals stay',
    async (check, setup, retention) => {
      await setup.readers(0, 5)
      const old = await sent(setup, 1, 10)
      const young = await sent(setup, 2, 20)
      await setup.notification(3)
      await setup.start()
      const open = await setup.claimed()
      const before = [await setup.progress(old.id), await setup.progress(young.id)]
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
      check.same([await setup.progress(old.id), await setup.progress(young.id)], before)
      check.same(await failure(setup.record(old.claim, [])), 'ClaimLost')
      check.same(await failure(setup.record(young.claim, [])), 'none')
      await setup.recordAll(open, ended('delivered'))
      check.same(await setup.claim({ now: sampleMoment(3600) }), O.none, 'nothing is sent again')
    },
  )

  given(
    'G8: a notification that is being sent keeps its rows, however long ago it started',
    async (check, setup, retention) => {
      await setup.readers(0, 4)
      const id = await setup.notification(1)
      await setup.start()
      const batch = await setup.claimed({ most: 2 })
      await setup.recordAll(batch, ended('delivered'))
      check.same(await purgeAll(retention, 'purgeDeliveries', sampleMoment(86_400 * 1000)), 0)
      check.same(await done(retention.oldestEnded()), { deliveryRows: O.none, notification: O.none })
      const rest = await setup.claimed()
      check.same(rest.recipients.length, 2)
      await setup.recordAll(rest, ended('delivered'))
      check.same((await setup.progress(id)).tally.delivered, 4)
    },
  )

  given('G8: only notifications that ended long ago are deleted', async (check, setup, retention) => {
    await setup.readers(0, 3)
    const old = await sent(setup, 1, 10)
    const withoutRecipients = await setup.notification(2, { lang: 'fr' })
    await setup.start(sampleMoment(11))
    const young = await sent(setup, 3, 20)
    const sending = await setup.notification(4)
    await setup.start()
    const scheduled = await setup.notification(5, { date: O.some(sampleMoment(7200)) })
    const undated = await setup.notification(6, { date: O.none })
    check.same(await purgeAll(retention, 'purgeNotifications', sampleMoment(9)), 0)
    check.same(await purgeAll(retention, 'purgeNotifications', sampleMoment(11)), 2)
    for (const id of [old.id, withoutRecipients]) check.same(await done(setup.notifications.find(id)), O.none)
    for (const id of [young.id, sending, scheduled, undated])
      check.ok(O.isSome(await done(setup.notifications.find(id))))
    let rounds = 0
    while ((await done(setup.notifications.purge())) > 0) rounds += 1
    check.ok(rounds > 0, 'their rows are purged as after any deletion')
    check.same(await done(retention.oldestEnded()), {
      deliveryRows: O.some(sampleMoment(20)),
      notification: O.some(sampleMoment(20)),
    })
    check.same((await setup.claimed()).recipients.length, 3)
  })
}
