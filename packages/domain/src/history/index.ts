/**
 * Revisions and audit records, for any kind of thing that changes.
 * @module @almoner/domain/history
 */

export * from './model.ts'
export * from './use-cases.ts'
