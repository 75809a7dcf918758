import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Email } from '../values/addresses.ts'
import { type Branded, boundedText, refined } from '../values/refined.ts'
import { type Instant, toRfc3339 } from '../values/time.ts'

/** The identifier that an authenticator gave a passkey, in base64url. */
export type PasskeyId = Branded<string, 'PasskeyId'>

/** WebAuthn allows 1023 bytes. */
const PASSKEY_ID = /^[\w-]{1,1364}$/

/** Reads the identifier of a passkey. */
export const PasskeyId = refined<PasskeyId>(
  'PasskeyId',
  (text) => (PASSKEY_ID.test(text) ? E.right(text as PasskeyId) : E.left('must be the id of a passkey')),
  { type: 'string', description: 'Identifier of the passkey.', pattern: PASSKEY_ID.source },
)

/** The name that a person gave a passkey, as "Phone". */
export type PasskeyName = Branded<string, 'PasskeyName'>

/** Reads the name of a passkey: 1 to 100 characters, not blank. */
export const PasskeyName = boundedText<PasskeyName>('PasskeyName', 100, {
  description: 'Name of the passkey.',
})

/** What signs a manager in without a password: a key pair of which the service has the public key (M3). */
export interface Passkey {
  readonly id: PasskeyId
  readonly email: Email
  readonly name: PasskeyName
  /** The public key as WebAuthn encodes it, in base64url. */
  readonly publicKey: string
  /** How often it was used, as its authenticator counts; many always say 0. */
  readonly signCount: number
  readonly createdAt: Instant
  /** None before the first sign-in. */
  readonly lastUsedAt: O.Option<Instant>
}

/** The most passkeys of a manager. */
export const MOST_PASSKEYS = 20

/** The manager has no such passkey. */
export interface PasskeyNotFound {
  readonly _tag: 'PasskeyNotFound'
}

/** The one {@link PasskeyNotFound}. */
export const PASSKEY_NOT_FOUND: PasskeyNotFound = { _tag: 'PasskeyNotFound' }

/** The passkey is stored already, or its manager has {@link MOST_PASSKEYS}. */
export interface PasskeyNotStored {
  readonly _tag: 'PasskeyNotStored'
}

/** Returns a passkey as JSON, without its key (L2). */
export const passkeyDocument = ({ name, createdAt, lastUsedAt }: Passkey) => ({
  name,
  createdAt: toRfc3339(createdAt),
  lastUsedAt: O.isSome(lastUsedAt) ? toRfc3339(lastUsedAt.value) : null,
})
