import * as O from 'fp-ts/lib/Option.js'
import type { Batch, DeliveryResult, Recipient } from '../../notifications/batch.ts'
import { retryAt } from '../../notifications/life.ts'
import type { PushResult } from '../../notifications/push.ts'
import type { Provider } from '../../people/destination.ts'
import type { Instant } from '../../values/instant.ts'

/** The facts after a response of a provider. */
export interface ProviderResponse {
  readonly recipient: Recipient
  readonly provider: Provider
  readonly result: PushResult
  readonly attachedAt: Instant
  readonly now: Instant
  /** From 0 to below 1, for jitter. */
  readonly fraction: number
}

/** Returns the result of a recipient for the response to its push (G5). */
export const resultOf = (
  { endsAt }: Pick<Batch, 'endsAt'>,
  { recipient: { deviceId, attempts }, provider, result, attachedAt, now, fraction }: ProviderResponse,
): DeliveryResult => {
  switch (result._tag) {
    case 'Delivered':
      return { deviceId, kind: 'responded', provider, outcome: 'delivered' }
    case 'Unregistered':
      return { deviceId, kind: 'unregistered', provider, attachedAt }
    case 'Refused':
      return { deviceId, kind: 'responded', provider, outcome: 'failed' }
    // A fault of ours may be mended before the notification's end, and says nothing of the device.
    case 'SenderError':
      return { deviceId, kind: 'deferred', provider, fault: O.some(result.reason) }
    case 'Retry': {
      const again = retryAt({ attempts: attempts + 1, now, retryAfter: result.after, fraction, endsAt })
      return O.isSome(again)
        ? { deviceId, kind: 'retry', at: again.value }
        : { deviceId, kind: 'notSent', outcome: 'failed' }
    }
  }
}
