/**
 * In-memory adapters for every port: the reference implementations with which other adapters are compared, and the basis of tests of
 * rules.
 * @module @almoner/domain/memory
 */

export * from './clock.ts'
export * from './ids.ts'
export * from './image-checker.ts'
export * from './image-files.ts'
export * from './media-store.ts'
export * from './portfolio-image-checker.ts'
export * from './portfolio-images.ts'
export * from './ports.ts'
export * from './push-gateway.ts'
export * from './random.ts'
export * from './running-clock.ts'
export * from './secrets.ts'
export * from './store.ts'
export * from './timer.ts'
export * from './waiting-timer.ts'
