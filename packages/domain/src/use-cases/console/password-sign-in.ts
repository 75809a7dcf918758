import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { networkOf } from '../../access/network.ts'
import type { Password, StoredPassword } from '../../access/password.ts'
import type { PasswordChecker } from '../../access/password-checker.ts'
import { plainCode } from '../../access/recovery-codes.ts'
import { acceptedStep, type TotpSecret } from '../../access/totp.ts'
import type { Manager } from '../../people/manager.ts'
import type { Ports } from '../../ports/index.ts'
import type { UsedCode } from '../../ports/passwords.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import type { Email } from '../../values/email.ts'
import { type AttemptKeys, noteFailure, type TooManyAttempts, unlessLocked } from '../access/attempts.ts'
import type { Policy } from '../policy.ts'
import { type OpenedSession, openSession, type SignInSource } from './open-session.ts'
import type { SignInRefused } from './passkey-sign-in.ts'

/** What a person typed to sign in, and where the attempt comes from. */
export interface PasswordAttempt extends SignInSource {
  readonly email: Email
  readonly password: Password
  /** A code of the authenticator app, or a recovery code. */
  readonly code: string
}

type Needs = 'clock' | 'failedAttempts' | 'managers' | 'passwords' | 'secrets' | 'sessions'

type Failure = SignInRefused | TooManyAttempts | Unavailable

const REFUSED: Failure = { _tag: 'SignInRefused' }

/** Failures are counted by address of the person and of the network, and by network (A8). */
const keysOf = ({ email, address }: PasswordAttempt): AttemptKeys => {
  const network = networkOf(address)
  return { pair: `${network}\npassword ${email}`, address: network }
}

/** Stands for the second factors of people who have none, so that their attempts take the same work. */
const NONE: Pick<StoredPassword, 'totpSecret' | 'usedStep' | 'recoveryCodes'> = {
  totpSecret: 'A'.repeat(32) as TotpSecret,
  usedStep: Number.POSITIVE_INFINITY,
  recoveryCodes: [],
}

/** Returns what a code uses up, if it is right now. */
const usedBy = (
  { clock, secrets }: Pick<Ports, Needs>,
  { hmac }: PasswordChecker,
  factors: typeof NONE,
  typed: string,
): O.Option<UsedCode> => {
  const code = plainCode(typed)
  const step = acceptedStep(hmac, factors, code, clock.now())
  const digest = secrets.digest(code)
  const isRecovery = factors.recoveryCodes.includes(digest)
  return isRecovery ? O.some({ recoveryCode: digest }) : O.map((used: number) => ({ step: used }))(step)
}

/**
 * Returns the manager whom password and code prove to be there, and uses the code up. Both are looked at in each case, so that neither the answer
 * nor its time says which is wrong (M3).
 */
const proved = (
  ports: Pick<Ports, Needs>,
  checker: PasswordChecker,
  { email, password, code }: PasswordAttempt,
): TE.TaskEither<Failure, Manager> =>
  pipe(
    TE.Do,
    TE.bind('manager', () => ports.managers.find(email)),
    TE.bind('stored', () => ports.passwords.find(email)),
    TE.bind('isRight', ({ stored }) =>
      checker.verify(password, O.map(({ hash }: StoredPassword) => hash)(stored)),
    ),
    TE.flatMap(({ manager, stored, isRight }): TE.TaskEither<Failure, Manager> => {
      const used = usedBy(ports, checker, O.isSome(stored) ? stored.value : NONE, code)
      const isIn = isRight && O.isSome(manager) && !manager.value.disabled
      if (!isIn || O.isNone(used)) return TE.left(REFUSED)
      return pipe(
        ports.passwords.use(email, used.value, ports.clock.now()),
        TE.flatMap((isFirst) => (isFirst ? TE.right(manager.value) : TE.left(REFUSED))),
      )
    }),
  )

/** Signs a manager in by password and code, with a new session each time (M3, M4), unless too many wrong ones came from there (A8). */
export const makeSignInByPassword =
  (ports: Pick<Ports, Needs>, policy: Pick<Policy, 'sessionIdle' | 'sessionLife'>) =>
  (
    checker: PasswordChecker,
    attempt: PasswordAttempt,
  ): TE.TaskEither<SignInRefused | TooManyAttempts | Unavailable, OpenedSession> => {
    const keys = keysOf(attempt)
    const unlocked = () => TE.fromEither<Failure, void>(unlessLocked(ports, keys))
    const note = (failure: Failure): Failure => {
      if (failure._tag === 'SignInRefused') noteFailure(ports, keys)
      return failure
    }
    return pipe(
      unlocked(),
      TE.flatMap(() => TE.mapError(note)(proved(ports, checker, attempt))),
      // Guesses that were sent at once have passed the first look together.
      TE.tap(unlocked),
      TE.flatMap((manager) => openSession(ports, policy, manager, attempt)),
    )
  }
