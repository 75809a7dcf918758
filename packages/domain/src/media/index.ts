/**
 * Images: names, addresses, and what an image must be.
 * @module @almoner/domain/media
 */

export * from './model.ts'
export * from './portfolio-images.ts'
export * from './renditions.ts'
