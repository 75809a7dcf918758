import {
  type Batch,
  type Claim,
  type ClaimLost,
  type ClaimRequest,
  type DeliveryResult,
  pausesAmong,
  type Recipient,
  type Recorded,
  type RecordingTime,
  type ReleaseRequest,
  stopped,
  TOO_MANY_DEAD,
  wholeOf,
} from '@almoner/domain/delivery'
import type { Notification, Outcome, Progress } from '@almoner/domain/notifications'
import { type DeviceId, PROVIDERS, type Provider } from '@almoner/domain/people'
import type { Ports, Unavailable } from '@almoner/domain/ports'
import {
  collect,
  type Email,
  type Instant,
  type Language,
  MINUTE,
  type NotificationId,
} from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { type Check, type ContractRunner, onEach } from '../runner.ts'
import {
  done,
  SAMPLE_MOMENT,
  sampleDevice,
  sampleEmail,
  sampleMoment,
  sampleNotification,
} from '../samples.ts'

/** The ports that a delivery uses. */
export type DeliveryStore = Pick<
  Ports,
  'users' | 'devices' | 'labels' | 'notifications' | 'deliveries' | 'providers' | 'deadDevices'
>

/** A store for one test, with its own data. */
export interface DeliveriesUnderTest extends DeliveryStore {
  /** Releases the adapter's resources. Called once at the end of each test, also after a failure. */
  readonly close: () => Promise<void>
}

/** The origin of the sample devices. */
export const FCM = wholeOf('fcm')

/** How long a notification of these suites lives, in milliseconds. */
export const LIFE = 24 * 60 * MINUTE

/** The result of a push that ended with this outcome. */
export const ended =
  (outcome: Exclude<Outcome, 'dead'>) =>
  (deviceId: DeviceId): DeliveryResult =>
    outcome === 'delivered'
      ? { deviceId, kind: 'responded', origin: FCM, outcome }
      : { deviceId, kind: 'notSent', outcome }

/** The result of a push that is retried at this time. */
export const again =
  (at: Instant) =>
  (deviceId: DeviceId): DeliveryResult => ({
    ...{ deviceId, kind: 'retry', origin: FCM, cause: 'device', reason: '' },
    at: O.some(at),
  })

/** The result of a push that its origin refused because of who sends, which is retried at this time. */
export const senderRefused =
  (at: Instant, reason = 'a wrong key', origin = FCM) =>
  (deviceId: DeviceId): DeliveryResult => ({
    ...{ deviceId, kind: 'retry', origin, cause: 'sender', reason },
    at: O.some(at),
  })

/** The result of a push without an answer, which is retried at this time. */
export const silent =
  (at: Instant, origin = FCM) =>
  (deviceId: DeviceId): DeliveryResult => ({
    ...{ deviceId, kind: 'retry', origin, cause: 'silence', reason: '' },
    at: O.some(at),
  })

/** The result of a push whose origin asks us to wait. */
export const heldBack =
  (after: O.Option<number> = O.none, origin = FCM) =>
  (deviceId: DeviceId): DeliveryResult => ({ deviceId, kind: 'heldBack', origin, after, reason: 'HTTP 503' })

/** The result of a push to an unregistered device that was attached at this time. */
export const dead =
  (attachedAt: Instant) =>
  (deviceId: DeviceId): DeliveryResult => ({
    deviceId,
    kind: 'unregistered',
    origin: FCM,
    attachedAt,
  })

/** The result of a recipient that waits for its origin. */
export const deferred =
  (origin = FCM) =>
  (deviceId: DeviceId): DeliveryResult => ({ deviceId, kind: 'deferred', origin })

/** The emails of a batch's recipients. */
export const emailsOf = ({ recipients }: Batch): ReadonlyArray<Email> => recipients.map(({ email }) => email)

/** Emails of the sample readers `from` to `to`, without `to`. */
export const emails = (from: number, to: number): ReadonlyArray<Email> =>
  Array.from({ length: to - from }, (_, n) => sampleEmail(from + n))

/** A store with the steps that tests of deliveries have in common. */
export const makeDeliveryFixture = (store: DeliveryStore) => {
  const claim = (over: Partial<ClaimRequest> = {}): Promise<O.Option<Batch>> =>
    done(
      store.deliveries.claim({
        now: SAMPLE_MOMENT,
        most: 500,
        first: 'retries',
        except: [],
        isAbandoned: () => true,
        ...over,
      }),
    )
  return {
    ...store,
    claim,
    /** Claims a batch, which must exist. */
    claimed: async (over: Partial<ClaimRequest> = {}): Promise<Batch> => {
      const batch = await claim(over)
      if (O.isSome(batch)) return batch.value
      throw new Error('there is nothing to claim')
    },
    /** Adds sample readers of a language with one device each, attached in order. */
    readers: async (from: number, to: number, lang: Language = 'en'): Promise<void> => {
      for (let n = from; n < to; n += 1) {
        await done(store.devices.attach(sampleDevice(n)))
        if (lang !== 'en') await done(store.users.prefer(sampleEmail(n), { lang }))
      }
    },
    /** Stores a sample notification. */
    notification: async (n: number, over: Partial<Notification> = {}): Promise<NotificationId> => {
      const notification = sampleNotification(n, over)
      await done(store.notifications.add(notification))
      return notification.id
    },
    start: (now = SAMPLE_MOMENT): Promise<ReadonlyArray<NotificationId>> =>
      done(store.deliveries.start(now, LIFE)),
    record: (
      claim: Claim,
      results: ReadonlyArray<DeliveryResult>,
      { now = SAMPLE_MOMENT, last = false, credentials = {}, ...shortened }: Partial<RecordingTime> = {},
    ): TaskEither<ClaimLost | Unavailable, Recorded> =>
      store.deliveries.record(claim, results, { now, last, credentials, ...shortened }),
    /** Records results for all recipients of a batch, which ends it. */
    recordAll: (
      { claim, recipients }: Batch,
      result: (id: DeviceId) => DeliveryResult,
      now = SAMPLE_MOMENT,
    ) =>
      done(
        store.deliveries.record(
          claim,
          recipients.map(({ deviceId }) => result(deviceId)),
          { now, last: true, credentials: {} },
        ),
      ),
    /** Returns the progress of a notification, which must have been started. */
    progress: async (id: NotificationId): Promise<Progress> => {
      const found = await done(store.notifications.find(id))
      if (O.isSome(found) && O.isSome(found.value.progress)) return found.value.progress.value
      throw new Error('it has not been started')
    },
    /** Emails of the recipients that can still be sent to. */
    reachable: async (claim: Claim, recipients: ReadonlyArray<Recipient>): Promise<ReadonlyArray<Email>> => {
      const { devices } = await done(store.deliveries.checkEligibility(claim, recipients, SAMPLE_MOMENT))
      return recipients.filter(({ deviceId }) => devices.has(deviceId)).map(({ email }) => email)
    },
  }
}
export type DeliveriesFixture = ReturnType<typeof makeDeliveryFixture>

/** Registers tests, each with its own store. */
export type Given = (name: string, body: (check: Check, setup: DeliveriesFixture) => Promise<void>) => void

export const givenDeliveries = (runner: ContractRunner, make: () => Promise<DeliveriesUnderTest>): Given =>
  onEach(runner, make, makeDeliveryFixture)

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
