import * as E from 'fp-ts/lib/Either.js'
import type * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../ports/unavailable.ts'
import type { Email } from '../values/email.ts'
import type { ClientId } from '../values/ids.ts'
import type { Instant } from '../values/instant.ts'
import { effectiveScopes, type Role, type Scope } from './scopes.ts'

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
  /** Under which name its changes are recorded (K1). */
  readonly actor: Actor
  /** When the person behind a session last proved presence (M4); absent for clients. */
  readonly confirmedAt?: Instant
  /** Looks the caller's rights up again ({@link confirmRights}). Absent where a host vouches for its callers. */
  readonly confirm?: TE.TaskEither<RightsEnded | Unavailable, void>
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
}

/** A caller as its token lets it in: until that ends. */
export interface AuthenticatedCaller extends Caller {
  readonly expiresAt: Instant
}

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
  expiresAt: grant.expiresAt,
})

/** Whether a caller holds a scope, itself or by one that includes it (A2). */
export const hasScope = (caller: Caller, scope: Scope): boolean => caller.scopes.has(scope)

/** The caller, if it holds the scope. */
export const requireScope =
  (scope: Scope) =>
  (caller: Caller): E.Either<InsufficientScope, Caller> =>
    hasScope(caller, scope) ? E.right(caller) : E.left(insufficientScope(scope))
