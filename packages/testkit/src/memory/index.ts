/**
 * In-memory adapters for every port: the reference implementations with which other adapters are compared, and the basis of tests of
 * rules.
 * @module @almoner/testkit/memory
 */

export * from './access.ts'
export * from './id-tokens.ts'
export { memoryLinkChecker } from './links.ts'
export * from './media.ts'
export * from './providers.ts'
export * from './store.ts'
export * from './values.ts'
