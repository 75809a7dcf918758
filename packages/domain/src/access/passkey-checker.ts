import * as E from 'fp-ts/lib/Either.js'
import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Manager } from '../people/manager.ts'
import { refined } from '../values/refined.ts'
import type { Passkey, PasskeyId } from './passkey.ts'

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
