import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'

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
  const held = [...scopes, ...[...roles].flatMap((role) => RA.fromOption(ROLE_SCOPES[role]))]
  return new Set(held.flatMap((scope) => IMPLIED_SCOPES[scope]))
}

/** Whether a text is the name of a scope, matched exactly. */
export const isScope = (text: string): text is Scope => SCOPES.some((scope) => scope === text)

/** Whether a text is the name of a role, matched exactly. */
export const isRole = (text: string): text is Role => ROLES.some((role) => role === text)
