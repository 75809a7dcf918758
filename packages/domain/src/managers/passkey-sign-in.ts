import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { noteFailure, type TooManyAttempts, unlessLocked } from '../access/guessing.ts'
import type { Unavailable } from '../values/ports.ts'
import { addMillis } from '../values/time.ts'
import type { Passkey, SignInReason } from './credentials.ts'
import type { Manager } from './model.ts'
import { CHALLENGE_LIFE, type PasskeyChecker, type PasskeyClaim, type PasskeyOptions } from './passkeys.ts'
import type { ManagerPolicy, ManagerPorts } from './ports.ts'
import {
  attemptKeys,
  limitChallenges,
  type OpenedSession,
  openSession,
  type SignInSource,
} from './signing-in.ts'

/** The response of a browser to a challenge, and where the attempt comes from. */
export interface PasskeyAttempt extends SignInSource {
  /** The JSON text of a `PublicKeyCredential`. */
  readonly response: string
}

/** The sign-in failed: one answer for all reasons (M3). */
export interface SignInRefused {
  readonly _tag: 'SignInRefused'
  /** For the log, not for the caller. */
  readonly reason: SignInReason
}

const refused = (reason: SignInReason): SignInRefused => ({ _tag: 'SignInRefused', reason })

/** Asks for a sign-in by passkey: returns the options for the browser, with a challenge for five minutes (M3). Limited by network (A8). */
export const makeStartPasskeySignIn =
  (ports: Pick<ManagerPorts, 'clock' | 'failedAttempts' | 'oneTimeSecrets' | 'secrets'>) =>
  (
    checker: PasskeyChecker,
    source: Pick<SignInSource, 'address'>,
  ): TE.TaskEither<TooManyAttempts | Unavailable, PasskeyOptions> => {
    const challenge = ports.secrets.mint()
    const digest = ports.secrets.digest(challenge)
    const expiresAt = addMillis(ports.clock.now(), CHALLENGE_LIFE)
    return pipe(
      TE.fromEither(limitChallenges(ports, source)),
      TE.flatMap(
        (): TE.TaskEither<TooManyAttempts | Unavailable, void> =>
          ports.oneTimeSecrets.putChallenge({
            digest,
            purpose: 'passkey-sign-in',
            expiresAt,
            life: CHALLENGE_LIFE,
          }),
      ),
      TE.map(() => checker.signInOptions(challenge)),
    )
  }

type Needs = 'clock' | 'failedAttempts' | 'managers' | 'oneTimeSecrets' | 'passkeys' | 'secrets' | 'sessions'

type Failure = SignInRefused | Unavailable

interface Claimed {
  readonly passkey: Passkey
  readonly manager: Manager
}

/** Returns the passkey that a response claims, if its challenge is open, and the manager is enabled. */
const claimed = (
  ports: Pick<ManagerPorts, Needs>,
  { id, challenge }: PasskeyClaim,
): TE.TaskEither<Failure, Claimed> =>
  pipe(
    ports.oneTimeSecrets.take(ports.secrets.digest(challenge), 'passkey-sign-in', ports.clock.now()),
    TE.flatMap(TE.fromOption((): Failure => refused('not-begun-here'))),
    TE.flatMap(() => ports.passkeys.find(id)),
    TE.flatMap(TE.fromOption((): Failure => refused('unknown-passkey'))),
    TE.flatMap((passkey) =>
      TE.map((found: O.Option<Manager>) => ({ passkey, found }))(ports.managers.find(passkey.email)),
    ),
    TE.flatMap(
      ({ passkey, found }): TE.TaskEither<Failure, Claimed> =>
        O.isSome(found) && !found.value.disabled
          ? TE.right({ passkey, manager: found.value })
          : TE.left(refused('disabled-manager')),
    ),
  )

/** Returns the passkey whose manager a response proves to be there, and notes its use. */
const proved = (
  ports: Pick<ManagerPorts, Needs>,
  checker: PasskeyChecker,
  response: string,
): TE.TaskEither<Failure, Claimed> => {
  const claim = checker.read(response)
  if (O.isNone(claim)) return TE.left(refused('wrong-passkey-response'))
  return pipe(
    claimed(ports, claim.value),
    TE.bind('signCount', ({ passkey }) =>
      TE.mapError((): Failure => refused('wrong-passkey-response'))(
        checker.checkSignIn(response, claim.value.challenge, passkey),
      ),
    ),
    TE.tap(({ passkey: { id }, signCount }) => ports.passkeys.use({ id, signCount }, ports.clock.now())),
  )
}

/** Signs a manager in by a passkey, with a new session each time (M3, M4), unless too many wrong ones came from there (A8). */
export const makeSignInByPasskey =
  (ports: Pick<ManagerPorts, Needs>, policy: Pick<ManagerPolicy, 'sessionIdle' | 'sessionLife'>) =>
  (
    checker: PasskeyChecker,
    attempt: PasskeyAttempt,
  ): TE.TaskEither<SignInRefused | TooManyAttempts | Unavailable, OpenedSession> => {
    const keys = attemptKeys('passkey', attempt)
    const note = (failure: Failure): Failure => {
      if (failure._tag === 'SignInRefused') noteFailure(ports, keys)
      return failure
    }
    const opened = pipe(
      proved(ports, checker, attempt.response),
      TE.flatMap(({ manager, passkey }) => {
        const credential = { way: 'passkey', passkey } as const
        const checked = { email: manager.email, manager: O.some(manager), credential }
        return openSession(ports, policy, checked, attempt, refused('changed-meanwhile'))
      }),
      TE.mapError(note),
    )
    return pipe(
      TE.fromEither<SignInRefused | TooManyAttempts | Unavailable, void>(unlessLocked(ports, keys)),
      TE.flatMap(() => opened),
    )
  }
