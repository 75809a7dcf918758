import type { DeviceToken } from '@almoner/domain/people'
import * as O from 'fp-ts/lib/Option.js'
import {
  type DeliveriesFixture,
  type DeliveriesUnderTest,
  dead,
  givenDeliveries,
} from './deliveries/fixture.ts'
import { spellDevices } from './device-spellings.ts'
import { collect } from './item-store.ts'
import type { ContractRunner } from './runner.ts'
import { done } from './samples.ts'
import { SAMPLE_MOMENT, sampleDevice, sampleEmail, sampleMoment } from './samples-people.ts'
import { seeded } from './seeded.ts'

/** Starts a notification to this number of readers, in one batch. */
const sending = async (setup: DeliveriesFixture, readers: number) => {
  await setup.readers(0, readers)
  await setup.notification(1)
  await setup.start()
  return setup.claimed()
}

const devicesOf = (setup: DeliveriesFixture, n: number) => collect(setup.devices.ofUser(sampleEmail(n)))
const ANY = { provider: O.none, since: O.none }

/** Contract tests of `DeadDevices`, together with the deliveries of the same store. */
export const deadDevicesContract = (
  runner: ContractRunner,
  make: () => Promise<DeliveriesUnderTest>,
): void => {
  const given = givenDeliveries(runner, make)

  given('G5: dead devices can be listed, and restored unchanged', async (check, setup) => {
    const batch = await sending(setup, 3)
    const listed = (over = {}) => collect(setup.deadDevices.list({ ...ANY, ...over }))
    check.same(await listed(), [])
    const ids = batch.recipients.map(({ deviceId }) => deviceId)
    for (const [n, id] of ids.entries())
      await done(setup.record(batch.claim, [dead(SAMPLE_MOMENT)(id)], { now: sampleMoment(n) }))
    const expected = [0, 1, 2].map((n) => ({ device: sampleDevice(n), detachedAt: sampleMoment(n) }))
    check.same(await listed(), expected)
    check.same(await listed({ since: O.some(sampleMoment(1)) }), expected.slice(1))
    check.same(await listed({ provider: O.some('apns') }), [])
    check.same(await listed({ provider: O.some('fcm') }), expected)
    check.same(await done(setup.deadDevices.restore({ ...ANY, provider: O.some('apns') })), 0)
    const which = { provider: O.some('fcm' as const), since: O.some(sampleMoment(1)) }
    check.same(await done(setup.deadDevices.restore(which)), 2)
    check.same(await done(setup.deadDevices.restore(which)), 0)
    check.same(await listed(), expected.slice(0, 1))
    check.same([await devicesOf(setup, 0), await devicesOf(setup, 2)], [[], [sampleDevice(2)]])
    await setup.notification(2)
    await setup.start()
    const next = await setup.claimed()
    check.same(next.recipients.length, 2, 'pushes from now on reach them')
    check.ok(next.recipients.every(({ deviceId }) => !ids.includes(deviceId)))
  })

  given('F4: a dead device that its user attaches again cannot be restored', async (check, setup) => {
    const batch = await sending(setup, 2)
    await setup.recordAll(batch, dead(SAMPLE_MOMENT))
    await done(setup.devices.attach(sampleDevice(0, { email: sampleEmail(1), attachedAt: sampleMoment(5) })))
    await done(setup.devices.detach(sampleEmail(1), sampleDevice(0)))
    check.same((await collect(setup.deadDevices.list(ANY))).length, 1)
    await done(setup.deadDevices.restore(ANY))
    check.same([await devicesOf(setup, 0), await devicesOf(setup, 1)], [[], [sampleDevice(1)]])
  })

  given('F4: attaching a device by any text takes it off the list of the dead', async (check, setup) => {
    const spelt = spellDevices(seeded(7), 3)
    for (const [n, { kind, texts }] of spelt.entries())
      await done(setup.devices.attach(sampleDevice(n, { kind, token: texts[0] as DeviceToken })))
    await setup.notification(1)
    await setup.start()
    await setup.recordAll(await setup.claimed(), dead(SAMPLE_MOMENT))
    check.same((await collect(setup.deadDevices.list(ANY))).length, spelt.length)
    for (const [n, { name, kind, texts }] of spelt.entries()) {
      await done(setup.devices.attach(sampleDevice(n, { kind, token: texts[1] as DeviceToken })))
      check.same((await collect(setup.deadDevices.list(ANY))).length, spelt.length - n - 1, name)
    }
    check.same(await done(setup.deadDevices.restore(ANY)), 0)
  })

  given('G5: purging deletes dead devices that are old enough', async (check, setup) => {
    const batch = await sending(setup, 3)
    for (const [n, { deviceId }] of batch.recipients.entries())
      await done(setup.record(batch.claim, [dead(SAMPLE_MOMENT)(deviceId)], { now: sampleMoment(n) }))
    check.same(await done(setup.deadDevices.purge(sampleMoment(1))), 2)
    check.same(await done(setup.deadDevices.purge(sampleMoment(1))), 0)
    check.same((await collect(setup.deadDevices.list(ANY))).length, 1)
  })
}
