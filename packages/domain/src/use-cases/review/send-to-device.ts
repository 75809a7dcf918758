import * as O from 'fp-ts/lib/Option.js'
import type { Batch, DeliveryResult, Eligibility, Recipient } from '../../notifications/batch.ts'
import type { PushMessage } from '../../notifications/message.ts'
import { type DeviceCodec, destinationOf } from '../../people/destination.ts'
import type { Ports } from '../../ports/index.ts'
import type { CountedGateway } from './response-counts.ts'
import { resultOf } from './result-of.ts'

type Needs = 'pushGateway' | 'clock' | 'random'

/**
 * Sends to one recipient. A detached, moved or unsubscribed device is skipped (G4). After the end of the notification's life, or without a
 * provider for its token, it counts as failed (G7). While its provider is paused, it is deferred (G5).
 */
export const sendToDevice =
  (
    ports: Pick<Ports, Needs> & Pick<CountedGateway, 'notSent'>,
    { claim, endsAt }: Batch,
    message: PushMessage,
    codecs?: ReadonlyArray<DeviceCodec>,
  ) =>
  async (recipient: Recipient, { devices, paused }: Eligibility): Promise<DeliveryResult> => {
    const { deviceId } = recipient
    const reachable = devices.get(deviceId)
    if (reachable === undefined) return { deviceId, kind: 'notSent', outcome: 'skipped' }
    const { token, kind, attachedAt } = reachable
    const destination = destinationOf(token, kind, codecs)
    if (destination === undefined || ports.clock.now() >= endsAt) {
      const isKnown = destination !== undefined
      ports.notSent(kind, isKnown ? 'the life of the notification was over' : 'no rule recognises the token')
      return { deviceId, kind: 'notSent', outcome: 'failed' }
    }
    const { provider } = destination
    if (paused.has(provider)) return { deviceId, kind: 'deferred', provider, fault: O.none }
    const { notificationId } = claim
    const push = { notificationId, deviceId, destination, message, attachedAt, endsAt }
    const result = await ports.pushGateway.send(push)()
    const [now, fraction] = [ports.clock.now(), ports.random.fraction()]
    return resultOf({ endsAt }, { recipient, provider, result, attachedAt, now, fraction })
  }
