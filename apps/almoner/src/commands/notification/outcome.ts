import { type Provider, type PushResult, SECOND } from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import type { PushWay } from '../../config/push.ts'
import { adviceFor } from '../push/advice.ts'

/** The result of one push as JSON. */
export interface Outcome {
  /** The provider of the device. */
  readonly provider: Provider
  /** That provider, or the sink that pushes are written to instead. */
  readonly by: Provider | 'log' | 'file'
  readonly outcome: 'delivered' | 'dead' | 'retry' | 'refused' | 'fault'
  /** Seconds that the provider asks to wait before another try; null where it does not say. */
  readonly retryAfter: number | null
  /** The provider's reason; empty where it gives none. */
  readonly reason: string
}

const OUTCOMES = {
  Delivered: 'delivered',
  Dead: 'dead',
  Retry: 'retry',
  Refused: 'refused',
  OurFault: 'fault',
} as const satisfies Record<PushResult['_tag'], Outcome['outcome']>

const secondsOf = (result: PushResult): number | null =>
  result._tag === 'Retry' && O.isSome(result.after) ? Math.ceil(result.after.value / SECOND) : null

/** Makes the document of a result. */
export const outcomeDocument = (provider: Provider, { kind }: PushWay, result: PushResult): Outcome => ({
  provider,
  by: kind === 'providers' ? provider : kind,
  outcome: OUTCOMES[result._tag],
  retryAfter: secondsOf(result),
  reason: result._tag === 'Delivered' ? '' : result.reason,
})

/** Describes a result in a line for a person. */
export const outcomeLine = ({ provider, by, outcome, retryAfter, reason }: Outcome): string => {
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
