/**
 * Archives: one tar file that holds a service, with digests of all that is in it.
 * @module @almoner/adapters-kysely/archive
 */

export * from './archive-reader.ts'
export * from './archive-writer.ts'
export * from './errors.ts'
export * from './export.ts'
export * from './format.ts'
export * from './images.ts'
export * from './import.ts'
export * from './manifest.ts'
export * from './progress.ts'
export * from './verify-backup.ts'
export * from './verify-entries.ts'
export * from './verify-export.ts'
