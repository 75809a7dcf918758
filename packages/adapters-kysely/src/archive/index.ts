/**
 * Archives: one tar file that holds a service, with digests of all that is in it.
 * @module @almoner/adapters-kysely/archive
 */

export * from './archive.ts'
export * from './errors.ts'
export * from './export.ts'
export * from './import.ts'
export * from './manifest.ts'
export * from './verify.ts'
