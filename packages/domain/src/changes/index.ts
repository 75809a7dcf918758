/**
 * What changed for a caller, for apps that keep a copy.
 * @module @almoner/domain/changes
 */

export * from './cursor.ts'
export { ListChanges } from './looking.ts'
export * from './model.ts'
export * from './use-cases.ts'
