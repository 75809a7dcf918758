import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Option } from 'fp-ts/lib/Option.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Action } from '../access/acts.ts'
import { type InsufficientScope, type PresenceRequired, permitted, personActor } from '../access/caller.ts'
import { parameters } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import { refined } from '../values/refined.ts'
import { addMillis, MINUTE } from '../values/time.ts'
import {
  type Passkey,
  PasskeyId,
  PasskeyName,
  type PasskeyNotFound,
  type PasskeyNotStored,
} from './credentials.ts'
import type { Manager } from './model.ts'
import type { ChangedBy, ManagerPorts } from './ports.ts'
import { type ActiveSession, callerOfSession, type NoSession } from './session.ts'
import { putOwnSecret } from './signing-in.ts'

/** Options for the browser, as JSON that it parses itself. */
export type PasskeyOptions = Readonly<Record<string, unknown>>

/** A response of a browser that is not what was asked for, or not signed by the passkey. */
export interface PasskeyRefused {
  readonly _tag: 'PasskeyRefused'
}

/** What a response says before it is checked. */
export interface PasskeyClaim {
  readonly id: PasskeyId
  /** The challenge that it answers. */
  readonly challenge: string
}

/**
 * Asks browsers for passkeys and checks their responses (WebAuthn, M3). Not one of the ports: a console without it offers no passkeys.
 * Responses are the JSON text of a `PublicKeyCredential`. User verification is required throughout.
 */
export interface PasskeyChecker {
  /** Returns whether browsers make passkeys for the service: its host is a name, and the connection is secure or local. */
  isPossible(): boolean
  /** Returns the options for a new passkey of a manager, which none of the known ones may replace. */
  registrationOptions(
    manager: Pick<Manager, 'email' | 'name'>,
    known: ReadonlyArray<PasskeyId>,
    challenge: string,
  ): PasskeyOptions
  /** Returns the options for a sign-in with any passkey of the service. */
  signInOptions(challenge: string): PasskeyOptions
  /** Reads a response without checking it; none if it is malformed. */
  read(response: string): Option<PasskeyClaim>
  /** Checks the response of a new passkey. */
  checkRegistration(
    response: string,
    challenge: string,
  ): TaskEither<PasskeyRefused, Pick<Passkey, 'id' | 'publicKey' | 'signCount'>>
  /** Checks a sign-in with a passkey. Returns its new count of uses. */
  checkSignIn(
    response: string,
    challenge: string,
    passkey: Pick<Passkey, 'id' | 'publicKey' | 'signCount'>,
  ): TaskEither<PasskeyRefused, number>
}

/** Characters of the longest response of a browser: keys and signatures have some hundred bytes. */
const MOST = 20_000

/** Reads the response of a browser: the JSON text of a `PublicKeyCredential`. */
export const WebAuthnResponse = refined<string>(
  'WebAuthnResponse',
  (text) => (text.length <= MOST ? E.right(text) : E.left(`must have at most ${MOST} characters`)),
  { type: 'string', description: 'JSON text of the browser’s PublicKeyCredential.', maxLength: MOST },
)

/** How long a challenge can be answered, in milliseconds. */
export const CHALLENGE_LIFE = 5 * MINUTE

/** Parameters of POST /passkeys. */
export const AddPasskey = parameters({
  name: 'AddPasskey',
  required: { name: PasskeyName, response: WebAuthnResponse },
  optional: {},
})
export type AddPasskey = typeof AddPasskey._A

/** Parameters of DELETE /passkeys/<id>. */
export const OnePasskey = parameters({ name: 'OnePasskey', required: { id: PasskeyId }, optional: {} })
export type OnePasskey = typeof OnePasskey._A

/** Parameters of PUT /passkeys/<id>. */
export const RenamePasskey = parameters({
  name: 'RenamePasskey',
  required: { id: PasskeyId, name: PasskeyName },
  optional: {},
})
export type RenamePasskey = typeof RenamePasskey._A

type Refused = InsufficientScope | PresenceRequired

type PasskeysNeeds = 'clock' | 'oneTimeSecrets' | 'passkeys' | 'secrets'

const ownAct = (
  { clock }: Pick<ManagerPorts, 'clock'>,
  { session, number }: ActiveSession,
  action: Action,
): ChangedBy => ({
  by: session.digest,
  act: { actor: personActor(number), action, at: clock.now() },
})

/** Lists the passkeys of the person of a session, in the order in which they were added (M3). */
export const makeListPasskeys =
  (ports: Pick<ManagerPorts, 'passkeys'>) =>
  (active: ActiveSession): TE.TaskEither<InsufficientScope | Unavailable, ReadonlyArray<Passkey>> =>
    permitted('useOwnAccount', callerOfSession(active))(() => ports.passkeys.of(active.manager.email))

/** Asks for a new passkey of the person of a session: returns the options for the browser, with a challenge for five minutes (M3). */
export const makeStartPasskey =
  (ports: Pick<ManagerPorts, PasskeysNeeds>) =>
  (
    checker: PasskeyChecker,
    active: ActiveSession,
  ): TE.TaskEither<Refused | NoSession | Unavailable, PasskeyOptions> =>
    permitted(
      'changeOwnCredentials',
      callerOfSession(active),
      ports.clock,
    )(() => {
      const { manager } = active
      const challenge = ports.secrets.mint()
      const digest = ports.secrets.digest(challenge)
      const expiresAt = addMillis(ports.clock.now(), CHALLENGE_LIFE)
      return pipe(
        TE.Do,
        TE.bind('known', () => ports.passkeys.of(manager.email)),
        TE.tap(() =>
          putOwnSecret(ports, {
            digest,
            purpose: 'add-passkey',
            email: manager.email,
            expiresAt,
            life: CHALLENGE_LIFE,
          }),
        ),
        TE.map(({ known }) =>
          checker.registrationOptions(
            manager,
            known.map(({ id }) => id),
            challenge,
          ),
        ),
      )
    })

type AddFailure = PasskeyRefused | PasskeyNotStored | NoSession | Unavailable

const REFUSED: AddFailure = { _tag: 'PasskeyRefused' }

/** Stores the passkey of a browser's response to the options of the same person (M3). */
export const makeAddPasskey =
  (ports: Pick<ManagerPorts, PasskeysNeeds>) =>
  (
    checker: PasskeyChecker,
    active: ActiveSession,
    { name, response }: AddPasskey,
  ): TE.TaskEither<Refused | AddFailure, Passkey> =>
    permitted(
      'changeOwnCredentials',
      callerOfSession(active),
      ports.clock,
    )(() => {
      const { email } = active.manager
      const now = ports.clock.now()
      const claim = checker.read(response)
      if (O.isNone(claim)) return TE.left(REFUSED)
      const { challenge } = claim.value
      return pipe(
        ports.oneTimeSecrets.take(ports.secrets.digest(challenge), 'add-passkey', now),
        TE.map(O.filter((secret) => O.toUndefined(secret.email) === email)),
        TE.flatMap(TE.fromOption((): AddFailure => REFUSED)),
        TE.flatMap(
          (): TE.TaskEither<AddFailure, Pick<Passkey, 'id' | 'publicKey' | 'signCount'>> =>
            checker.checkRegistration(response, challenge),
        ),
        TE.map((checked): Passkey => ({ ...checked, email, name, createdAt: now, lastUsedAt: O.none })),
        TE.tap(
          (passkey): TE.TaskEither<AddFailure, void> =>
            ports.passkeys.add(passkey, ownAct(ports, active, 'add-passkey')),
        ),
      )
    })

type ChangePorts = Pick<ManagerPorts, 'clock' | 'passkeys'>

/** Changes the name of a passkey of the person of a session (M3). */
export const makeRenamePasskey =
  (ports: ChangePorts) =>
  (
    active: ActiveSession,
    { id, name }: RenamePasskey,
  ): TE.TaskEither<InsufficientScope | PasskeyNotFound | NoSession | Unavailable, Passkey> =>
    permitted(
      'useOwnAccount',
      callerOfSession(active),
    )(() =>
      ports.passkeys.rename(
        { email: active.manager.email, id, name },
        ownAct(ports, active, 'rename-passkey'),
      ),
    )

/** Deletes a passkey of the person of a session, which ends the person's other sessions (M3, M4). */
export const makeRemovePasskey =
  (ports: ChangePorts) =>
  (
    active: ActiveSession,
    { id }: OnePasskey,
  ): TE.TaskEither<Refused | PasskeyNotFound | NoSession | Unavailable, void> =>
    permitted(
      'changeOwnCredentials',
      callerOfSession(active),
      ports.clock,
    )(() =>
      ports.passkeys.remove({ email: active.manager.email, id }, ownAct(ports, active, 'remove-passkey')),
    )
