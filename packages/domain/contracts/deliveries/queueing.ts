import * as O from 'fp-ts/lib/Option.js'
import { sampleMoment } from '../samples-people.ts'
import { again, ended, type Given, held } from './kit.ts'

/** What is told of what waits to be sent. */
export const queueing = (given: Given): void => {
  given('G4: the queue tells since when something is due, taken up or not', async (check, kit) => {
    const queue = (seconds: number) => kit.deliveries.queue(sampleMoment(seconds))()
    const idle = { dueSince: O.none, unsentSince: O.none, pending: 0, retries: 0 }
    const told = async (seconds: number, expected: object) =>
      check.same(await queue(seconds), { _tag: 'Right', right: { ...idle, ...expected } })
    await told(0, {})
    await kit.readers(0, 3)
    await kit.notification(1, { date: O.none })
    await kit.notification(2, { date: O.some(sampleMoment(10)) })
    await kit.notification(3, { date: O.some(sampleMoment(20)), lang: 'fr' })
    await told(9, {})
    const since = O.some(sampleMoment(10))
    await told(10, { dueSince: since, unsentSince: since })
    await kit.takeUp(sampleMoment(11))
    await told(12, { unsentSince: since, pending: 3 })
    await told(21, { dueSince: O.some(sampleMoment(20)), unsentSince: since, pending: 3 })
    await kit.takeUp(sampleMoment(22))
    await told(23, { unsentSince: since, pending: 3 })
  })

  given('G5: the queue tells how many turns are left, and how many wait for a retry', async (check, kit) => {
    await kit.readers(0, 4)
    const id = await kit.notification(1)
    await kit.takeUp()
    const told = async (pending: number, retries: number) => {
      const found = await kit.deliveries.queue(sampleMoment(1))()
      const { pending: left, retries: waiting } = found._tag === 'Right' ? found.right : {}
      check.same([left, waiting], [pending, retries])
    }
    const portion = await kit.claimed({ most: 3 })
    await told(4, 0)
    const [one, two, three] = portion.recipients.map(({ deviceId }) => deviceId)
    if (one === undefined || two === undefined || three === undefined) throw new Error('three are needed')
    const turns = [ended('delivered')(one), again(sampleMoment(5))(two), held()(three)]
    await kit.record(portion.claim, turns, { last: true })()
    await told(3, 2)
    await kit.claimed({ now: sampleMoment(5), most: 1 })
    await told(3, 1)
    await kit.notifications.remove(id)()
    await told(0, 0)
  })
}
