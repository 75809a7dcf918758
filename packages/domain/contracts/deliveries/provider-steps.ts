import * as O from 'fp-ts/lib/Option.js'
import {
  type DeliveryResult,
  type DeviceId,
  type Instant,
  PROVIDERS,
  type Provider,
  pausesAmong,
  type ReleaseRequest,
  TOO_MANY_DEAD,
} from '../../src/all.ts'
import { collect } from '../item-store.ts'
import { done } from '../samples.ts'
import { SAMPLE_MOMENT, sampleEmail } from '../samples-people.ts'
import type { DeliveriesFixture } from './fixture.ts'

/** Starts a notification to this number of readers, in one batch. */
export const sending = async (setup: DeliveriesFixture, readers: number) => {
  await setup.readers(0, readers)
  const id = await setup.notification(1)
  await setup.start()
  return { id, batch: await setup.claimed() }
}

/** Makes the result of a device that the provider has responded for. */
export const answered =
  (outcome: 'delivered' | 'failed', provider: Provider = 'fcm') =>
  (deviceId: DeviceId): DeliveryResult => ({ deviceId, kind: 'responded', provider, outcome })

/** Reads the devices of the n-th reader. */
export const devicesOf = (setup: DeliveriesFixture, n: number) =>
  collect(setup.devices.ofUser(sampleEmail(n)))

/** Reads the pauses in force. */
export const pauses = async (setup: DeliveriesFixture, now = SAMPLE_MOMENT) =>
  pausesAmong(await done(setup.providers.states(now)))

/** The pause of a provider that reported too many devices as unregistered. */
export const OPEN = { provider: 'fcm', reason: TOO_MANY_DEAD, since: SAMPLE_MOMENT, until: O.none }

/** Ends the pause of FCM. */
export const resume = (setup: DeliveriesFixture, overrideUntil: O.Option<typeof SAMPLE_MOMENT> = O.none) =>
  done(setup.providers.resume('fcm', { now: SAMPLE_MOMENT, overrideUntil }))
/** Releases the deferred devices of one call, for a process with these providers. */
export const release = (setup: DeliveriesFixture, now: Instant, over: Partial<ReleaseRequest> = {}) =>
  done(setup.deliveries.releaseDeferred({ now, by: PROVIDERS, first: 1000, ...over }))
