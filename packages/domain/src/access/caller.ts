import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Email } from '../values/addresses.ts'
import type { ClientId } from '../values/ids.ts'
import type { Clock, Unavailable } from '../values/ports.ts'
import { addMillis, type Instant, isFarAhead, isInLife, MINUTE } from '../values/time.ts'

/** The interface's scopes, from the least to the most (A2). */
export const SCOPES = ['user', 'user-donor', 'content-manager'] as const
/** One of {@link SCOPES}: what a client may be granted. */
export type Scope = (typeof SCOPES)[number]

/** What a client may be besides its scopes (A2). */
export const ROLES = ['user-manager', 'super-admin'] as const
/** One of {@link ROLES}. */
export type Role = (typeof ROLES)[number]

/** What holding a scope amounts to (A2). */
export const IMPLIED_SCOPES: Readonly<Record<Scope, ReadonlyArray<Scope>>> = {
  user: ['user'],
  'user-donor': ['user-donor', 'user'],
  'content-manager': ['content-manager', 'user-donor', 'user'],
}

/** The scope that a role counts as, if any (A2). */
export const ROLE_SCOPES: Readonly<Record<Role, O.Option<Scope>>> = {
  'user-manager': O.none,
  'super-admin': O.some('content-manager'),
}

/** Every scope that these scopes and roles amount to (A2). */
export const effectiveScopes = (scopes: Iterable<Scope>, roles: Iterable<Role>): ReadonlySet<Scope> => {
  const held = new Set<Scope>()
  const hold = (scope: Scope): void => {
    for (const one of IMPLIED_SCOPES[scope]) held.add(one)
  }
  for (const scope of scopes) hold(scope)
  for (const role of roles) O.map(hold)(ROLE_SCOPES[role])
  return held
}

/** Whether a text is the name of a scope, matched exactly. */
export const isScope = (text: string): text is Scope => SCOPES.some((scope) => scope === text)

/** Whether a text is the name of a role, matched exactly. */
export const isRole = (text: string): text is Role => ROLES.some((role) => role === text)

/** What an operation asks of its caller. */
export interface Requirement {
  readonly scope: Scope
  /** The role that the caller needs besides the scope. Among managers a duty grants it (M2). */
  readonly role?: Role
  /** The scope that suffices with a person's own token (A10). */
  readonly personScope?: Scope
  /** When a session needs a recent proof of presence (M10). Clients of the API never need one. */
  readonly presence?: 'always' | 'large-push'
}

/**
 * What each operation asks of its caller: the scope, as the interface's endpoint tables give it, the role, and the proof of presence (M10).
 * Use cases enforce it, and routes read it.
 */
export const REQUIREMENTS = {
  listLibraryItems: { scope: 'user' },
  createLibraryItem: { scope: 'content-manager' },
  updateLibraryItem: { scope: 'content-manager' },
  uploadLibraryImage: { scope: 'content-manager' },
  removeLibraryImage: { scope: 'content-manager' },
  linkTranslation: { scope: 'content-manager' },
  unlinkTranslation: { scope: 'content-manager' },
  listDeadLinks: { scope: 'content-manager' },
  listFeedItems: { scope: 'user' },
  includeAuthors: { scope: 'content-manager' },
  createFeedItem: { scope: 'user-donor' },
  updateFeedItem: { scope: 'content-manager' },
  uploadFeedImage: { scope: 'user' },
  removeFeedImage: { scope: 'content-manager' },
  listLabels: { scope: 'user' },
  listChanges: { scope: 'user' },
  attachLabel: { scope: 'content-manager' },
  detachLabel: { scope: 'content-manager' },
  actForUser: { scope: 'user-donor' },
  usePreference: { scope: 'user-donor', personScope: 'user' },
  readInbox: { scope: 'user' },
  listDevices: { scope: 'user-donor', presence: 'always' },
  lookUpUsers: { scope: 'user-donor', role: 'user-manager' },
  exportUser: { scope: 'user-donor', role: 'user-manager', presence: 'always' },
  eraseUser: { scope: 'user-donor', role: 'user-manager', presence: 'always' },
  listClients: { scope: 'content-manager', role: 'super-admin' },
  manageClients: { scope: 'content-manager', role: 'super-admin', presence: 'always' },
  listRevisions: { scope: 'content-manager' },
  restoreLibraryRevision: { scope: 'content-manager' },
  restoreFeedRevision: { scope: 'content-manager' },
  deleteDraft: { scope: 'content-manager' },
  propose: { scope: 'content-manager' },
  listNotifications: { scope: 'content-manager' },
  draftNotification: { scope: 'content-manager' },
  createNotification: { scope: 'content-manager', presence: 'large-push' },
  changeNotification: { scope: 'content-manager', presence: 'large-push' },
  removeNotification: { scope: 'content-manager' },
  listPeople: { scope: 'content-manager' },
  listManagers: { scope: 'content-manager', role: 'super-admin' },
  manageManagers: { scope: 'content-manager', role: 'super-admin', presence: 'always' },
  listIdentities: { scope: 'content-manager' },
  unlinkOwnIdentity: { scope: 'content-manager', presence: 'always' },
  unlinkIdentity: { scope: 'content-manager', role: 'super-admin', presence: 'always' },
  useOwnAccount: { scope: 'user' },
  changeOwnCredentials: { scope: 'user', presence: 'always' },
  showDesk: { scope: 'content-manager' },
  showReaders: { scope: 'content-manager' },
  workOnCopies: { scope: 'content-manager' },
  previewInApp: { scope: 'content-manager' },
  operate: { scope: 'content-manager', role: 'super-admin' },
  resumeProvider: { scope: 'content-manager', role: 'super-admin', presence: 'always' },
  reportDelivery: { scope: 'content-manager' },
  showPortfolio: { scope: 'user' },
  listSectors: { scope: 'user' },
  listOrganizations: { scope: 'user' },
  listOrganizationSectors: { scope: 'user' },
  listIntroductions: { scope: 'user' },
  listSummaries: { scope: 'user' },
  listPrograms: { scope: 'user' },
  listChallenges: { scope: 'user' },
  listDatasets: { scope: 'user' },
  listTextFindings: { scope: 'content-manager' },
  exportPortfolio: { scope: 'content-manager' },
  reviewPortfolio: { scope: 'content-manager' },
  replacePortfolio: { scope: 'content-manager', presence: 'always' },
} as const satisfies Readonly<Record<string, Requirement>>

/** The name of an operation that asks something of its caller. */
export type Operation = keyof typeof REQUIREMENTS

/** The digest under which a secret or an access token is stored: SHA-256 in lower-case hex (A6). */
export type TokenDigest = string & { readonly TokenDigest: unique symbol }

/**
 * The kinds of actors: a client by its access token, a person in the console, a command of an operator, a caller that an embedding service names,
 * and the schedules of items (K1).
 */
export const ACTOR_KINDS = ['client', 'person', 'command', 'host', 'schedule'] as const
/** One of {@link ACTOR_KINDS}. */
export type ActorKind = (typeof ACTOR_KINDS)[number]

/** Who changes something (K1). The `id` is a client's identifier, a person's number, a command's words or what the host gives, never an address. */
export interface Actor {
  readonly kind: ActorKind
  readonly id: string
}

/** Returns whether two actors are the same. */
export const isSameActor = (one: Actor, other: Actor): boolean =>
  one.kind === other.kind && one.id === other.id

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
  /** The access token, if it is a person's (A10): `email` is that person, and the binding ends with the token. */
  readonly personToken?: TokenDigest
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
  /** The digest of the token, if it is a person's (A10): then `email` is the person, and there are no roles. */
  readonly personToken?: TokenDigest
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
  ...(grant.personToken !== undefined && { personToken: grant.personToken }),
  ...(grant.issuedAt !== undefined && { issuedAt: grant.issuedAt }),
})

/** Returns the part of an act that depends on the caller's own user, if the store binds the two (L1). */
export const boundToOwnUser = ({
  email,
  isBound,
  personToken,
}: Caller): { readonly boundTo?: Email; readonly boundBy?: TokenDigest } =>
  isBound && O.isSome(email)
    ? { boundTo: email.value, ...(personToken !== undefined && { boundBy: personToken }) }
    : {}

/** Returns the scope that an operation asks of a caller: a person's own token needs less for some (F2). */
export const scopeFor = (
  { scope, personScope = scope }: Requirement,
  { personToken }: Pick<Caller, 'personToken'>,
): Scope => (personToken === undefined ? scope : personScope)

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

/** Returns the caller if the person behind its session proved presence less than five minutes ago. Clients of the API need no proof (M4). */
export const requirePresence =
  (now: Instant) =>
  (caller: Caller): E.Either<PresenceRequired, Caller> =>
    caller.confirmedAt === undefined ||
    isInLife({ expiresAt: addMillis(caller.confirmedAt, RECENT), life: RECENT }, now)
      ? E.right(caller)
      : E.left({ _tag: 'PresenceRequired' })

/** Returns the caller if it has scope, role and presence, in this order: a proof gives no role. Use cases check the size of a push. */
export const checkAccess =
  (requirement: Requirement, now: () => Instant) =>
  (caller: Caller): E.Either<InsufficientScope | InsufficientRole | PresenceRequired, Caller> => {
    const { role, presence } = requirement
    const scoped = requireScope(scopeFor(requirement, caller))(caller)
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
