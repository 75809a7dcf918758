/**
 * Images: checking them by decoding them, and keeping them in a folder.
 * @module @almoner/adapters-media
 */

export * from './folder-image-files.ts'
export * from './folder-media-store.ts'
export * from './folder-portfolio-images.ts'
export * from './portfolio-image-checker.ts'
export { probeMediaFolder } from './probe.ts'
export * from './sharp-image-checker.ts'
