import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { lockedUntil } from '../../access/brute-force.ts'
import type { Ports } from '../../ports/index.ts'
import type { TooManyAttempts } from '../access/attempts.ts'
import { attemptKeys, type SignInSource } from './open-session.ts'

/** Counts a challenge, which is stored, and rejects more than a hundred a minute of one network (A8). */
export const limitChallenges = (
  { clock, failedAttempts }: Pick<Ports, 'clock' | 'failedAttempts'>,
  source: Pick<SignInSource, 'address'>,
): E.Either<TooManyAttempts, void> => {
  const now = clock.now()
  const key = attemptKeys('challenge', source).pair
  const until = lockedUntil('address', failedAttempts.of('address', key, now), now)
  if (O.isSome(until)) return E.left({ _tag: 'TooManyAttempts', until: until.value })
  failedAttempts.add('address', key, now)
  return E.right(undefined)
}
