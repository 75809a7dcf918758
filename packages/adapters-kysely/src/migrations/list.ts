import { items } from './0001-items.ts'
import { labels } from './0002-labels.ts'
import { clients } from './0003-clients.ts'
import type { Migration } from './migration.ts'

/** The schema's whole history, in order. */
export const MIGRATIONS: ReadonlyArray<Migration> = [items, labels, clients]
