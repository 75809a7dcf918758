/**
 * The work of content managers in the console: working copies of unsaved edits, what waits, and who sees an item.
 * @module @almoner/domain/desk
 */

export * from '../desk/desk.ts'
export * from '../desk/readers.ts'
export * from '../managers/use-cases.ts'
export * from '../managers/working-copies.ts'
export * from '../managers/working-copy.ts'
export * from '../managers/working-copy.ts'
export * from '../managers/working-copy.ts'
export * from '../use-cases/desk/show-desk.ts'
export * from '../use-cases/desk/show-published.ts'
export * from '../use-cases/desk/show-readers.ts'
export { makePurgeCopies, type Purge } from '../use-cases/maintenance/purges.ts'
