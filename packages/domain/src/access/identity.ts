import * as O from 'fp-ts/lib/Option.js'
import { Email } from '../values/email.ts'
import { type Instant, toRfc3339 } from '../values/instant.ts'

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
export interface ProvedIdentity extends IdentityKey {
  /** The address, not checked; none if the provider names none. */
  readonly email: O.Option<string>
  /** Whether the provider has verified that the address is the person's. */
  readonly isEmailVerified: boolean
  /** When the person last gave a password or the like; none if the provider does not say. */
  readonly authenticatedAt: O.Option<Instant>
}

/**
 * Returns the address by which a first sign-in finds its manager (M3): one that the provider has verified, and whose domain is one of `domains`,
 * in lower case. A subdomain is another domain. An empty list allows all.
 */
export const linkableEmail = (
  { email, isEmailVerified }: Pick<ProvedIdentity, 'email' | 'isEmailVerified'>,
  domains: ReadonlyArray<string>,
): O.Option<Email> => {
  if (O.isNone(email) || !isEmailVerified) return O.none
  const read = Email.decode(email.value)
  if (read._tag === 'Left') return O.none
  const domain = read.right.slice(read.right.lastIndexOf('@') + 1)
  return domains.length === 0 || domains.includes(domain) ? O.some(read.right) : O.none
}

/** Returns an identity as JSON (L2). */
export const identityDocument = ({ issuer, subject, linkedAt, lastUsedAt }: Identity) => ({
  ...{ issuer, subject },
  linkedAt: toRfc3339(linkedAt),
  lastUsedAt: toRfc3339(lastUsedAt),
})
