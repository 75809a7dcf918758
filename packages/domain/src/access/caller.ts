import * as E from 'fp-ts/lib/Either.js'
import type * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Email } from '../values/addresses.ts'
import type { ClientId } from '../values/ids.ts'
import type { Clock, Unavailable } from '../values/ports.ts'
import { addMillis, type Instant, isFarAhead, isInLife, MINUTE } from '../values/time.ts'
import { type Operation, REQUIREMENTS, type Requirement } from './requirements.ts'
import { effectiveScopes, type Role, type Scope } from './scopes.ts'

/** The digest under which a secret or an access token is stored: SHA-256 in lower-case hex (A6). */
export type TokenDigest = string & { readonly TokenDigest: unique symbol }

/** The kinds of actors: a client by its access token, a person in the console, a command of an operator (K1). */
export const ACTOR_KINDS = ['client', 'person', 'command'] as const
/** One of {@link ACTOR_KINDS}. */
export type ActorKind = (typeof ACTOR_KINDS)[number]

/** Who changes something (K1). The `id` is a client's identifier, a person's number or a command's words, never an address. */
export interface Actor {
  readonly kind: ActorKind
  readonly id: string
}

/** Returns the actor behind a client's access token. */
export const clientActor = (clientId: ClientId): Actor => ({ kind: 'client', id: clientId })

/** Returns the actor behind a session of the console, by the number under which the person is recorded. */
export const personActor = (number: number): Actor => ({ kind: 'person', id: String(number) })

/** Returns the actor behind a command, by its words, as `labels load`. */
export const commandActor = (words: string): Actor => ({ kind: 'command', id: words })

/** Who asks: a client by way of an access token (A1). */
export interface Caller {
  readonly clientId: ClientId
  /** Every scope that the caller holds, included ones too (A2). */
  readonly scopes: ReadonlySet<Scope>
  readonly roles: ReadonlySet<Role>
  /** The user that the client is bound to. */
  readonly email: O.Option<Email>
  /**
   * Whether the store binds the caller to its user: a client by its row, a person by the number. Writes for that user then look the binding up
   * again and lock it (L1). Absent where a host answers for the user.
   */
  readonly isBound?: true
  /** Under which name its changes are recorded (K1). */
  readonly actor: Actor
  /** When the person behind a session last proved presence (M4); absent for clients. */
  readonly confirmedAt?: Instant
  /** Looks the caller's rights up again ({@link confirmRights}). Absent where a host vouches for its callers. */
  readonly confirm?: TE.TaskEither<RightsEnded | Unavailable, void>
  /** The session behind a manager; absent for clients. */
  readonly session?: TokenDigest
}

/** The caller's rights ended while the use case ran (A9). `reason` is what found the caller's own account of it. */
export interface RightsEnded {
  readonly _tag: 'RightsEnded'
  readonly reason: unknown
}

/** Looks the rights of a caller up again. Work that may take long does so just before its effect, or before it shows what it found (A9). */
export const confirmRights = ({ confirm }: Caller): TE.TaskEither<RightsEnded | Unavailable, void> =>
  confirm ?? TE.right(undefined)

/** The caller lacks a scope; a token with `scope` would do (A5). */
export interface InsufficientScope {
  readonly _tag: 'InsufficientScope'
  readonly scope: Scope
}

/** The failure of a caller who lacks `scope`: 403 that names it (A5). */
export const insufficientScope = (scope: Scope): InsufficientScope => ({ _tag: 'InsufficientScope', scope })

/** What a token granted, before the table of A2 is applied. */
export interface Grant {
  readonly clientId: ClientId
  readonly scopes: ReadonlyArray<Scope>
  readonly roles: ReadonlyArray<Role>
  readonly email: O.Option<Email>
  /** When the token ends: this moment is too late already. */
  readonly expiresAt: Instant
  /** When it was issued; absent if an earlier version did. */
  readonly issuedAt?: Instant
}

/** A caller as its token lets it in: until that ends. */
export interface AuthenticatedCaller extends Caller {
  readonly expiresAt: Instant
  /** When its token was issued, or its session last used: long before that, no clock lets it in (I9). */
  readonly issuedAt?: Instant
}

/** Returns whether a caller who was looked up earlier is still let in, as far as time is concerned. */
export const isInTime = ({ expiresAt, issuedAt }: AuthenticatedCaller, now: Instant): boolean =>
  now < expiresAt && (issuedAt === undefined || !isFarAhead(issuedAt, now))

/** The caller behind a grant: its scopes are those it holds and all that they include (A2). No token is looked at. */
export const callerOf = ({ clientId, scopes, roles, email }: Omit<Grant, 'expiresAt'>): Caller => ({
  clientId,
  scopes: effectiveScopes(scopes, roles),
  roles: new Set(roles),
  email,
  actor: clientActor(clientId),
})

/** The caller behind a checked token, and until when the token holds (A5). */
export const authenticatedCallerOf = (grant: Grant): AuthenticatedCaller => ({
  ...callerOf(grant),
  isBound: true,
  expiresAt: grant.expiresAt,
  ...(grant.issuedAt !== undefined && { issuedAt: grant.issuedAt }),
})

/** Whether a caller holds a scope, itself or by one that includes it (A2). */
export const hasScope = (caller: Caller, scope: Scope): boolean => caller.scopes.has(scope)

/** The caller, if it holds the scope. */
export const requireScope =
  (scope: Scope) =>
  (caller: Caller): E.Either<InsufficientScope, Caller> =>
    hasScope(caller, scope) ? E.right(caller) : E.left(insufficientScope(scope))

/** The caller's client, or the duty of the manager, lacks a role. */
export interface InsufficientRole {
  readonly _tag: 'InsufficientRole'
  readonly role: Role
}

/** The person behind a session has not proved presence for five minutes. Signing in again is a proof (M4). */
export interface PresenceRequired {
  readonly _tag: 'PresenceRequired'
}

/** How long a proof of presence counts, in milliseconds (M4). */
const RECENT = 5 * MINUTE

/**
 * Returns the caller if the person behind its session has just proved presence: within five minutes, of which the last moment is too late
 * (M4). A client of the API is no person, and needs no proof.
 */
export const requirePresence =
  (now: Instant) =>
  (caller: Caller): E.Either<PresenceRequired, Caller> =>
    caller.confirmedAt === undefined ||
    isInLife({ expiresAt: addMillis(caller.confirmedAt, RECENT), life: RECENT }, now)
      ? E.right(caller)
      : E.left({ _tag: 'PresenceRequired' })

/**
 * Returns the caller if it meets a requirement: scope, then role, then presence, because a proof of presence gives no role. The size of a push
 * is checked by the use case, which counts its devices.
 */
export const checkAccess =
  ({ scope, role, presence }: Requirement, now: () => Instant) =>
  (caller: Caller): E.Either<InsufficientScope | InsufficientRole | PresenceRequired, Caller> => {
    const scoped = requireScope(scope)(caller)
    if (E.isLeft(scoped)) return scoped
    if (role !== undefined && !caller.roles.has(role)) return E.left({ _tag: 'InsufficientRole', role })
    return presence === 'always' ? requirePresence(now())(caller) : scoped
  }

type RoleFailure<R> = R extends { readonly role: Role } ? InsufficientRole : never
type PresenceFailure<R> = R extends { readonly presence: 'always' } ? PresenceRequired : never

/** How {@link permitted} refuses the callers of an operation. */
export type Refusal<O extends Operation> =
  | InsufficientScope
  | RoleFailure<(typeof REQUIREMENTS)[O]>
  | PresenceFailure<(typeof REQUIREMENTS)[O]>

/** The clock, for operations that need a proof of presence. */
export type ClockFor<O extends Operation> = [PresenceFailure<(typeof REQUIREMENTS)[O]>] extends [never]
  ? []
  : [clock: Clock]

/**
 * Does work if the caller meets the requirement of an operation: scope, role and presence (A2, M10).
 * @param clock only for operations that need a proof of presence
 */
export const permitted =
  <O extends Operation>(operation: O, caller: Caller, ...clock: ClockFor<O>) =>
  <L, A>(work: () => TE.TaskEither<L, A>): TE.TaskEither<L | Refusal<O>, A> =>
  () => {
    // The type of the clock is that of the table's row: where the row names no presence, the time is not read.
    const [time] = clock as ReadonlyArray<Clock>
    const checked = checkAccess(REQUIREMENTS[operation], () => (time as Clock).now())(caller)
    return E.isLeft(checked) ? Promise.resolve(checked as E.Left<Refusal<O>>) : work()()
  }
