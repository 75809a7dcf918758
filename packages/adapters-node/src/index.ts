/**
 * Clock, timer, chance, identifiers and secrets, from Node itself.
 * @module @almoner/adapters-node
 */

export * from './clock.ts'
export * from './ids.ts'
export * from './random.ts'
export * from './secrets.ts'
export * from './timer.ts'
