export * from './folder-media-store.ts'
export * from './render.ts'
export * from './sharp-image-checker.ts'
