import * as E from 'fp-ts/lib/Either.js'
import { addMillis, type Instant, MINUTE } from '../values/instant.ts'
import type { Caller } from './caller.ts'

/** How long a proof of presence counts, in milliseconds (M4). */
const RECENT = 5 * MINUTE

/** The person behind a session has not proved presence for five minutes. Signing in again is a proof (M4). */
export interface PresenceRequired {
  readonly _tag: 'PresenceRequired'
}

/**
 * Returns the caller if the person behind its session has just proved presence: within five minutes, of which the last moment is too late
 * (M4). A client of the API is no person, and needs no proof.
 */
export const requirePresence =
  (now: Instant) =>
  <C extends Caller>(caller: C): E.Either<PresenceRequired, C> =>
    caller.confirmedAt === undefined || now < addMillis(caller.confirmedAt, RECENT)
      ? E.right(caller)
      : E.left({ _tag: 'PresenceRequired' })
