/**
 * All data of a person: access to it, and its erasure.
 * @module @almoner/domain/personal-data
 */

export * from './model.ts'
export * from './use-cases.ts'
