import { initial } from './0001-initial.ts'
import type { Migration } from './migration.ts'

/** The schema's whole history, in order. */
export const MIGRATIONS: ReadonlyArray<Migration> = [initial]
