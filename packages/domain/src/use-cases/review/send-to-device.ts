import * as O from 'fp-ts/lib/Option.js'
import type { Batch, DeliveryResult, Eligibility, Recipient } from '../../notifications/batch.ts'
import type { PushMessage } from '../../notifications/model.ts'
import { type Origin, originOf, providerOf, wholeOf } from '../../notifications/origin.ts'
import type { Push } from '../../notifications/push.ts'
import { type DeviceCodec, destinationOf, type Provider } from '../../people/destinations.ts'
import type { DeviceId } from '../../people/model.ts'
import type { DeliveryPorts } from '../../ports/of-delivery.ts'
import type { Instant } from '../../values/time.ts'
import type { Lanes } from './lanes.ts'
import type { CountedGateway } from './response-counts.ts'
import { resultOf } from './result-of.ts'

type Needs = 'pushGateway' | 'clock' | 'random'

/** The next step for a recipient: it has a result without a push, or there is a push to send. */
export type Plan =
  | { readonly kind: 'result'; readonly result: DeliveryResult }
  | { readonly kind: 'push'; readonly origin: Origin; readonly push: Push }

/** Sends to the recipients of a batch. */
export interface Sender {
  /**
   * Decides about a recipient. A detached, moved or unsubscribed device is skipped (G4). After the end of the notification's life, or without a
   * provider for its token, it counts as failed (G7). While its origin is closed, it waits for it (G5, G15).
   */
  plan(recipient: Recipient, eligibility: Eligibility): Plan
  /** Sends a push, and gives the result of its recipient. */
  send(recipient: Recipient, plan: Extract<Plan, { readonly kind: 'push' }>): Promise<DeliveryResult>
}

const isClosed = ({ closed }: Eligibility, origin: Origin, deviceId: DeviceId): boolean => {
  if (closed.get(wholeOf(providerOf(origin)))?.kind === 'stopped') return true
  const own = closed.get(origin)
  return own !== undefined && !(O.isSome(own.probe) && own.probe.value === deviceId)
}

/** Makes the sender of a batch. @param left providers whose devices are left to other processes */
export const makeSender = (
  ports: Pick<DeliveryPorts, Needs> & Pick<CountedGateway, 'notSent'>,
  { claim: { notificationId }, endsAt: storedEnd }: Batch,
  {
    message,
    left,
    deviceCodecs,
    lanes,
    lifeEnd,
  }: {
    readonly message: PushMessage
    readonly left: ReadonlySet<Provider>
    readonly deviceCodecs?: ReadonlyArray<DeviceCodec> | undefined
    readonly lanes: Pick<Lanes, 'note'>
    readonly lifeEnd: (endsAt: Instant) => Instant
  },
): Sender => ({
  plan({ deviceId }, eligibility) {
    const without = (result: DeliveryResult): Plan => ({ kind: 'result', result })
    const reachable = eligibility.devices.get(deviceId)
    if (reachable === undefined) return without({ deviceId, kind: 'notSent', outcome: 'skipped' })
    const { token, kind, attachedAt } = reachable
    const destination = destinationOf(token, kind, deviceCodecs)
    const endsAt = lifeEnd(storedEnd)
    if (destination === undefined || ports.clock.now() >= endsAt) {
      const isKnown = destination !== undefined
      ports.notSent(kind, isKnown ? 'the life of the notification was over' : 'no rule recognises the token')
      return without({ deviceId, kind: 'notSent', outcome: 'failed' })
    }
    const origin = originOf(destination)
    if (left.has(destination.provider) || isClosed(eligibility, origin, deviceId))
      return without({ deviceId, kind: 'deferred', origin })
    return {
      kind: 'push',
      origin,
      push: { notificationId, deviceId, destination, message, attachedAt, endsAt },
    }
  },
  async send(recipient, { origin, push }) {
    const result = await ports.pushGateway.send(push)()
    lanes.note(origin, result)
    const [now, fraction] = [ports.clock.now(), ports.random.fraction()]
    const { attachedAt, endsAt } = push
    return resultOf({ endsAt }, { recipient, origin, result, attachedAt, now, fraction })
  },
})
