import * as O from 'fp-ts/lib/Option.js'
import {
  type DeliveriesFixture,
  type DeliveriesUnderTest,
  dead,
  givenDeliveries,
} from './deliveries/fixture.ts'
import { collect } from './item-store.ts'
import type { ContractRunner } from './runner.ts'
import { done } from './samples.ts'
import { SAMPLE_MOMENT, sampleDevice, sampleEmail, sampleMoment, sampleToken } from './samples-people.ts'

/** Starts a notification to this number of readers, in one batch. */
const sending = async (fixture: DeliveriesFixture, readers: number) => {
  await fixture.readers(0, readers)
  await fixture.notification(1)
  await fixture.start()
  return fixture.claimed()
}

const devicesOf = (fixture: DeliveriesFixture, n: number) => collect(fixture.devices.ofUser(sampleEmail(n)))
const ANY = { provider: O.none, since: O.none }

/** What every `DeadDevices` must do, with the deliveries of the same store. */
export const deadDevicesContract = (
  runner: ContractRunner,
  make: () => Promise<DeliveriesUnderTest>,
): void => {
  const given = givenDeliveries(runner, make)

  given('G5: dead devices can be listed and restored, as they were', async (check, fixture) => {
    const batch = await sending(fixture, 3)
    const listed = (over = {}) => collect(fixture.deadDevices.list({ ...ANY, ...over }))
    check.same(await listed(), [])
    const ids = batch.recipients.map(({ deviceId }) => deviceId)
    for (const [n, id] of ids.entries())
      await done(fixture.record(batch.claim, [dead(SAMPLE_MOMENT)(id)], { now: sampleMoment(n) }))
    const expected = [0, 1, 2].map((n) => ({ device: sampleDevice(n), detachedAt: sampleMoment(n) }))
    check.same(await listed(), expected)
    check.same(await listed({ since: O.some(sampleMoment(1)) }), expected.slice(1))
    check.same(await listed({ provider: O.some('apns') }), [])
    check.same(await done(fixture.deadDevices.restore({ ...ANY, provider: O.some('apns') })), 0)
    const which = { provider: O.some('fcm' as const), since: O.some(sampleMoment(1)) }
    check.same(await done(fixture.deadDevices.restore(which)), 2)
    check.same(await done(fixture.deadDevices.restore(which)), 0)
    check.same(await listed(), expected.slice(0, 1))
    check.same([await devicesOf(fixture, 0), await devicesOf(fixture, 2)], [[], [sampleDevice(2)]])
    await fixture.notification(2)
    await fixture.start()
    const next = await fixture.claimed()
    check.same(next.recipients.length, 2, 'what is sent from now on reaches them')
    check.ok(next.recipients.every(({ deviceId }) => !ids.includes(deviceId)))
  })

  given('F4: a dead device that its user attaches again is nobody’s to restore', async (check, fixture) => {
    const batch = await sending(fixture, 2)
    await fixture.recordAll(batch, dead(SAMPLE_MOMENT))
    await done(
      fixture.devices.attach(sampleDevice(0, { email: sampleEmail(1), attachedAt: sampleMoment(5) })),
    )
    await done(fixture.devices.detach(sampleEmail(1), sampleToken(0)))
    check.same((await collect(fixture.deadDevices.list(ANY))).length, 1)
    await done(fixture.deadDevices.restore(ANY))
    check.same([await devicesOf(fixture, 0), await devicesOf(fixture, 1)], [[], [sampleDevice(1)]])
  })

  given('G5: dead devices that are old enough are forgotten', async (check, fixture) => {
    const batch = await sending(fixture, 3)
    for (const [n, { deviceId }] of batch.recipients.entries())
      await done(fixture.record(batch.claim, [dead(SAMPLE_MOMENT)(deviceId)], { now: sampleMoment(n) }))
    check.same(await done(fixture.deadDevices.purge(sampleMoment(1))), 2)
    check.same(await done(fixture.deadDevices.purge(sampleMoment(1))), 0)
    check.same((await collect(fixture.deadDevices.list(ANY))).length, 1)
  })
}
