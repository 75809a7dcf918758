import type { RateLimit } from '@almoner/adapters-http'
import * as O from 'fp-ts/lib/Option.js'
import type { Settings } from '../config/definitions.ts'

const MINUTE = 60_000

/** Returns the general limit of the settings (A8); undefined if it is off. */
export const rateLimitOf = ({ rateLimit }: Pick<Settings, 'rateLimit'>): RateLimit | undefined =>
  O.toUndefined(O.map((max: number) => ({ max, milliseconds: MINUTE }))(rateLimit))
