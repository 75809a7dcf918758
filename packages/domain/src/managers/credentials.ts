import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Option } from 'fp-ts/lib/Option.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { TokenDigest } from '../access/caller.ts'
import { type AddressClaims, statedVerified } from '../access/id-tokens.ts'
import { Email } from '../values/addresses.ts'
import type { Unavailable } from '../values/ports.ts'
import {
  type Branded,
  boundedText,
  isStorable,
  NOT_STORABLE,
  normalized,
  refined,
} from '../values/refined.ts'
import { folded } from '../values/text.ts'
import { type Instant, toRfc3339 } from '../values/time.ts'
import type { HmacSha1, TotpSecret } from './codes.ts'
import type { Manager } from './model.ts'

/** Why a sign-in is refused. For the log alone: callers learn no more than M3 and M11 allow. */
export type SignInReason =
  /** The link is unknown, used or expired, or its manager is disabled. */
  | 'invalid-link'
  /** The challenge of a passkey, or the begun sign-in at the provider, is unknown, used or expired, or belongs to another browser. */
  | 'not-begun-here'
  | 'unknown-passkey'
  | 'wrong-passkey-response'
  | 'wrong-password'
  /** The code is wrong, used or locked (M9), or the password was changed meanwhile. */
  | 'wrong-code'
  /** The person cancelled, or the provider refused the person. */
  | 'refused-by-provider'
  /** Another state, nonce, issuer or signature, or a code that the provider does not accept. */
  | 'wrong-provider-response'
  /** The userinfo endpoint answered for another subject. */
  | 'other-subject'
  | 'no-address'
  | 'addresses-differ'
  | 'address-not-verified'
  | 'verification-not-stated'
  | 'domain-not-allowed'
  | 'unknown-manager'
  | 'disabled-manager'
  | 'other-account-linked'
  /** The credential, the duty or the manager changed between the check and the opening of the session. */
  | 'changed-meanwhile'

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

/** A password in NFKC, so that it does not depend on the keyboard (NIST SP 800-63B). */
export type Password = Branded<string, 'Password'>

/** The fewest and the most characters of a password, as code points. */
const [FEWEST, MOST] = [12, 256]

/** Reads a new password: 12 to 256 characters of any kind (M3). */
export const Password = refined<Password>(
  'Password',
  (sent) => {
    if (!isStorable(sent)) return E.left(NOT_STORABLE)
    const text = normalized('NFKC', sent)
    const length = [...text].length
    return length >= FEWEST && length <= MOST
      ? E.right(text as Password)
      : E.left(`must have ${FEWEST} to ${MOST} characters`)
  },
  { type: 'string', description: 'New password.', minLength: FEWEST, maxLength: MOST },
)

/** Reads a password that someone types to sign in: one that no person can have is as wrong as another. */
export const TypedPassword = refined<Password>(
  'TypedPassword',
  (sent) => E.right(normalized('NFKC', sent.slice(0, MOST + 1)) as Password),
  { type: 'string', description: 'Password.' },
)

/** Returns whether a password is the address or the name of its person, in any spelling. */
export const isPersonal = (password: Password, { email, name }: Pick<Manager, 'email' | 'name'>): boolean =>
  [email, name].some((own) => folded(own) === folded(password))

/** A password as it is stored: its hash by scrypt, with its salt and cost (A6). */
export type PasswordHash = string & { readonly PasswordHash: unique symbol }

/** What signs a manager in where passwords are on: a password and a code of an app, or one of the recovery codes (M3). */
export interface StoredPassword {
  readonly email: Email
  readonly hash: PasswordHash
  readonly totpSecret: TotpSecret
  /** The last step whose code was used. */
  readonly usedStep: number
  /** The digests of the recovery codes that are left. */
  readonly recoveryCodes: ReadonlyArray<TokenDigest>
  readonly changedAt: Instant
  /** None before the first sign-in. */
  readonly lastUsedAt: O.Option<Instant>
}

/** The manager has no password. */
export interface PasswordNotFound {
  readonly _tag: 'PasswordNotFound'
}

/** The one {@link PasswordNotFound}. */
export const PASSWORD_NOT_FOUND: PasswordNotFound = { _tag: 'PasswordNotFound' }

/** Returns a password as JSON, without anything that signs in (L2). */
export const passwordDocument = ({ changedAt, lastUsedAt, recoveryCodes }: StoredPassword) => ({
  changedAt: toRfc3339(changedAt),
  lastUsedAt: O.isSome(lastUsedAt) ? toRfc3339(lastUsedAt.value) : null,
  recoveryCodesLeft: recoveryCodes.length,
})

/**
 * The cryptography of passwords and codes (M3). Not one of the ports: a console without it offers no passwords. Few hashes are computed at once;
 * Unavailable when too many wait.
 */
export interface PasswordChecker {
  /** Hashes a new password with a new salt. */
  hash(password: Password): TaskEither<Unavailable, PasswordHash>
  /** Returns whether a password has a hash. Without a hash it is false, after the same work. */
  verify(password: Password, hash: Option<PasswordHash>): TaskEither<Unavailable, boolean>
  /** Computes the codes of authenticator apps. */
  readonly hmac: HmacSha1
  /** Returns unguessable bytes. */
  random(count: number): Uint8Array
}

/** What names a person at an identity provider: the provider's URL, and the person's identifier there, which never changes. */
export interface IdentityKey {
  readonly issuer: string
  readonly subject: string
}

/** The account of an identity provider that signs a manager in (M3). A manager has at most one. */
export interface Identity extends IdentityKey {
  readonly email: Email
  readonly linkedAt: Instant
  readonly lastUsedAt: Instant
}

/** The manager has an identity already, or another manager has this one. */
export interface IdentityNotLinked {
  readonly _tag: 'IdentityNotLinked'
}

/** The manager has no identity. */
export interface IdentityNotFound {
  readonly _tag: 'IdentityNotFound'
}

/** The one {@link IdentityNotFound}. */
export const IDENTITY_NOT_FOUND: IdentityNotFound = { _tag: 'IdentityNotFound' }

/** What an identity provider says about a person who has just signed in there. */
export interface ProvedIdentity<Failure> extends IdentityKey {
  /** The claims of the ID token. */
  readonly claims: AddressClaims
  /** Reads the claims of the userinfo endpoint for the same subject; none if the provider has no such endpoint. */
  readonly userinfo: TE.TaskEither<Failure, AddressClaims>
  /** When the person last gave a password or the like; none if the provider does not say. */
  readonly authenticatedAt: O.Option<Instant>
}

/** Which addresses of an identity provider count. */
export interface AddressPolicy {
  /** The domains of addresses that a first sign-in may have, in lower case; all if it is empty. */
  readonly domains: ReadonlyArray<string>
  /** Whether addresses count as verified of which the provider does not state it, and whether `xms_edov` counts (M11). */
  readonly trustsEmail: boolean
}

const addressIn = ({ email }: AddressClaims): O.Option<string> =>
  typeof email === 'string' && email !== '' ? O.some(email) : O.none

/** Returns whether two texts are the same address: as people, by the codec (F1), or by their letters. */
const isSameAddress = (a: string, b: string): boolean => {
  const [one, other] = [Email.decode(a), Email.decode(b)]
  return a === b || (one._tag === 'Right' && other._tag === 'Right' && one.right === other.right)
}

/** Returns the address that a provider proves, by the claims of its token together with those of its userinfo endpoint (M11). */
const verifiedAddress = (
  token: AddressClaims,
  info: AddressClaims,
  policy: Pick<AddressPolicy, 'trustsEmail'>,
): E.Either<SignInReason, string> => {
  const [own, other] = [addressIn(token), addressIn(info)]
  const [stated, added] = [statedVerified(token, policy), statedVerified(info, policy)]
  if (O.isSome(added) && !added.value) return E.left('address-not-verified')
  if (O.isSome(own) && O.isSome(other) && !isSameAddress(own.value, other.value))
    return E.left('addresses-differ')
  const email = O.isSome(own) ? own : other
  if (O.isNone(email)) return E.left('no-address')
  // What the endpoint says counts for the address that it names.
  const isVerified = O.isSome(stated) || (O.isSome(added) && O.isSome(other)) || policy.trustsEmail
  return isVerified ? E.right(email.value) : E.left('verification-not-stated')
}

/** Reads the address, if its domain is one of `domains`. A subdomain is another domain. An empty list allows all. */
const ofDomain = (text: string, domains: ReadonlyArray<string>): E.Either<SignInReason, Email> => {
  const read = Email.decode(text)
  if (read._tag === 'Left') return E.left('no-address')
  const domain = read.right.slice(read.right.lastIndexOf('@') + 1)
  return domains.length === 0 || domains.includes(domain) ? read : E.left('domain-not-allowed')
}

/**
 * Returns the address by which a first sign-in finds its manager: one that the provider has verified (M11), in an allowed domain (M3). Asks the
 * userinfo endpoint only for what the token does not state. Fails with the reason.
 */
export const linkableEmail = <Failure>(
  { claims, userinfo }: Pick<ProvedIdentity<Failure>, 'claims' | 'userinfo'>,
  policy: AddressPolicy,
): TE.TaskEither<Failure | SignInReason, Email> => {
  const email = addressIn(claims)
  const stated = statedVerified(claims, policy)
  if (O.isSome(stated) && !stated.value) return TE.left('address-not-verified')
  if (O.isSome(stated) && O.isSome(email)) return TE.fromEither(ofDomain(email.value, policy.domains))
  return pipe(
    userinfo,
    TE.flatMapEither((info): E.Either<Failure | SignInReason, Email> => {
      const address = verifiedAddress(claims, info, policy)
      return E.isLeft(address) ? address : ofDomain(address.right, policy.domains)
    }),
  )
}

/** Returns an identity as JSON (L2). */
export const identityDocument = ({ issuer, subject, linkedAt, lastUsedAt }: Identity) => ({
  ...{ issuer, subject },
  linkedAt: toRfc3339(linkedAt),
  lastUsedAt: toRfc3339(lastUsedAt),
})
