import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { TooManyAttempts } from '../../access/guessing.ts'
import { lockedUntil } from '../../access/model.ts'
import { NO_ACTIVE_SESSION, type NoSession } from '../../access/session.ts'
import type { ManagerPorts } from '../../ports/of-managers.ts'
import type { ManagerSecret } from '../../ports/one-time-secrets.ts'
import type { Unavailable } from '../../values/ports.ts'
import { attemptKeys, type SignInSource } from './open-session.ts'

/** Counts a challenge, which is stored, and rejects more than a hundred a minute of one network (A8). */
export const limitChallenges = (
  { clock, failedAttempts }: Pick<ManagerPorts, 'clock' | 'failedAttempts'>,
  source: Pick<SignInSource, 'address'>,
): E.Either<TooManyAttempts, void> => {
  const now = clock.now()
  const key = attemptKeys('challenge', source).pair
  const until = lockedUntil('address', failedAttempts.of('address', key, now), now)
  if (O.isSome(until)) return E.left({ _tag: 'TooManyAttempts', until: until.value })
  failedAttempts.add('address', key, now)
  return E.right(undefined)
}

/** Stores a secret of the person of a session. A person who has been disabled or erased meanwhile has no session any more (A9). */
export const putOwnSecret = (
  { oneTimeSecrets }: Pick<ManagerPorts, 'oneTimeSecrets'>,
  secret: ManagerSecret,
): TE.TaskEither<NoSession | Unavailable, void> =>
  pipe(
    oneTimeSecrets.put(secret),
    TE.mapError((failure) =>
      failure._tag === 'ManagerNotFound' || failure._tag === 'ManagerDisabled' ? NO_ACTIVE_SESSION : failure,
    ),
  )
