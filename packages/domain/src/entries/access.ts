/**
 * Callers, scopes, clients and tokens.
 * @module @almoner/domain/access
 */

export * from '../access/brute-force.ts'
export * from '../access/caller.ts'
export * from '../access/caller-with.ts'
export * from '../access/client.ts'
export * from '../access/duties.ts'
export * from '../access/network.ts'
export * from '../access/required-role.ts'
export * from '../access/requirements.ts'
export * from '../access/scopes.ts'
export * from '../access/session.ts'
export * from '../almoner/access.ts'
export * from '../almoner/console.ts'
export * from '../people/manager.ts'
export * from '../use-cases/access/attempts.ts'
export * from '../use-cases/access/authenticate.ts'
export * from '../use-cases/access/check-credentials.ts'
export * from '../use-cases/access/issue-token.ts'
export * from '../use-cases/access/manage-clients.ts'
export * from '../use-cases/access/revoke-token.ts'
export * from '../use-cases/console/manage-managers.ts'
export * from '../use-cases/console/sessions.ts'
export * from '../use-cases/console/sign-in.ts'
export * from '../use-cases/maintenance/purge-sessions.ts'
export * from '../use-cases/maintenance/purge-tokens.ts'
