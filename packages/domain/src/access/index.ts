/**
 * Callers, scopes, duties, clients, tokens and requests that are safe to repeat.
 * @module @almoner/domain/access
 */

export * from './acts.ts'
export * from './caller.ts'
export * from './client-options.ts'
export * from './clients.ts'
export * from './duties.ts'
export * from './exchange.ts'
export * from './guessing.ts'
export * from './host.ts'
export * from './id-tokens.ts'
export * from './kept-keys.ts'
export * from './model.ts'
export * from './shared-attempts.ts'
export * from './shared-requests.ts'
export * from './tokens.ts'
