import type { NotificationId } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { done, sampleMoment } from '../samples.ts'
import { again, deferred, ended, FCM, type Given } from './fixture.ts'

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
