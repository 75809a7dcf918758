import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { Email } from '../values/addresses.ts'
import { type Instant, toRfc3339 } from '../values/time.ts'
import type { SignInReason } from './sign-in-reason.ts'

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

/** The claims of an identity provider about a person's address, as they were sent: types differ between providers (M11). */
export interface AddressClaims {
  readonly email?: unknown
  readonly email_verified?: unknown
  /** Microsoft Entra ID: whether the owner of the address's domain is verified. */
  readonly xms_edov?: unknown
}

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

const TRUE: ReadonlyArray<unknown> = [true, 'true']
const TRUE_OF_ENTRA: ReadonlyArray<unknown> = [...TRUE, 1, '1']

/** Returns whether claims state that the address is verified; none if they do not say. One statement against it decides (M11). */
export const statedVerified = (
  { email_verified, xms_edov }: AddressClaims,
  { trustsEmail }: Pick<AddressPolicy, 'trustsEmail'>,
): O.Option<boolean> => {
  const isStated = (claim: unknown) => claim !== undefined && claim !== null
  const stated = [
    ...(isStated(email_verified) ? [TRUE.includes(email_verified)] : []),
    ...(trustsEmail && isStated(xms_edov) ? [TRUE_OF_ENTRA.includes(xms_edov)] : []),
  ]
  return stated.length === 0 ? O.none : O.some(stated.every((isVerified) => isVerified))
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
