import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { ClientId } from '../values/ids.ts'
import type { Unavailable } from '../values/ports.ts'
import { addMillis, type Instant, SECOND } from '../values/time.ts'
import { type AuthenticatedCaller, authenticatedCallerOf, type Scope } from './caller.ts'
import { type AttemptKeys, networkOf, noteFailure, type TooManyAttempts, unlessLocked } from './guessing.ts'
import {
  type Client,
  grantedScopes,
  type InvalidScope,
  isCurrent,
  isPublicClient,
  type StoredSecret,
} from './model.ts'
import type {
  AccessPolicy,
  AccessPorts,
  AccessTokens,
  ClientWithSecrets,
  SecretMatch,
  StoredToken,
} from './ports.ts'

/** What a client shows to prove who it is, and the address it does so from. */
export interface Credentials {
  readonly clientId: string
  readonly secret: string
  readonly address: string
}

/** Unknown client, wrong secret or disabled client: one answer for all (RFC 6749 §5.2). */
export interface InvalidClient {
  readonly _tag: 'InvalidClient'
}

/** The client may not obtain a token in this way (RFC 6749 §5.2, A10). */
export interface UnauthorizedClient {
  readonly _tag: 'UnauthorizedClient'
}

/** The one {@link UnauthorizedClient}. */
export const UNAUTHORIZED_CLIENT: UnauthorizedClient = { _tag: 'UnauthorizedClient' }

type Refusal = InvalidClient | TooManyAttempts | Unavailable

/** The stored secret that a client showed, and how it matched. */
interface MatchingSecret {
  readonly hash: string
  readonly match: SecretMatch
}

type CheckCredentialsNeeds = 'clients' | 'clock' | 'failedAttempts' | 'secrets'

/** Matches no secret: compared for unknown clients, so that they take as long as known ones. */
const NO_SECRET: StoredSecret = { hash: '', until: O.none }

/** No id is longer than 100 characters: more of what claims to be one need not be remembered. */
const ID_TELLS = 101

/** Returns the keys by which wrong credentials count (A8). Addresses hold no line feed: no two pairs share a key. */
export const credentialKeys = ({ address, clientId }: Credentials): AttemptKeys => {
  const network = networkOf(address)
  return { pair: `${network}\n${clientId.slice(0, ID_TELLS)}`, address: network }
}

const verifyAny = async (
  ports: Pick<AccessPorts, CheckCredentialsNeeds>,
  { secret }: Credentials,
  stored: ReadonlyArray<StoredSecret>,
): Promise<E.Either<Unavailable, MatchingSecret | undefined>> => {
  const compared = stored.length === 0 ? [NO_SECRET] : stored
  // All are compared, whichever matches: the time depends on their number alone.
  const matches = await Promise.all(compared.map(({ hash }) => ports.secrets.verify(secret, hash)()))
  let matching: MatchingSecret | undefined
  for (const [n, { hash }] of compared.entries()) {
    const match = matches[n]
    if (match === undefined) continue
    if (E.isLeft(match)) return match
    if (match.right !== 'none') matching ??= { hash, match: match.right }
  }
  return E.right(matching)
}

/** Stores a digest in place of a hash of an earlier version, at its first use (A6). The next use tries again if this fails. */
const replaceLegacyHash = async (
  ports: Pick<AccessPorts, CheckCredentialsNeeds>,
  { secret }: Credentials,
  client: Client,
  matching: MatchingSecret | undefined,
): Promise<void> => {
  if (matching?.match !== 'legacy') return
  await ports.clients.replaceSecretHash(client.id, matching.hash, ports.secrets.digest(secret))()
}

const secretsOf = (
  ports: Pick<AccessPorts, CheckCredentialsNeeds>,
  found: O.Option<ClientWithSecrets>,
): ReadonlyArray<StoredSecret> =>
  O.isSome(found) ? found.value.secrets.filter(isCurrent(ports.clock.now())) : []

const findClient = (
  ports: Pick<AccessPorts, CheckCredentialsNeeds>,
  id: string,
): TE.TaskEither<Unavailable, O.Option<ClientWithSecrets>> =>
  ClientId.is(id) ? ports.clients.find(id) : TE.right(O.none)

/** Returns whether a client is public, and showed its identifier alone (A10). */
const showsNoSecret = (found: O.Option<ClientWithSecrets>, { secret }: Credentials): boolean =>
  O.isSome(found) && isPublicClient(found.value.client) && secret === ''

/**
 * The answer once the costly part is done. The lock is looked at again and the failure noted in one go, with no other attempt
 * between, so that many guesses at once are no more than many in a row (A8).
 */
const answer = (
  ports: Pick<AccessPorts, CheckCredentialsNeeds>,
  credentials: Credentials,
  keys: AttemptKeys,
  found: O.Option<ClientWithSecrets>,
  matching: MatchingSecret | undefined,
): E.Either<Refusal, Client> => {
  const unlocked = unlessLocked(ports, keys)
  if (E.isLeft(unlocked)) return unlocked
  const isProved = matching !== undefined || showsNoSecret(found, credentials)
  if (O.isSome(found) && isProved && !found.value.client.disabled) return E.right(found.value.client)
  noteFailure(ports, keys)
  return E.left({ _tag: 'InvalidClient' })
}

/**
 * Returns the function that finds the client that has these credentials, or the public one that has no secret (A4, A10), unless too many wrong ones came from its
 * address (A8).
 */
export const clientIdentifier =
  (ports: Pick<AccessPorts, CheckCredentialsNeeds>) =>
  (credentials: Credentials): TE.TaskEither<Refusal, Client> =>
  async () => {
    const keys = credentialKeys(credentials)
    const unlocked = unlessLocked(ports, keys)
    if (E.isLeft(unlocked)) return unlocked
    const found = await findClient(ports, credentials.clientId)()
    if (E.isLeft(found)) return found
    const matching = await verifyAny(ports, credentials, secretsOf(ports, found.right))
    if (E.isLeft(matching)) return matching
    const client = answer(ports, credentials, keys, found.right, matching.right)
    if (E.isRight(client)) await replaceLegacyHash(ports, credentials, client.right, matching.right)
    return client
  }

/** Returns the client that has proved itself by these credentials (A4), unless too many wrong ones came from its address (A8). No public one has. */
export const makeCheckCredentials = (ports: Pick<AccessPorts, CheckCredentialsNeeds>) => {
  const identify = clientIdentifier(ports)
  return (credentials: Credentials): TE.TaskEither<Refusal, Client> =>
    pipe(
      identify(credentials),
      TE.filterOrElse(
        (client) => !isPublicClient(client),
        (): Refusal => ({ _tag: 'InvalidClient' }),
      ),
    )
}

/** The token is unknown, revoked or expired, or its client is disabled (A5, A6). */
export interface InvalidToken {
  readonly _tag: 'InvalidToken'
}

/** Returns the caller that a token stands for, and when the token expires (A5, A6). */
export const makeAuthenticate =
  (ports: Pick<AccessPorts, 'accessTokens' | 'clock' | 'secrets'>) =>
  (token: string): TE.TaskEither<InvalidToken | Unavailable, AuthenticatedCaller> =>
  async () => {
    const found = await ports.accessTokens.grantOf(ports.secrets.digest(token), ports.clock.now())()
    if (E.isLeft(found)) return found
    return O.isSome(found.right)
      ? E.right(authenticatedCallerOf(found.right.value))
      : E.left({ _tag: 'InvalidToken' })
  }

/** A new access token: told once, stored as a digest only (A6). */
export interface IssuedToken {
  readonly accessToken: string
  /** Seconds. */
  readonly expiresIn: number
  readonly scopes: ReadonlyArray<Scope>
}

/**
 * Why no token is issued: an unknown client or a wrong secret, too many of those (A8), a client without a secret (A10), a scope that the client
 * has not got (A4), or a port that fails.
 */
export type IssueTokenError =
  | InvalidClient
  | TooManyAttempts
  | UnauthorizedClient
  | InvalidScope
  | Unavailable

type IssueNeeds = 'accessTokens' | 'clock' | 'secrets'

/** Makes a token and stores its digest (A6). */
export const issueTo =
  (ports: Pick<AccessPorts, IssueNeeds>, { tokenTtl }: Pick<AccessPolicy, 'tokenTtl'>) =>
  ({
    clientId,
    scopes,
    person,
  }: Pick<StoredToken, 'clientId' | 'scopes' | 'person'>): TE.TaskEither<Unavailable, IssuedToken> =>
  async () => {
    const accessToken = ports.secrets.mint()
    const life = tokenTtl * SECOND
    const added = await ports.accessTokens.add({
      digest: ports.secrets.digest(accessToken),
      ...{ clientId, scopes, life },
      expiresAt: addMillis(ports.clock.now(), life),
      ...(person !== undefined && { person }),
    })()
    return E.isLeft(added) ? added : E.right({ accessToken, expiresIn: tokenTtl, scopes })
  }

/** Issues a token for client credentials, with all scopes of the client or those of the text `scope` (A4). `expiresIn` is in seconds. */
export const makeIssueToken = (
  ports: Pick<AccessPorts, CheckCredentialsNeeds | IssueNeeds>,
  policy: Pick<AccessPolicy, 'tokenTtl'>,
) => {
  const identify = clientIdentifier(ports)
  const issue = issueTo(ports, policy)
  return (credentials: Credentials, scope: O.Option<string>): TE.TaskEither<IssueTokenError, IssuedToken> =>
    async () => {
      const client = await identify(credentials)()
      if (E.isLeft(client)) return client
      if (isPublicClient(client.right)) return E.left(UNAUTHORIZED_CLIENT)
      const scopes = grantedScopes(client.right, scope)
      return E.isLeft(scopes) ? scopes : issue({ clientId: client.right.id, scopes: scopes.right })()
    }
}

/** Ends a token of the client (A6), as RFC 7009 has it. An unknown token, or one of another client, changes nothing. */
export const makeRevokeToken = (ports: Pick<AccessPorts, CheckCredentialsNeeds | 'accessTokens'>) => {
  const identify = clientIdentifier(ports)
  return (
    credentials: Credentials,
    token: string,
  ): TE.TaskEither<InvalidClient | TooManyAttempts | Unavailable, void> =>
    pipe(
      identify(credentials),
      TE.flatMap((client) => ports.accessTokens.revoke(ports.secrets.digest(token), client.id)),
      TE.map(() => undefined),
    )
}

/** Access tokens whose uses are noted in memory, and the means to store what was noted. */
export interface RecordedUses {
  readonly accessTokens: AccessTokens
  /** Stores the last uses since the last call; returns of how many clients. After a failure the next call stores them too. */
  readonly storeUses: () => TE.TaskEither<Unavailable, number>
}

/**
 * Notes when each client was last used: it was issued a token, or one of its tokens was accepted. Requests only note it in memory, so that
 * they write nothing for it; call `storeUses` every few minutes and at the end.
 */
export const recordClientUses = ({
  accessTokens,
  clients,
  clock,
}: Pick<AccessPorts, 'accessTokens' | 'clients' | 'clock'>): RecordedUses => {
  let uses = new Map<ClientId, Instant>()
  return {
    accessTokens: {
      ...accessTokens,
      add: (token) => async () => {
        const added = await accessTokens.add(token)()
        if (E.isRight(added)) uses.set(token.clientId, clock.now())
        return added
      },
      grantOf: (digest, now) => async () => {
        const grant = await accessTokens.grantOf(digest, now)()
        if (E.isRight(grant) && O.isSome(grant.right)) uses.set(grant.right.value.clientId, now)
        return grant
      },
    },
    storeUses: () => async () => {
      if (uses.size === 0) return E.right(0)
      const noted = uses
      uses = new Map()
      const stored = await clients.noteUses(noted)()
      if (E.isRight(stored)) return E.right(noted.size)
      uses = new Map([...noted, ...uses])
      return stored
    },
  }
}
