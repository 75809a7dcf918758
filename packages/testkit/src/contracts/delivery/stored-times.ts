import { isCurrent } from '@almoner/domain/access'
import type { DeliveryResult } from '@almoner/domain/delivery'
import type { DeviceId } from '@almoner/domain/people'
import { addMillis, type ClientId, type Instant, instant, MINUTE, SECOND } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { MANAGER_NOW as NOW } from '../managers/managers.ts'
import type { UnderTest } from '../runner.ts'
import { done } from '../samples.ts'
import {
  again,
  answered,
  type DeliveriesFixture,
  type DeliveryStore,
  deferred,
  heldBack,
  LIFE,
  makeDeliveryFixture,
  recordSome,
  release,
  resume,
  senderRefused,
  silent,
} from './fixture.ts'

/** A store for one test, with its own data. */
export type ClockStepsUnderTest = UnderTest<
  | 'accessTokens'
  | 'clients'
  | 'deadDevices'
  | 'deliveries'
  | 'devices'
  | 'labels'
  | 'idempotencyKeys'
  | 'managers'
  | 'nodes'
  | 'notifications'
  | 'oneTimeSecrets'
  | 'previewTokens'
  | 'passwords'
  | 'providers'
  | 'sessions'
  | 'users'
>

/** A time that is stored. */
export interface StoredTime {
  /** Milliseconds for which it counts. */
  readonly life: number
  /** Stores something at a moment of the clock. */
  readonly store: (store: ClockStepsUnderTest, at: Instant) => Promise<unknown>
  /** Returns whether it counts at a later look at the clock, which may have been set. */
  readonly counts: (store: ClockStepsUnderTest, now: Instant) => Promise<boolean>
}

const SHORT = 10 * MINUTE

/** Starts a notification to some readers at {@link NOW}, and claims a batch of them. */
const begin = async (store: DeliveryStore, readers: number) => {
  const fixture = makeDeliveryFixture(store)
  await fixture.readers(0, readers)
  await fixture.notification(1, { date: O.some(instant(0)) })
  await fixture.start(NOW)
  return { fixture, batch: await fixture.claimed({ now: NOW }) }
}

/** Stores the result of one device at a moment. */
const result =
  (of: (at: Instant) => (id: DeviceId) => DeliveryResult) =>
  async (store: DeliveryStore, at: Instant): Promise<void> => {
    const { fixture, batch } = await begin(store, 1)
    await fixture.recordAll(batch, of(at), at)
  }

/** Leaves an origin without answers, so that it is probed, with a device that waits for it. */
const beginProbing = async (store: DeliveryStore, at: Instant): Promise<DeliveriesFixture> => {
  const { fixture, batch } = await begin(store, 6)
  await recordSome(fixture, batch, [0, 5], silent(at), { now: at })
  await recordSome(fixture, batch, [5, 6], deferred(), { now: at })
  return fixture
}

/** Sends to one device as a probe. */
const probeAt = async (store: DeliveryStore, at: Instant) => {
  const fixture = await beginProbing(store, addMillis(NOW, -MINUTE))
  await release(fixture, at)
  return fixture
}

const nothingToClaim = async (store: DeliveryStore, now: Instant) =>
  O.isNone(await makeDeliveryFixture(store).claim({ now }))

const nothingToProbe = async (store: DeliveryStore, now: Instant) =>
  (await release(makeDeliveryFixture(store), now)) === 0

const fcmAt = async (store: DeliveryStore, now: Instant) => {
  const [fcm] = await done(store.providers.states(now))
  if (fcm === undefined) throw new Error('there are providers')
  return fcm
}

/** Times of deliveries, of the health of origins, and of rotated secrets. */
export const SENDING_TIMES: Readonly<Record<string, StoredTime>> = {
  'a retry': {
    life: SHORT,
    store: result((at) => again(addMillis(at, SHORT))),
    counts: nothingToClaim,
  },
  'a device that waits for its origin': {
    life: LIFE,
    store: result(() => deferred()),
    counts: nothingToClaim,
  },
  'the wait that an origin asks for': {
    life: SHORT,
    store: result(() => heldBack(O.some(SHORT))),
    counts: async (store, now) => O.isSome((await fcmAt(store, now)).pause),
  },
  'the time of the first probe': { life: 2 * SECOND, store: beginProbing, counts: nothingToProbe },
  'a probe that was lost with its process': { life: 30 * SECOND, store: probeAt, counts: nothingToProbe },
  'the wait that a probed origin asks for': {
    life: SHORT,
    store: async (store, at) => {
      const fixture = await probeAt(store, at)
      await fixture.recordAll(await fixture.claimed({ now: at }), heldBack(O.some(SHORT)), at)
    },
    counts: nothingToProbe,
  },
  'trust in an origin that has accepted a push': {
    life: SHORT,
    store: async (store, at) => {
      const { fixture, batch } = await begin(store, 6)
      await recordSome(fixture, batch, [0, 1], answered('delivered'), { now: at })
    },
    counts: async (store, now) => {
      const fixture = makeDeliveryFixture(store)
      const batch = await fixture.claimed({ now: addMillis(NOW, LIFE) })
      const { paused } = await recordSome(fixture, batch, [0, 5], senderRefused(now), { now })
      return paused.length === 0
    },
  },
  'an override of a provider': {
    life: SHORT,
    store: (store, at) =>
      resume(makeDeliveryFixture(store), { now: at, overrideUntil: O.some(addMillis(at, SHORT)) }),
    counts: async (store, now) => O.isSome((await fcmAt(store, now)).overrideUntil),
  },
  'a secret that was rotated': {
    life: SHORT,
    store: ({ clients }, at) =>
      done(
        clients.rotate('app' as ClientId, 'new', O.some(addMillis(at, SHORT)), {
          ...{ actor: { kind: 'command', id: 'client rotate' }, action: 'rotate-client', at },
        }),
      ),
    counts: async ({ clients }, now) => {
      const found = await done(clients.find('app' as ClientId))
      const [, old] = O.isSome(found) ? found.value.secrets : []
      return old !== undefined && isCurrent(now)(old)
    },
  },
}
