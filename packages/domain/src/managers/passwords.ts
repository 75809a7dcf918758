import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Action } from '../access/acts.ts'
import { type InsufficientScope, type PresenceRequired, permitted, personActor } from '../access/caller.ts'
import { fieldError, parameters, type ValidationFailed, validationFailed } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import { boundedText } from '../values/refined.ts'
import { addMillis, MINUTE } from '../values/time.ts'
import {
  acceptedStep,
  newRecoveryCodes,
  plainCode,
  TOTP_SECRET_BYTES,
  TotpSecret,
  totpSecretOf,
  totpUri,
} from './codes.ts'
import {
  isPersonal,
  Password,
  type PasswordChecker,
  type PasswordHash,
  type PasswordNotFound,
  type StoredPassword,
} from './credentials.ts'
import type { ChangedBy, ManagerPorts } from './ports.ts'
import { type ActiveSession, callerOfSession, type NoSession } from './session.ts'
import { putOwnSecret } from './signing-in.ts'

/** How long the secret for an authenticator app can be confirmed, in milliseconds: people may have to install the app. */
const SECRET_LIFE = 30 * MINUTE

/** Reads a code that someone types. */
export const TypedCode = boundedText<string>('TypedCode', 100, {
  description: 'Code of the authenticator app, or a recovery code.',
})

/** Parameters of PUT /password. */
export const SetPassword = parameters({
  name: 'SetPassword',
  required: { password: Password, secret: TotpSecret, code: TypedCode },
  optional: {},
})
export type SetPassword = typeof SetPassword._A

/** Parameters of PUT /password/text. */
export const ChangePassword = parameters({
  name: 'ChangePassword',
  required: { password: Password },
  optional: {},
})
export type ChangePassword = typeof ChangePassword._A

/** A secret for an authenticator app, and the URI from which the app takes it. */
export interface NewTotpSecret {
  readonly secret: TotpSecret
  readonly uri: string
}

type Refused = InsufficientScope | PresenceRequired

type Needs = 'clock' | 'oneTimeSecrets' | 'passwords' | 'secrets'

/** Returns the record of an act on one's own password, and the session that makes it and stays. */
const ownAct = (
  { clock }: Pick<ManagerPorts, 'clock'>,
  { session, number }: ActiveSession,
  action: Action,
): ChangedBy => ({
  by: session.digest,
  act: { actor: personActor(number), action, at: clock.now() },
})

/** Returns the password of the person of a session (M3). */
export const makeShowPassword =
  (ports: Pick<ManagerPorts, 'passwords'>) =>
  (active: ActiveSession): TE.TaskEither<InsufficientScope | Unavailable, O.Option<StoredPassword>> =>
    permitted('useOwnAccount', callerOfSession(active))(() => ports.passwords.find(active.manager.email))

/** Makes a secret for the authenticator app of the person of a session, which can be confirmed within half an hour (M3). */
export const makeStartPassword =
  (ports: Pick<ManagerPorts, 'clock' | 'oneTimeSecrets' | 'secrets'>) =>
  (
    checker: PasswordChecker,
    active: ActiveSession,
  ): TE.TaskEither<Refused | NoSession | Unavailable, NewTotpSecret> =>
    permitted(
      'changeOwnCredentials',
      callerOfSession(active),
      ports.clock,
    )(() => {
      const { email } = active.manager
      const secret = totpSecretOf(checker.random(TOTP_SECRET_BYTES))
      const digest = ports.secrets.digest(secret)
      const expiresAt = addMillis(ports.clock.now(), SECRET_LIFE)
      return pipe(
        putOwnSecret(ports, { digest, purpose: 'set-password', email, expiresAt, life: SECRET_LIFE }),
        TE.map(() => ({ secret, uri: totpUri(email, secret) })),
      )
    })

type Failure = ValidationFailed | NoSession | Unavailable

const wrong = (field: string, message: string): Failure => validationFailed([fieldError(field, message)])

/** Hashes a new password, unless it is the address or the name of its person. */
const hashed = (
  checker: PasswordChecker,
  { manager }: ActiveSession,
  password: Password,
): TE.TaskEither<Failure, PasswordHash> =>
  isPersonal(password, manager)
    ? TE.left(wrong('password', 'must not be your address or your name'))
    : checker.hash(password)

/** Makes recovery codes, with the digests that are stored instead. */
const newCodes = ({ secrets }: Pick<ManagerPorts, 'secrets'>, { random }: PasswordChecker) => {
  const codes = newRecoveryCodes(random)
  return { codes, recoveryCodes: codes.map((code) => secrets.digest(plainCode(code))) }
}

/** Takes the secret that was made for the person of a session. */
const takeSecret = (
  { clock, oneTimeSecrets, secrets }: Pick<ManagerPorts, Needs>,
  { manager }: ActiveSession,
  secret: TotpSecret,
): TE.TaskEither<Failure, unknown> =>
  pipe(
    oneTimeSecrets.take(secrets.digest(secret), 'set-password', clock.now()),
    TE.map(O.filter(({ email }) => O.toUndefined(email) === manager.email)),
    TE.flatMap(TE.fromOption(() => wrong('secret', 'is too old, or was used: begin again'))),
  )

/**
 * Sets the password and the authenticator app of the person of a session, in place of earlier ones. The code shows that the app has the secret.
 * Returns ten recovery codes, which are shown this once, and ends the person's other sessions (M3, M4).
 */
export const makeSetPassword =
  (ports: Pick<ManagerPorts, Needs>) =>
  (
    checker: PasswordChecker,
    active: ActiveSession,
    { password, secret, code }: SetPassword,
  ): TE.TaskEither<Refused | ValidationFailed | NoSession | Unavailable, ReadonlyArray<string>> =>
    permitted(
      'changeOwnCredentials',
      callerOfSession(active),
      ports.clock,
    )(() => {
      const changedAt = ports.clock.now()
      const unused = { totpSecret: secret, usedStep: Number.NEGATIVE_INFINITY }
      const step = acceptedStep(checker.hmac, unused, plainCode(code), changedAt)
      if (O.isNone(step)) return TE.left(wrong('code', 'is not the one that the app shows now'))
      const { codes, recoveryCodes } = newCodes(ports, checker)
      const { email } = active.manager
      return pipe(
        hashed(checker, active, password),
        TE.tap(() => takeSecret(ports, active, secret)),
        TE.flatMap((hash) =>
          ports.passwords.set(
            {
              ...{ email, hash, totpSecret: secret, usedStep: step.value, recoveryCodes, changedAt },
              lastUsedAt: O.none,
            },
            ownAct(ports, active, 'set-password'),
          ),
        ),
        TE.map(() => codes),
      )
    })

/** Changes the password of the person of a session, which ends the person's other sessions. The authenticator app stays (M3, M4). */
export const makeChangePassword =
  (ports: Pick<ManagerPorts, 'clock' | 'passwords'>) =>
  (
    checker: PasswordChecker,
    active: ActiveSession,
    { password }: ChangePassword,
  ): TE.TaskEither<Refused | ValidationFailed | PasswordNotFound | NoSession | Unavailable, void> =>
    permitted(
      'changeOwnCredentials',
      callerOfSession(active),
      ports.clock,
    )(() =>
      pipe(
        hashed(checker, active, password),
        TE.flatMap(
          (hash): TE.TaskEither<ValidationFailed | PasswordNotFound | NoSession | Unavailable, void> => {
            const change = { hash, changedAt: ports.clock.now() }
            return ports.passwords.change(
              active.manager.email,
              change,
              ownAct(ports, active, 'change-password'),
            )
          },
        ),
      ),
    )

/** Replaces the recovery codes of the person of a session by ten new ones, which are shown this once, and ends the other sessions (M3, M4). */
export const makeRenewRecoveryCodes =
  (ports: Pick<ManagerPorts, 'clock' | 'passwords' | 'secrets'>) =>
  (
    checker: PasswordChecker,
    active: ActiveSession,
  ): TE.TaskEither<Refused | PasswordNotFound | NoSession | Unavailable, ReadonlyArray<string>> =>
    permitted(
      'changeOwnCredentials',
      callerOfSession(active),
      ports.clock,
    )(() => {
      const { codes, recoveryCodes } = newCodes(ports, checker)
      return pipe(
        ports.passwords.change(
          active.manager.email,
          { recoveryCodes },
          ownAct(ports, active, 'renew-recovery-codes'),
        ),
        TE.map(() => codes),
      )
    })

/** Deletes the password of the person of a session, which ends the person's other sessions (M3, M4). */
export const makeRemovePassword =
  (ports: Pick<ManagerPorts, 'clock' | 'passwords'>) =>
  (active: ActiveSession): TE.TaskEither<Refused | PasswordNotFound | NoSession | Unavailable, void> =>
    permitted(
      'changeOwnCredentials',
      callerOfSession(active),
      ports.clock,
    )(() => ports.passwords.remove(active.manager.email, ownAct(ports, active, 'remove-password')))
