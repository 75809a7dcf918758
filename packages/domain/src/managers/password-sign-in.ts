import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import {
  type AttemptKeys,
  networkOf,
  noteFailure,
  type TooManyAttempts,
  unlessLocked,
} from '../access/guessing.ts'
import type { Email } from '../values/addresses.ts'
import type { Unavailable } from '../values/ports.ts'
import { acceptedStep, plainCode, type TotpSecret } from './codes.ts'
import type { Password, PasswordChecker, PasswordHash, StoredPassword } from './credentials.ts'
import type { Manager } from './model.ts'
import type { SignInRefused } from './passkey-sign-in.ts'
import type { ManagerPolicy, ManagerPorts } from './ports.ts'
import type { SecondFactors, UsedCode } from './session.ts'
import { type OpenedSession, openSession, type SignInSource } from './signing-in.ts'

/** What a person typed to sign in, and where the attempt comes from. */
export interface PasswordAttempt extends SignInSource {
  readonly email: Email
  readonly password: Password
  /** A code of the authenticator app, or a recovery code. */
  readonly code: string
}

type Needs = 'clock' | 'failedAttempts' | 'managers' | 'passwords' | 'secrets' | 'sessions'

type Failure = SignInRefused | TooManyAttempts | Unavailable

const hashOf = ({ hash }: StoredPassword): PasswordHash => hash

/** Failures are counted by address of the person and of the network, and by network (A8). */
const keysOf = ({ email, address }: PasswordAttempt): AttemptKeys => {
  const network = networkOf(address)
  return { pair: `${network}\npassword ${email}`, address: network }
}

/** Stands for the second factors of people who have none, so that their attempts take the same work. */
const NONE: SecondFactors = {
  totpSecret: 'A'.repeat(32) as TotpSecret,
  usedStep: Number.POSITIVE_INFINITY,
  recoveryCodes: [],
}

/** Returns a function that returns what a code uses up, if it is right now. */
const usedBy = (
  { clock, secrets }: Pick<ManagerPorts, Needs>,
  { hmac }: PasswordChecker,
  typed: string,
): ((factors: O.Option<SecondFactors>) => O.Option<UsedCode>) => {
  const code = plainCode(typed)
  const [digest, now] = [secrets.digest(code), clock.now()]
  return (found) => {
    const factors = O.getOrElse(() => NONE)(found)
    const step = acceptedStep(hmac, factors, code, now)
    const isRecovery = factors.recoveryCodes.includes(digest)
    return isRecovery ? O.some({ recoveryCode: digest }) : O.map((used: number) => ({ step: used }))(step)
  }
}

/** Returns the manager and the stored hash that fits the password; none if it is wrong. */
const checkedPassword = (
  ports: Pick<ManagerPorts, Needs>,
  checker: PasswordChecker,
  { email, password }: PasswordAttempt,
): TE.TaskEither<Unavailable, { manager: O.Option<Manager>; hash: O.Option<PasswordHash> }> =>
  pipe(
    TE.Do,
    TE.bind('manager', () => ports.managers.find(email)),
    TE.bind('stored', () => ports.passwords.find(email)),
    TE.bind('isRight', ({ stored }) => checker.verify(password, O.map(hashOf)(stored))),
    TE.map(({ manager, stored, isRight }) => ({
      manager,
      hash: isRight ? O.map(hashOf)(stored) : O.none,
    })),
  )

/**
 * Signs a manager in by password and code, with a new session each time (M3, M4), unless too many wrong ones came from there (A8). Wrong codes
 * after a right password count per person (M9). Both are looked at in each case, so that neither the answer nor its time says which is wrong.
 */
export const makeSignInByPassword =
  (ports: Pick<ManagerPorts, Needs>, policy: Pick<ManagerPolicy, 'sessionIdle' | 'sessionLife'>) =>
  (
    checker: PasswordChecker,
    attempt: PasswordAttempt,
  ): TE.TaskEither<SignInRefused | TooManyAttempts | Unavailable, OpenedSession> => {
    const keys = keysOf(attempt)
    const { email, code } = attempt
    const unlocked = () => TE.fromEither<Failure, void>(unlessLocked(ports, keys))
    return pipe(
      unlocked(),
      TE.flatMap(() => checkedPassword(ports, checker, attempt)),
      TE.tap(({ hash }) => {
        if (O.isSome(hash)) return unlocked()
        // Guesses that were sent at once have passed the first look together: the right one has to see them here.
        noteFailure(ports, keys)
        return TE.right(undefined)
      }),
      TE.flatMap(({ manager, hash }) => {
        const credential = { way: 'password', hash, usedBy: usedBy(ports, checker, code) } as const
        const reason = O.isSome(hash) ? 'wrong-code' : 'wrong-password'
        const refused: SignInRefused = { _tag: 'SignInRefused', reason }
        const opened = openSession(ports, policy, { email, manager, credential }, attempt, refused)
        return TE.mapError((failure: Failure) => {
          if (failure._tag === 'SignInRefused' && O.isSome(hash)) noteFailure(ports, keys)
          return failure
        })(opened)
      }),
    )
  }
