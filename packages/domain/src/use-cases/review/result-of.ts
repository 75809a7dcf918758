import * as O from 'fp-ts/lib/Option.js'
import type { Batch, DeliveryResult, Recipient, RetryCause } from '../../notifications/batch.ts'
import { retryAt } from '../../notifications/life.ts'
import type { Origin } from '../../notifications/origin.ts'
import type { PushResult } from '../../notifications/push.ts'
import type { Instant } from '../../values/time.ts'

/** The facts after a response of a provider. */
export interface ProviderResponse {
  readonly recipient: Recipient
  readonly origin: Origin
  readonly result: PushResult
  readonly attachedAt: Instant
  readonly now: Instant
  /** From 0 to below 1, for jitter. */
  readonly fraction: number
}

/** Returns the result of a recipient for the response to its push (G5). */
export const resultOf = (
  { endsAt }: Pick<Batch, 'endsAt'>,
  { recipient: { deviceId, attempts }, origin, result, attachedAt, now, fraction }: ProviderResponse,
): DeliveryResult => {
  const again = (cause: RetryCause, reason: string, retryAfter: O.Option<number>): DeliveryResult => {
    const at = retryAt({ attempts: attempts + 1, now, retryAfter, fraction, endsAt })
    return { deviceId, kind: 'retry', origin, cause, reason, at }
  }
  switch (result._tag) {
    case 'Delivered':
      return { deviceId, kind: 'responded', origin, outcome: 'delivered' }
    case 'Unregistered':
      return { deviceId, kind: 'unregistered', origin, attachedAt }
    case 'Refused':
      return { deviceId, kind: 'responded', origin, outcome: 'failed' }
    // A fault of ours may be mended before the notification's end, and says nothing of the device.
    case 'SenderError':
      return again(result.for === 'all' ? 'sender' : 'partner', result.reason, O.none)
    case 'Retry': {
      const { because, after, reason } = result
      if (because === 'origin') return { deviceId, kind: 'heldBack', origin, after, reason }
      return again(because, reason, after)
    }
  }
}
