import type { DeviceId } from '@almoner/domain/people'
import * as O from 'fp-ts/lib/Option.js'
import { again, dead, deferred, emailsOf, ended } from '../delivery/fixture.ts'
import { seeded } from '../runner.ts'
import { done, SAMPLE_MOMENT, sampleDevice, sampleEmail, sampleMoment } from '../samples.ts'
import { erase, find, type GivenPersonalData, LATER, NOTHING, outcomes } from './fixture.ts'

/** Erasing recipients of a notification that is being sent. */
export const erasingWhileSending = (given: GivenPersonalData): void => {
  given('L1: devices not yet tried count as skipped, and recipients stays', async (check, setup) => {
    await setup.readers(0, 5)
    const id = await setup.notification(1)
    await setup.start()
    const batch = await setup.claimed({ most: 2 })
    const [first, second] = batch.recipients.map(({ deviceId }) => deviceId) as [DeviceId, DeviceId]
    await done(setup.record(batch.claim, [ended('delivered')(first)]))
    await erase(setup, 0)
    check.same(outcomes(await setup.progress(id)), [5, 1, 0, 0, 0], 'an outcome stays')
    await erase(setup, 1)
    check.same(outcomes(await setup.progress(id)), [5, 1, 0, 0, 1], 'of a claimed batch')
    await erase(setup, 3)
    check.same(outcomes(await setup.progress(id)), [5, 1, 0, 0, 2], 'not yet claimed')
    await done(setup.record(batch.claim, [ended('delivered')(second)], { last: true }))
    check.same(outcomes(await setup.progress(id)), [5, 1, 0, 0, 2], 'a result that comes later is dropped')
    const rest = await setup.claimed()
    check.same(emailsOf(rest), [sampleEmail(2), sampleEmail(4)])
    await setup.recordAll(rest, ended('delivered'))
    const progress = await setup.progress(id)
    check.same(outcomes(progress), [5, 3, 0, 0, 2])
    check.same(progress.finishedAt, O.some(SAMPLE_MOMENT))
  })

  given('L1: a delivery ends with its last recipient', async (check, setup) => {
    await setup.readers(0, 2)
    const id = await setup.notification(1)
    await setup.start()
    await erase(setup, 0)
    check.same((await setup.progress(id)).finishedAt, O.none)
    await erase(setup, 1)
    const progress = await setup.progress(id)
    check.same(outcomes(progress), [2, 0, 0, 0, 2])
    check.same(progress.finishedAt, O.some(LATER))
    check.same(await setup.claim(), O.none)
  })

  given('L1: who has changed since the start, or waits for a retry, is skipped', async (check, setup) => {
    await setup.readers(0, 5)
    const id = await setup.notification(1)
    await setup.start()
    await done(setup.users.prefer(sampleEmail(3), { lang: 'fr' }))
    await done(setup.devices.detach(sampleEmail(4), sampleDevice(4)))
    const batch = await setup.claimed({ most: 2 })
    const [first, second] = batch.recipients.map(({ deviceId }) => deviceId) as [DeviceId, DeviceId]
    await done(setup.record(batch.claim, [again(sampleMoment(5))(first), deferred()(second)], { last: true }))
    const states = await Promise.all(
      [0, 1, 2, 3, 4].map(async (n) => (await find(setup, n)).deliveries.map(({ state }) => state)),
    )
    check.same(states, [['retry'], ['retry'], ['pending'], ['pending'], ['pending']])
    for (const n of [0, 1, 3, 4]) await erase(setup, n)
    check.same(outcomes(await setup.progress(id)), [5, 0, 0, 0, 4])
    const rest = await setup.claimed({ now: LATER })
    check.same(emailsOf(rest), [sampleEmail(2)])
    await setup.recordAll(rest, ended('delivered'))
    check.same(outcomes(await setup.progress(id)), [5, 1, 0, 0, 4])
  })

  given('G10, L1: a batch set aside counts those as failed who are left in it', async (check, setup) => {
    await setup.readers(0, 5)
    const id = await setup.notification(1)
    await setup.start()
    const batch = await setup.claimed({ most: 3 })
    await erase(setup, 1)
    check.same(await done(setup.deliveries.setAside(batch.claim, LATER)), 2)
    check.same(outcomes(await setup.progress(id)), [5, 0, 2, 0, 1])
    await setup.recordAll(await setup.claimed(), ended('delivered'))
    check.same(outcomes(await setup.progress(id)), [5, 2, 2, 0, 1])
  })

  given('L1: whenever people are erased, each recipient is counted once', async (check, setup) => {
    const chance = seeded(7)
    await setup.readers(0, 40)
    const id = await setup.notification(1)
    await setup.start()
    let now = SAMPLE_MOMENT
    const gone = new Set<number>()
    const serve = async () => {
      const batch = await setup.claim({ now, most: 1 + chance(6) })
      if (O.isNone(batch)) return
      const { claim, recipients } = batch.value
      const some = recipients.filter(() => chance(10) < 7).map(({ deviceId }) => deviceId)
      const result = [ended('delivered'), ended('failed'), again(sampleMoment(1)), dead(SAMPLE_MOMENT)][
        chance(4)
      ]
      if (chance(2) === 0) await leave()
      await done(setup.record(claim, some.map(result ?? ended('skipped')), { now, last: true }))
    }
    const leave = async () => {
      const n = chance(40)
      if (!gone.has(n)) await erase(setup, n)
      gone.add(n)
    }
    for (let step = 0; step < 60; step += 1) {
      if (chance(5) === 0) await leave()
      else await serve()
      if (step === 30) now = LATER
    }
    for (;;) {
      const batch = await setup.claim({ now: LATER })
      if (O.isNone(batch)) break
      await setup.recordAll(batch.value, ended('delivered'), LATER)
    }
    const progress = await setup.progress(id)
    const [recipients, ...counts] = outcomes(progress)
    check.same(recipients, 40)
    check.same(
      counts.reduce((sum, count) => sum + count, 0),
      40,
    )
    check.ok(O.isSome(progress.finishedAt))
    for (const n of gone) check.same(await find(setup, n), NOTHING)
  })
}
