import type { PushResult } from '@almoner/domain/notifications'
import type { Provider } from '@almoner/domain/people'
import { SECOND } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import type { PushWay } from '../../config/push.ts'
import { adviceFor } from '../push/advice.ts'

const OUTCOMES = {
  Delivered: 'delivered',
  Unregistered: 'dead',
  Retry: 'retry',
  Refused: 'refused',
  SenderError: 'fault',
} as const satisfies Record<PushResult['_tag'], string>

const secondsOf = (result: PushResult): number | null =>
  result._tag === 'Retry' && O.isSome(result.after) ? Math.ceil(result.after.value / SECOND) : null

/** Makes the document of a push to a provider, or to the sink in its place. */
export const outcomeDocument = (provider: Provider, { kind }: PushWay, result: PushResult) => ({
  provider,
  by: kind === 'providers' ? provider : kind,
  outcome: OUTCOMES[result._tag],
  /** Seconds that the provider asks to wait before another try. */
  retryAfter: secondsOf(result),
  reason: result._tag === 'Delivered' ? '' : result.reason,
})

/** Describes a result in a line for a person. */
export const outcomeLine = ({
  provider,
  by,
  outcome,
  retryAfter,
  reason,
}: ReturnType<typeof outcomeDocument>): string => {
  const word = reason === '' ? '' : `: ${reason}`
  switch (outcome) {
    case 'delivered':
      return by === provider
        ? `${provider}: delivered`
        : `${provider}: written into the ${by}, and sent to no device`
    case 'dead':
      return `${provider}: dead${word}: there is no such device any more`
    case 'retry':
      return `${provider}: retry${retryAfter === null ? '' : ` after ${retryAfter} s`}${word || ': no answer'}`
    case 'refused':
      return `${provider}: refused${word}: this push will never be taken for this device`
    case 'fault':
      return `${provider}: our fault: ${reason}; ${adviceFor(provider, reason)}`
  }
}
