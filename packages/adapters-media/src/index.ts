/**
 * Images: checking them by decoding them, and keeping them in a folder.
 * @module @almoner/adapters-media
 */

export * from './folder/stores.ts'
export { probeMediaFolder } from './folder/stores.ts'
export * from './image-checkers.ts'
