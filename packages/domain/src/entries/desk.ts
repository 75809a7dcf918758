/**
 * The work of content managers in the console: working copies of unsaved edits, what waits, and who sees an item.
 * @module @almoner/domain/desk
 */

export * from '../managers/use-cases.ts'
export * from '../managers/working-copies.ts'
export * from '../managers/working-copy.ts'
export * from '../managers/working-copy.ts'
export * from '../managers/working-copy.ts'
export * from '../operations/desk.ts'
export * from '../operations/desk.ts'
export * from '../operations/desk.ts'
export * from '../operations/desk.ts'
export { makePurgeCopies, type Purge } from '../operations/maintenance.ts'
export * from '../operations/model.ts'
