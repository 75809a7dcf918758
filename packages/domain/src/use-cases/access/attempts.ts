import * as E from 'fp-ts/lib/Either.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import { lockedUntil, SOURCES, type Source } from '../../access/brute-force.ts'
import type { AccessPorts } from '../../ports/of-access.ts'
import { type Instant, instant } from '../../values/time.ts'

/** Too many wrong credentials came from there; it may try again at `until` (A8). */
export interface TooManyAttempts {
  readonly _tag: 'TooManyAttempts'
  readonly until: Instant
}

/** The keys by which the failures of an attempt are counted (A8). */
export type AttemptKeys = Readonly<Record<Source, string>>

type Needs = 'clock' | 'failedAttempts'

/** Rejects an attempt from a blocked source, even with the right credentials (A8). */
export const unlessLocked = (
  { clock, failedAttempts }: Pick<AccessPorts, Needs>,
  keys: AttemptKeys,
): E.Either<TooManyAttempts, void> => {
  const now = clock.now()
  const until = SOURCES.map((source) =>
    lockedUntil(source, failedAttempts.of(source, keys[source], now), now),
  )
  const [first, ...rest] = RA.compact(until)
  return first === undefined
    ? E.right(undefined)
    : E.left({ _tag: 'TooManyAttempts', until: instant(Math.max(first, ...rest)) })
}

/** Counts a failed attempt (A8). */
export const noteFailure = ({ clock, failedAttempts }: Pick<AccessPorts, Needs>, keys: AttemptKeys): void => {
  const now = clock.now()
  for (const source of SOURCES) failedAttempts.add(source, keys[source], now)
}
