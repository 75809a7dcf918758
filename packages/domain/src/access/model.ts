import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Email } from '../values/addresses.ts'
import type { ClientId } from '../values/ids.ts'
import { addMillis, type Instant, instant, isInLife, MINUTE } from '../values/time.ts'
import { effectiveScopes, isScope, type Role, type Scope } from './caller.ts'

/** How a client obtains access tokens for people (A10). */
export interface PeopleAccess {
  /** Whether the client has no secret, as an app on phones: it shows its identifier alone, and may only exchange ID tokens. */
  readonly isPublic: boolean
  /** The one audience whose ID tokens the client may exchange; none for all that the deployment accepts. */
  readonly audience: O.Option<string>
}

/** Machine credentials, perhaps bound to one user (A1). */
export interface Client {
  readonly id: ClientId
  readonly name: string
  readonly scopes: ReadonlyArray<Scope>
  readonly roles: ReadonlyArray<Role>
  readonly email: O.Option<Email>
  readonly disabled: boolean
  /** Absent for a client that obtains no tokens for people (A10). */
  readonly forPeople?: PeopleAccess
}

/** Returns whether a client has no secret (A10). */
export const isPublicClient = ({ forPeople }: Pick<Client, 'forPeople'>): boolean =>
  forPeople?.isPublic === true

/** A secret as it is stored: a SHA-256 digest, or a hash of an earlier version (A6). It expires at `until`, if given. */
export interface StoredSecret {
  readonly hash: string
  readonly until: O.Option<Instant>
  /** Milliseconds from its rotation to `until`, if they are known. */
  readonly life?: number
}

/** A client with its secrets, newest first, and its last use, as far as that is stored. */
export interface ClientOverview {
  readonly client: Client
  readonly secrets: ReadonlyArray<StoredSecret>
  readonly lastUsedAt: O.Option<Instant>
}

/** The scope asked for is unknown, malformed or beyond what the client holds (RFC 6749 §5.2). */
export interface InvalidScope {
  readonly _tag: 'InvalidScope'
}

/**
 * The scopes that a new token carries (A4): what was asked for, if the client holds all of it, included scopes too;
 * everything registered when nothing was asked for.
 */
export const grantedScopes = (
  client: Pick<Client, 'scopes' | 'roles'>,
  asked: O.Option<string>,
): E.Either<InvalidScope, ReadonlyArray<Scope>> => {
  if (O.isNone(asked)) return E.right(client.scopes)
  const held = effectiveScopes(client.scopes, client.roles)
  const names = asked.value.split(' ').filter((name) => name !== '')
  const scopes = [...new Set(names.filter(isScope))]
  const refused = names.length === 0 || names.some((name) => !isScope(name) || !held.has(name))
  return refused ? E.left({ _tag: 'InvalidScope' }) : E.right(scopes)
}

/** Whether a stored secret still counts at a moment (A6, I9). */
export const isCurrent =
  (now: Instant) =>
  ({ until, life }: StoredSecret): boolean =>
    O.isNone(until) || isInLife({ expiresAt: until.value, life }, now)

/** Returns until when an earlier secret still counts; none if only the newest does (A6). */
export const earlierSecretsUntil = (
  secrets: ReadonlyArray<StoredSecret>,
  now: Instant,
): O.Option<Instant> => {
  const ends = secrets.filter(isCurrent(now)).flatMap(({ until }) => (O.isSome(until) ? [until.value] : []))
  return ends.length === 0 ? O.none : O.some(instant(Math.max(...ends)))
}

/** Whether scopes and roles allow nothing at all: a client that has no others is a mistake (A2). */
export const grantsNothing = ({ scopes, roles }: Pick<Client, 'scopes' | 'roles'>): boolean =>
  effectiveScopes(scopes, roles).size === 0

/** Returns how a client obtains tokens for people, as JSON; nothing if it does not (A10). */
export const peopleDocument = ({ forPeople }: Client) =>
  forPeople && {
    for_people: true,
    public: forPeople.isPublic,
    audience: O.getOrElse((): string => '')(forPeople.audience),
  }

/** Returns a client without any secret, as JSON. Text that is absent is empty (C2). */
export const clientDocument = ({ id, name, scopes, roles, email, disabled, forPeople }: Client) => ({
  client_id: id,
  name,
  scope: scopes.join(' '),
  roles,
  email: O.getOrElse((): string => '')(email),
  disabled,
  for_people: forPeople !== undefined,
  public: forPeople?.isPublic === true,
  audience: O.getOrElse((): string => '')(forPeople?.audience ?? O.none),
})

/** Failures within a minute after which a source must wait (A8). */
export const ALLOWED_FAILURES = { pair: 10, address: 100 } as const

/** One of {@link SOURCES}. */
export type Source = keyof typeof ALLOWED_FAILURES

/** What failures are counted by: a client id together with its address, and the address. Never the id alone. */
export const SOURCES: ReadonlyArray<Source> = ['pair', 'address']

/**
 * Whether a failure counts now: it is less than a minute old (A8). One that lies a minute or more ahead was noted before the clock was
 * set back, and does not count: it would lock its source out until the clock has caught up.
 */
export const isRecentFailure = (moment: Instant, now: Instant): boolean => Math.abs(now - moment) < MINUTE

/** The failures that still count, oldest first: those of the last minute, and no more than the limit needs. */
export const remember = (
  source: Source,
  earlier: ReadonlyArray<Instant>,
  now: Instant,
): ReadonlyArray<Instant> =>
  [...earlier.filter((moment) => isRecentFailure(moment, now)), now].slice(-ALLOWED_FAILURES[source])

/** Until when a source with these failures is kept out, if it is (A8): for a minute from now at most, even if the clock was ahead then (I9). */
export const lockedUntil = (
  source: Source,
  failures: ReadonlyArray<Instant>,
  now: Instant,
): O.Option<Instant> => {
  const decisive = failures.at(-ALLOWED_FAILURES[source])
  return decisive !== undefined && isRecentFailure(decisive, now)
    ? O.some(addMillis(instant(Math.min(decisive, now)), MINUTE))
    : O.none
}
