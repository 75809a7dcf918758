import type { RateLimit } from '@almoner/adapters-http'
import * as O from 'fp-ts/lib/Option.js'
import type { Settings } from '../config/definitions.ts'

/** Returns the general limit a minute of the settings (A8); undefined if it is off. */
export const rateLimitOf = ({ rateLimit }: Pick<Settings, 'rateLimit'>): RateLimit | undefined =>
  O.isSome(rateLimit) ? { max: rateLimit.value, milliseconds: 60_000 } : undefined
