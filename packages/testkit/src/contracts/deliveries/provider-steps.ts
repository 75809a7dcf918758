import {
  type Batch,
  type DeliveryResult,
  pausesAmong,
  type ReleaseRequest,
  stopped,
  TOO_MANY_DEAD,
} from '@almoner/domain/delivery'
import { type DeviceId, PROVIDERS, type Provider } from '@almoner/domain/people'
import { collect, type Instant } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import type { Check } from '../runner.ts'
import { done, SAMPLE_MOMENT, sampleEmail, sampleMoment } from '../samples.ts'
import { type DeliveriesFixture, FCM } from './fixture.ts'

/** Starts a notification to this number of readers, in one batch. */
export const sending = async (setup: DeliveriesFixture, readers: number) => {
  await setup.readers(0, readers)
  const id = await setup.notification(1)
  await setup.start()
  return { id, batch: await setup.claimed() }
}

/** Makes the result of a device that the provider has responded for. */
export const answered =
  (outcome: 'delivered' | 'failed', origin = FCM) =>
  (deviceId: DeviceId): DeliveryResult => ({ deviceId, kind: 'responded', origin, outcome })

/** Reads the devices of the n-th reader. */
export const devicesOf = (setup: DeliveriesFixture, n: number) =>
  collect(setup.devices.ofUser(sampleEmail(n)))

/** Reads the pauses in force. */
export const pauses = async (setup: DeliveriesFixture, now = SAMPLE_MOMENT) =>
  pausesAmong(await done(setup.providers.states(now)))

/** The pause of an origin that reported too many devices as unregistered. */
export const OPEN = stopped(FCM, TOO_MANY_DEAD, SAMPLE_MOMENT)

/** Ends the pauses of a provider. */
export const resume = (
  setup: DeliveriesFixture,
  { provider = 'fcm', now = SAMPLE_MOMENT, overrideUntil = O.none }: Partial<Resuming> = {},
) => done(setup.providers.resume(provider, { now, overrideUntil }))

interface Resuming {
  readonly provider: Provider
  readonly now: Instant
  readonly overrideUntil: O.Option<Instant>
}

/** Releases the deferred devices of one call, for a process with these providers and any room. */
export const release = (setup: DeliveriesFixture, now: Instant, over: Partial<ReleaseRequest> = {}) =>
  done(setup.deliveries.releaseDeferred({ now, by: PROVIDERS, room: () => 1000, fraction: 0, ...over }))

/** The fingerprint of the credentials by which these suites send. */
const KEY = { fcm: 'a key' }
/** A time after those of most steps. */
export const LATER = sampleMoment(30)

/** Records results for recipients of a batch, from one place to another. */
export const recordSome = (
  setup: DeliveriesFixture,
  { claim, recipients }: Batch,
  [from, to]: readonly [number, number],
  result: (id: DeviceId) => DeliveryResult,
  at: { readonly now?: Instant; readonly credentials?: { readonly fcm?: string } } = {},
) =>
  done(
    setup.record(
      claim,
      recipients.slice(from, to).map(({ deviceId }) => result(deviceId)),
      { credentials: KEY, ...at },
    ),
  )

/** Claims the device of a probe, which must be due, and records its result. */
export const probe = async (
  check: Check,
  setup: DeliveriesFixture,
  now: Instant,
  result: (id: DeviceId) => DeliveryResult,
): Promise<DeviceId | undefined> => {
  check.same(await release(setup, now), 1, `a probe at ${now - SAMPLE_MOMENT}`)
  check.same(await release(setup, now), 0, 'one at a time')
  const batch = await setup.claimed({ now })
  check.same(batch.recipients.length, 1)
  await setup.recordAll(batch, result, now)
  return batch.recipients[0]?.deviceId
}
