import * as O from 'fp-ts/lib/Option.js'
import type { Caller } from '../access/caller.ts'
import { type Sight, sightOf } from '../items/visibility.ts'
import type { Clock } from '../ports/clock.ts'
import { type Policy, todayFor } from './policy.ts'

/** What of a policy decides who sees what (C9). */
export type SightPolicy = Pick<Policy, 'timeZone' | 'embargo'>

/** How far a caller sees today (A3, C9). */
export const sightFor = (policy: SightPolicy, clock: Clock, caller: Caller): Sight =>
  sightOf(caller, policy.embargo ? O.some(todayFor(policy, clock)) : O.none)
