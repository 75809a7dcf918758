import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import {
  type Caller,
  type InsufficientRole,
  type InsufficientScope,
  type PresenceRequired,
  permitted,
} from '../access/caller.ts'
import { noteFailure, type TooManyAttempts, unlessLocked } from '../access/guessing.ts'
import { type Email, WebUrl } from '../values/addresses.ts'
import { parameters } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import { refined } from '../values/refined.ts'
import { addMillis, instant, MINUTE } from '../values/time.ts'
import {
  type AddressPolicy,
  type Identity,
  type IdentityNotFound,
  linkableEmail,
  type ProvedIdentity,
  type SignInReason,
} from './credentials.ts'
import type { Manager } from './model.ts'
import type { SignInRefused } from './passkey-sign-in.ts'
import type { ManagerPolicy, ManagerPorts } from './ports.ts'
import type { NoSession } from './session.ts'
import {
  attemptKeys,
  limitChallenges,
  type OpenedSession,
  openSession,
  type SignInSource,
} from './signing-in.ts'
import { changedBy, type OneManager } from './use-cases.ts'

/** A response that was not asked for, that a person or the provider refused, or that the provider did not sign. */
export interface IdentityRefused {
  readonly _tag: 'IdentityRefused'
  readonly reason: SignInReason
}

/** The identity provider does not answer, or not as it should. */
export interface ProviderUnavailable {
  readonly _tag: 'ProviderUnavailable'
  readonly cause: unknown
}

/**
 * Signs people in at an identity provider (OpenID Connect, M3). Not one of the ports: a console without it offers no such sign-in. State, nonce
 * and the verifier of PKCE follow from a secret, which the browser has in a cookie, so none of them is stored.
 */
export interface IdentityProvider extends AddressPolicy {
  /**
   * Returns the URL of the provider's sign-in page.
   * @param isFresh whether the provider must ask for the password again, even if the person is signed in there
   */
  start(secret: string, isFresh: boolean): TaskEither<ProviderUnavailable, string>
  /** Checks the query with which the provider sends the browser back. Returns who has signed in. */
  finish(
    secret: string,
    response: string,
  ): TaskEither<IdentityRefused | ProviderUnavailable, ProvedIdentity<IdentityRefused | ProviderUnavailable>>
}

/** The addresses of the machine itself, where http is as safe as https. */
const LOOPBACK = /^http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?(?:\/|$)/

/** Reads the URL of an identity provider: https, or http on loopback. */
export const Issuer = refined<string>(
  'Issuer',
  (text) =>
    WebUrl.is(text) && !/[?#]/.test(text) && (text.startsWith('https:') || LOOPBACK.test(text))
      ? E.right(text)
      : E.left('must be an https URL without query, fragment or credentials; http only on localhost'),
  { type: 'string', description: 'URL of an identity provider.' },
)

/** Characters of the longest response: a code and a state have some hundred. */
const MOST = 8000

/** Reads the query with which an identity provider sends a browser back. */
export const OidcResponse = refined<string>(
  'OidcResponse',
  (text) => (text.length <= MOST ? E.right(text) : E.left(`must have at most ${MOST} characters`)),
  {
    type: 'string',
    description: 'Query with which the provider has sent the browser back.',
    maxLength: MOST,
  },
)

/** Parameters of GET /identities. */
export const ListIdentities = parameters({ name: 'ListIdentities', required: {}, optional: {} })
export type ListIdentities = typeof ListIdentities._A

/** Lists the accounts of the identity provider that sign managers in, by address: all for operators, for others their own (M3). */
export const makeListIdentities =
  (ports: Pick<ManagerPorts, 'identities'>) =>
  (
    caller: Caller,
    _parameters: ListIdentities,
  ): TE.TaskEither<InsufficientScope | Unavailable, ReadonlyArray<Identity>> =>
    permitted(
      'listIdentities',
      caller,
    )((): TE.TaskEither<Unavailable, ReadonlyArray<Identity>> => {
      const { roles, email } = caller
      if (roles.has('super-admin')) return ports.identities.all()
      if (O.isNone(email)) return TE.right([])
      return TE.map((own: O.Option<Identity>) => (O.isSome(own) ? [own.value] : []))(
        ports.identities.of(email.value),
      )
    })

const isOwn = (caller: Caller, email: Email): boolean =>
  O.isSome(caller.email) && caller.email.value === email

/** Unlinks the account of the identity provider from a manager: one's own, or any for operators (M3). Ends the manager's other sessions (M4). */
export const makeUnlinkIdentity =
  (ports: Pick<ManagerPorts, 'clock' | 'identities'>) =>
  (
    caller: Caller,
    { email }: OneManager,
  ): TE.TaskEither<
    InsufficientScope | InsufficientRole | PresenceRequired | IdentityNotFound | NoSession | Unavailable,
    void
  > => {
    const at = ports.clock.now()
    const unlink = () => ports.identities.unlink(email, changedBy(caller, 'unlink-identity', at))
    return isOwn(caller, email)
      ? permitted('unlinkOwnIdentity', caller, ports.clock)(unlink)
      : permitted('unlinkIdentity', caller, ports.clock)(unlink)
  }

/** How long a person may take at the identity provider, in milliseconds. */
export const PROVIDER_SIGN_IN_LIFE = 10 * MINUTE

/** A sign-in that goes on at the identity provider. */
export interface StartedSignIn {
  /** The URL of the provider's page. */
  readonly url: string
  /** For a cookie of the browser, without which its return is worth nothing. */
  readonly secret: string
}

/** The return of a browser from the identity provider, and where the attempt comes from. */
export interface ProviderAttempt extends SignInSource {
  /** The secret in the browser's cookie; none if it has none. */
  readonly secret: O.Option<string>
  /** The query with which the provider has sent the browser back. */
  readonly response: string
}

/** Begins a sign-in at the identity provider, which can be finished once within ten minutes (M3). Limited by network (A8). */
export const makeStartProviderSignIn =
  (ports: Pick<ManagerPorts, 'clock' | 'failedAttempts' | 'oneTimeSecrets' | 'secrets'>) =>
  (
    provider: IdentityProvider,
    { address, isFresh }: Pick<SignInSource, 'address'> & { readonly isFresh: boolean },
  ): TE.TaskEither<TooManyAttempts | ProviderUnavailable | Unavailable, StartedSignIn> => {
    const secret = ports.secrets.mint()
    const digest = ports.secrets.digest(secret)
    const expiresAt = addMillis(ports.clock.now(), PROVIDER_SIGN_IN_LIFE)
    return pipe(
      TE.fromEither<TooManyAttempts | ProviderUnavailable | Unavailable, void>(
        limitChallenges(ports, { address }),
      ),
      TE.flatMap(
        (): TE.TaskEither<TooManyAttempts | ProviderUnavailable | Unavailable, string> =>
          provider.start(secret, isFresh),
      ),
      TE.tap(() =>
        ports.oneTimeSecrets.putChallenge({
          digest,
          purpose: 'oidc',
          expiresAt,
          life: PROVIDER_SIGN_IN_LIFE,
        }),
      ),
      TE.map((url) => ({ url, secret })),
    )
  }

type IdentitySignInNeeds =
  | 'clock'
  | 'failedAttempts'
  | 'identities'
  | 'managers'
  | 'oneTimeSecrets'
  | 'secrets'
  | 'sessions'

type Failure = SignInRefused | ProviderUnavailable | Unavailable

const refused = (reason: SignInReason): SignInRefused => ({ _tag: 'SignInRefused', reason })

/** What a provider has proved, and may still be asked for. */
type Proved = ProvedIdentity<IdentityRefused | ProviderUnavailable>

/** Returns what the provider proves, if the sign-in was begun in this browser and not finished yet. */
const proved = (
  ports: Pick<ManagerPorts, IdentitySignInNeeds>,
  provider: IdentityProvider,
  { secret, response }: ProviderAttempt,
): TE.TaskEither<Failure, Proved> => {
  if (O.isNone(secret)) return TE.left(refused('not-begun-here'))
  return pipe(
    ports.oneTimeSecrets.take(ports.secrets.digest(secret.value), 'oidc', ports.clock.now()),
    TE.flatMap(TE.fromOption((): Failure => refused('not-begun-here'))),
    TE.flatMap(() =>
      TE.mapError(
        (failure: IdentityRefused | ProviderUnavailable): Failure =>
          failure._tag === 'IdentityRefused' ? refused(failure.reason) : failure,
      )(provider.finish(secret.value, response)),
    ),
  )
}

const enabled = (
  ports: Pick<ManagerPorts, IdentitySignInNeeds>,
  email: Email,
): TE.TaskEither<Failure, Manager> =>
  pipe(
    ports.managers.find(email),
    TE.flatMap(TE.fromOption((): Failure => refused('unknown-manager'))),
    TE.filterOrElse(
      ({ disabled }) => !disabled,
      (): Failure => refused('disabled-manager'),
    ),
  )

/** Links the identity of a first sign-in to the manager with its address. A manager who has an identity keeps that one. */
const linked = (
  ports: Pick<ManagerPorts, IdentitySignInNeeds>,
  provider: Pick<IdentityProvider, 'domains' | 'trustsEmail'>,
  identity: Proved,
): TE.TaskEither<Failure, Manager> => {
  const { issuer, subject } = identity
  const now = ports.clock.now()
  return pipe(
    linkableEmail(identity, provider),
    TE.mapError((failure): Failure => {
      if (typeof failure === 'string') return refused(failure)
      return failure._tag === 'IdentityRefused' ? refused(failure.reason) : failure
    }),
    TE.flatMap((email) => enabled(ports, email)),
    TE.tap((manager) =>
      TE.mapError(
        (failure: Unavailable | { readonly _tag: 'IdentityNotLinked' }): Failure =>
          failure._tag === 'IdentityNotLinked' ? refused('other-account-linked') : failure,
      )(ports.identities.link({ issuer, subject, email: manager.email, linkedAt: now, lastUsedAt: now })),
    ),
  )
}

const used = (
  ports: Pick<ManagerPorts, IdentitySignInNeeds>,
  identity: Identity,
): TE.TaskEither<Failure, Manager> =>
  pipe(
    enabled(ports, identity.email),
    TE.tap(() => ports.identities.use(identity, ports.clock.now())),
  )

/** Returns the manager of an identity. Its address counts for the first sign-in only, its identifier afterwards. */
const managerOf = (
  ports: Pick<ManagerPorts, IdentitySignInNeeds>,
  provider: IdentityProvider,
  identity: Proved,
): TE.TaskEither<Failure, Manager> =>
  pipe(
    ports.identities.find(identity),
    TE.flatMap((found) => (O.isSome(found) ? used(ports, found.value) : linked(ports, provider, identity))),
  )

/** No proof of presence counts that is as old as this. */
const NEVER = instant(0)

/**
 * Signs a manager in by an account of the identity provider (M3), with a new session each time, unless too many wrong ones came from there (A8).
 * The session proves presence as of when the person gave a password at the provider, so not at all if the provider does not say (M4).
 */
export const makeSignInByProvider =
  (
    ports: Pick<ManagerPorts, IdentitySignInNeeds>,
    policy: Pick<ManagerPolicy, 'sessionIdle' | 'sessionLife'>,
  ) =>
  (
    provider: IdentityProvider,
    attempt: ProviderAttempt,
  ): TE.TaskEither<SignInRefused | TooManyAttempts | ProviderUnavailable | Unavailable, OpenedSession> => {
    const keys = attemptKeys('oidc', attempt)
    const note = (failure: Failure): Failure => {
      if (failure._tag === 'SignInRefused') noteFailure(ports, keys)
      return failure
    }
    const opened = pipe(
      proved(ports, provider, attempt),
      TE.bindTo('identity'),
      TE.bind('manager', ({ identity }) => managerOf(ports, provider, identity)),
      TE.flatMap(({ identity, manager }) => {
        const confirmedAt = O.getOrElse(() => NEVER)(identity.authenticatedAt)
        const credential = { way: 'oidc', identity } as const
        const checked = { email: manager.email, manager: O.some(manager), credential, confirmedAt }
        return openSession(ports, policy, checked, attempt, refused('changed-meanwhile'))
      }),
      TE.mapError(note),
    )
    return pipe(
      TE.fromEither<SignInRefused | TooManyAttempts | ProviderUnavailable | Unavailable, void>(
        unlessLocked(ports, keys),
      ),
      TE.flatMap(() => opened),
    )
  }
