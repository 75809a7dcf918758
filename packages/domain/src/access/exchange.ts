import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { Email } from '../values/addresses.ts'
import type { Unavailable } from '../values/ports.ts'
import { noteFailure, type TooManyAttempts, unlessLocked } from './guessing.ts'
import {
  grantedToPerson,
  type IdTokenPolicy,
  isDonor,
  personOf,
  type SubjectTokenRefused,
  subjectTokenRefused,
} from './id-tokens.ts'
import type { KeysUnavailable } from './kept-keys.ts'
import type { Client, InvalidScope, PeopleAccess } from './model.ts'
import type { AccessPolicy, AccessPorts, IdTokens } from './ports.ts'
import {
  type Credentials,
  clientIdentifier,
  credentialKeys,
  type IssuedToken,
  issueTo,
  UNAUTHORIZED_CLIENT,
  type UnauthorizedClient,
} from './tokens.ts'

/** Verifies no ID token: for services without an identity provider for people. */
export const NO_ID_TOKENS: IdTokens = { verify: () => TE.left(subjectTokenRefused('no-issuer')) }

/** The kinds of subject tokens: an ID token, or the address of a person whom a backend has signed in itself (A10). */
export type SubjectTokenKind = 'id-token' | 'email'

/** A request to exchange a subject token for an access token (RFC 8693). */
export interface TokenExchange {
  readonly kind: SubjectTokenKind
  readonly subjectToken: string
  /** The scopes asked for, separated by spaces. */
  readonly scope: O.Option<string>
}

/** Why no token is issued to a person. */
export type ExchangeTokenError =
  | { readonly _tag: 'InvalidClient' }
  | TooManyAttempts
  | UnauthorizedClient
  | SubjectTokenRefused
  | KeysUnavailable
  | InvalidScope
  | Unavailable

/** The person of a subject token, and whether the person may have the scope of donors. */
interface Subject {
  readonly person: Email
  readonly isDonor: boolean
}

type SubjectRefusal = SubjectTokenRefused | KeysUnavailable

type ExchangeNeeds = 'accessTokens' | 'clients' | 'clock' | 'failedAttempts' | 'idTokens' | 'secrets'

const subjectOfAddress = (text: string): E.Either<SubjectRefusal, Subject> =>
  E.bimap(
    (): SubjectRefusal => subjectTokenRefused('no-address'),
    (person: Email) => ({ person, isDonor: true }),
  )(Email.decode(text))

/** Finds the person of an ID token. */
const subjectOfIdToken = async (
  { idTokens, clock }: Pick<AccessPorts, ExchangeNeeds>,
  policy: O.Option<IdTokenPolicy>,
  access: PeopleAccess,
  token: string,
): Promise<E.Either<SubjectRefusal, Subject>> => {
  if (O.isNone(policy)) return E.left(subjectTokenRefused('no-issuer'))
  const claims = await idTokens.verify(token)()
  if (E.isLeft(claims)) return claims
  const person = personOf(claims.right, policy.value, access, clock.now())
  if (E.isLeft(person)) return person
  return E.right({ person: person.right, isDonor: isDonor(claims.right, policy.value.donorClaim) })
}

/** Returns how a client may obtain this kind of token for people; undefined if it may not (A10). */
const accessOf = ({ forPeople, roles }: Client, kind: SubjectTokenKind): PeopleAccess | undefined => {
  if (forPeople === undefined || kind === 'id-token') return forPeople
  return !forPeople.isPublic && roles.includes('user-manager') ? forPeople : undefined
}

/**
 * Counts a refused ID token of a public client by its address (A8). The lock is looked at again and the failure noted in one go, so that
 * many at once are no more than many in a row. One of a client that proved its secret counts nowhere: a signature cannot be guessed, and an app's
 * users must not be locked out.
 */
const counted = (
  ports: Pick<AccessPorts, ExchangeNeeds>,
  credentials: Credentials,
  access: PeopleAccess,
  refusal: SubjectRefusal,
): ExchangeTokenError => {
  if (!access.isPublic || refusal._tag !== 'SubjectTokenRefused' || refusal.reason === 'no-issuer')
    return refusal
  const keys = credentialKeys(credentials)
  const open = unlessLocked(ports, keys)
  if (E.isLeft(open)) return open.left
  noteFailure(ports, keys, ['address'])
  return refusal
}

/** Finds the person of a subject token of either kind, and counts a refusal. */
const subjectOf = async (
  ports: Pick<AccessPorts, ExchangeNeeds>,
  policy: O.Option<IdTokenPolicy>,
  credentials: Credentials,
  access: PeopleAccess,
  { kind, subjectToken }: TokenExchange,
): Promise<E.Either<ExchangeTokenError, Subject>> => {
  const subject =
    kind === 'email'
      ? subjectOfAddress(subjectToken)
      : await subjectOfIdToken(ports, policy, access, subjectToken)
  return E.isLeft(subject) ? E.left(counted(ports, credentials, access, subject.left)) : subject
}

/**
 * Issues a token whose user is a person to a client for people (A10): for an ID token of the deployment's identity provider, or for an address
 * that a client with the role `user-manager` vouches for. Roles never travel.
 */
export const makeExchangeToken = (
  ports: Pick<AccessPorts, ExchangeNeeds>,
  policy: Pick<AccessPolicy, 'tokenTtl' | 'idTokens'>,
) => {
  const identify = clientIdentifier(ports)
  const issue = issueTo(ports, policy)
  return (
    credentials: Credentials,
    exchange: TokenExchange,
  ): TE.TaskEither<ExchangeTokenError, IssuedToken> =>
    async () => {
      const client = await identify(credentials)()
      if (E.isLeft(client)) return client
      const access = accessOf(client.right, exchange.kind)
      if (access === undefined) return E.left(UNAUTHORIZED_CLIENT)
      const subject = await subjectOf(ports, policy.idTokens, credentials, access, exchange)
      if (E.isLeft(subject)) return subject
      const { person, isDonor } = subject.right
      const scopes = grantedToPerson(client.right, exchange.scope, isDonor)
      return E.isLeft(scopes) ? scopes : issue({ clientId: client.right.id, scopes: scopes.right, person })()
    }
}
