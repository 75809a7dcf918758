import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { Email } from '../values/addresses.ts'
import { addMillis, type Instant, instant, MINUTE, SECOND } from '../values/time.ts'
import { effectiveScopes, isScope, type Scope } from './caller.ts'
import type { Client, InvalidScope, PeopleAccess } from './model.ts'

/** Why a subject token is refused. For the log alone: the answer is the same for all (A10). */
export type SubjectTokenReason =
  /** The deployment has no identity provider for people. */
  | 'no-issuer'
  | 'malformed'
  /** Another algorithm than RS256, PS256, ES256 and EdDSA. */
  | 'algorithm'
  | 'critical-header'
  | 'other-type'
  /** No published key has that name. */
  | 'unknown-key'
  | 'removed-key'
  /** No published key fits the token, or several do. */
  | 'no-single-key'
  | 'signature'
  | 'other-issuer'
  | 'other-audience'
  /** A required claim is missing, or has a wrong type. */
  | 'claims'
  | 'expired'
  | 'not-yet-valid'
  | 'no-address'
  | 'address-not-verified'

/** The subject token of an exchange is not accepted (A10). */
export interface SubjectTokenRefused {
  readonly _tag: 'SubjectTokenRefused'
  readonly reason: SubjectTokenReason
}

/** The failure of an exchange whose subject token is not accepted. */
export const subjectTokenRefused = (reason: SubjectTokenReason): SubjectTokenRefused => ({
  _tag: 'SubjectTokenRefused',
  reason,
})

/** The claims of an ID token, as they were sent. */
export type IdTokenClaims = Readonly<Record<string, unknown>>

/** The claim of an ID token that makes a person a donor. */
export interface DonorClaim {
  readonly name: string
  /** The value that the claim has or holds; none if it must be true. */
  readonly value: O.Option<string>
}

/** Reads the claim of donors: `name`, or `name=value` (A10). */
export const readDonorClaim = (text: string): E.Either<string, DonorClaim> => {
  const [, name, value] = /^([^=]+)(?:=(.+))?$/su.exec(text) ?? []
  return name === undefined
    ? E.left('must be name or name=value')
    : E.right({ name, value: O.fromNullable(value) })
}

/** Which ID tokens a deployment accepts (A10). */
export interface IdTokenPolicy {
  /** Compared byte for byte. */
  readonly issuer: string
  readonly audiences: ReadonlyArray<string>
  /** None if every person may have the scope `user-donor`. */
  readonly donorClaim: O.Option<DonorClaim>
}

/** The claims of an identity provider about a person's address, as they were sent: types differ between providers (M11). */
export interface AddressClaims {
  readonly email?: unknown
  readonly email_verified?: unknown
  /** Microsoft Entra ID: whether the owner of the address's domain is verified. */
  readonly xms_edov?: unknown
}

const TRUE: ReadonlyArray<unknown> = [true, 'true']
const TRUE_OF_ENTRA: ReadonlyArray<unknown> = [...TRUE, 1, '1']

/**
 * Returns whether claims state that the address is verified; none if they do not say. One statement against it decides (M11).
 * @param trustsEmail whether the deployment trusts the provider's addresses, so that `xms_edov` counts
 */
export const statedVerified = (
  { email_verified, xms_edov }: AddressClaims,
  { trustsEmail }: { readonly trustsEmail: boolean },
): O.Option<boolean> => {
  const isStated = (claim: unknown) => claim !== undefined && claim !== null
  const stated = [
    ...(isStated(email_verified) ? [TRUE.includes(email_verified)] : []),
    ...(trustsEmail && isStated(xms_edov) ? [TRUE_OF_ENTRA.includes(xms_edov)] : []),
  ]
  return stated.length === 0 ? O.none : O.some(stated.every((isVerified) => isVerified))
}

/** Milliseconds by which the clock of the provider may differ. */
const TOLERANCE = MINUTE

/** Reads a time of a token, in seconds. */
const timeIn = (claim: unknown): O.Option<Instant> =>
  typeof claim === 'number' && Number.isFinite(claim) ? O.some(instant(claim * SECOND)) : O.none

/** Checks the times of a token. `exp` and `iat` are required. */
const timeFault = ({ exp, iat, nbf }: IdTokenClaims, now: Instant): SubjectTokenReason | undefined => {
  const [end, issued, begin] = [timeIn(exp), timeIn(iat), timeIn(nbf)]
  if (O.isNone(end) || O.isNone(issued) || (nbf !== undefined && O.isNone(begin))) return 'claims'
  const latest = addMillis(now, TOLERANCE)
  if (end.value <= addMillis(now, -TOLERANCE)) return 'expired'
  const begins = O.isSome(begin) ? begin.value : issued.value
  return issued.value > latest || begins > latest ? 'not-yet-valid' : undefined
}

const textsIn = (claim: unknown): ReadonlyArray<string> =>
  [claim].flat().filter((one): one is string => typeof one === 'string')

/**
 * Returns whether a token is for the deployment, and for a client that accepts one audience only: of several audiences the token must have been issued
 * to that one.
 */
export const isForAudience = (
  { aud, azp }: IdTokenClaims,
  audiences: ReadonlyArray<string>,
  { audience }: Pick<PeopleAccess, 'audience'>,
): boolean => {
  const named = new Set(textsIn(aud))
  if (!audiences.some((one) => named.has(one))) return false
  return O.isNone(audience) || (named.has(audience.value) && (named.size === 1 || azp === audience.value))
}

/** Returns the verified address of the person to whom an ID token was issued, or why the claims do not prove it (A10, M11). */
export const personOf = (
  claims: IdTokenClaims,
  { issuer, audiences }: Pick<IdTokenPolicy, 'issuer' | 'audiences'>,
  access: Pick<PeopleAccess, 'audience'>,
  now: Instant,
): E.Either<SubjectTokenRefused, Email> => {
  const refuse = (reason: SubjectTokenReason) => E.left(subjectTokenRefused(reason))
  const { iss, sub, email } = claims
  if (iss !== issuer) return refuse('other-issuer')
  if (!isForAudience(claims, audiences, access)) return refuse('other-audience')
  if (typeof sub !== 'string' || sub === '') return refuse('claims')
  const fault = timeFault(claims, now)
  if (fault !== undefined) return refuse(fault)
  const address = Email.decode(email)
  if (E.isLeft(address)) return refuse('no-address')
  const verified = statedVerified(claims, { trustsEmail: false })
  return O.isSome(verified) && verified.value ? E.right(address.right) : refuse('address-not-verified')
}

/** Returns whether the claims make a person a donor: all are unless a claim is named (A10). */
export const isDonor = (claims: IdTokenClaims, donorClaim: O.Option<DonorClaim>): boolean => {
  if (O.isNone(donorClaim)) return true
  const { name, value } = donorClaim.value
  const claim = Object.hasOwn(claims, name) ? claims[name] : undefined
  return O.isNone(value) ? TRUE.includes(claim) : textsIn(claim).includes(value.value)
}

/**
 * Returns the clients that give every person of the identity provider the scope of donors: they hold it, and no claim decides who is one (A10).
 */
export const withoutDonorClaim = (
  clients: ReadonlyArray<Client>,
  policy: O.Option<IdTokenPolicy>,
): ReadonlyArray<Client> =>
  O.isNone(policy) || O.isSome(policy.value.donorClaim)
    ? []
    : clients.filter(
        ({ forPeople, disabled, scopes, roles }) =>
          forPeople !== undefined && !disabled && effectiveScopes(scopes, roles).has('user-donor'),
      )

/** The scopes that a person's token may have (A10). */
const PERSON_SCOPES: ReadonlyArray<Scope> = ['user', 'user-donor']

/**
 * Returns the scopes of a person's token (A10): what was asked for, else `user` and `user-donor` as far as the client holds them or its scopes include them.
 * Only donors get `user-donor`.
 */
export const grantedToPerson = (
  client: Pick<Client, 'scopes' | 'roles'>,
  asked: O.Option<string>,
  isDonor: boolean,
): E.Either<InvalidScope, ReadonlyArray<Scope>> => {
  const held = effectiveScopes(client.scopes, client.roles)
  const possible = PERSON_SCOPES.filter((scope) => held.has(scope) && (isDonor || scope !== 'user-donor'))
  if (O.isNone(asked)) return E.right(possible)
  const names = asked.value.split(' ').filter((name) => name !== '')
  const scopes = [...new Set(names.filter(isScope))]
  const refused = names.length === 0 || names.some((name) => !isScope(name) || !possible.includes(name))
  return refused ? E.left({ _tag: 'InvalidScope' }) : E.right(scopes)
}
