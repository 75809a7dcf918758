import type { Db } from '@almoner/adapters-kysely'
import { openConnection } from './connection.ts'

/** KiB of pages kept in memory. */
const CACHE = 8000
const TIMEOUT = 5000

/** The connection that reads what takes a statement or a few. */
export interface Reader {
  /** As the database's `read`; throws `DatabaseUnavailable`. */
  read<A>(work: (db: Db) => Promise<A>): Promise<A>
  close(): void
}

/** Opens the reading connection of a file that exists. No state is held between two statements, so that the log can always be cut down. */
export const openReader = (file: string): Reader => {
  const connection = openConnection(file, { readonly: true, cache: CACHE, timeout: TIMEOUT })
  return { read: async (work) => work(connection.db), close: () => connection.close() }
}
