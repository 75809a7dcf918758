import * as O from 'fp-ts/lib/Option.js'
import { retryAt } from '../../notifications/life.ts'
import type { Portion, Recipient, Turn } from '../../notifications/portion.ts'
import type { PushResult } from '../../notifications/push.ts'
import type { Instant } from '../../values/instant.ts'

/** What is known when a provider has answered. */
export interface Answered {
  readonly recipient: Recipient
  readonly result: PushResult
  readonly attachedAt: Instant
  readonly now: Instant
  /** From 0 to below 1, for jitter. */
  readonly fraction: number
}

/** How a recipient's turn went, by what came of the push (G5). */
export const turnOf = (
  { endsAt }: Pick<Portion, 'endsAt'>,
  { recipient: { deviceId, attempts }, result, attachedAt, now, fraction }: Answered,
): Turn => {
  switch (result._tag) {
    case 'Delivered':
      return { deviceId, kind: 'ended', outcome: 'delivered' }
    case 'Dead':
      return { deviceId, kind: 'dead', attachedAt }
    case 'Refused':
      return { deviceId, kind: 'ended', outcome: 'failed' }
    // A fault of ours may be mended before the notification's end.
    case 'OurFault':
    case 'Retry': {
      const retryAfter = result._tag === 'Retry' ? result.after : O.none
      const again = retryAt({ attempts: attempts + 1, now, retryAfter, fraction, endsAt })
      return O.isSome(again)
        ? { deviceId, kind: 'again', at: again.value }
        : { deviceId, kind: 'ended', outcome: 'failed' }
    }
  }
}
