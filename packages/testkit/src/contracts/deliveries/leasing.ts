import { LEASE, type Lease } from '@almoner/domain/delivery'
import { addMillis, type Instant, MINUTE } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { done, sampleMoment } from '../samples.ts'
import { deferred, emails, emailsOf, ended, type Given, LIFE } from './fixture.ts'

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
