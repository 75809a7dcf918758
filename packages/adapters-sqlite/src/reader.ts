import type { Db } from '@almoner/adapters-kysely'
import { openConnection } from './connection.ts'

/** KiB of pages kept in memory. */
const CACHE = 16_000
const TIMEOUT = 5000

/** The connection that reads what takes a statement or a few. */
export interface Reader {
  /** As the engine's `read`. */
  read<A>(work: (db: Db) => Promise<A>): Promise<A>
  /** Lets whatever is read from now on see what this process has just committed. */
  renew(): void
  close(): void
}

/**
 * Opens the reading connection of a file that exists. Beginning and ending a transaction takes SQLite as long as reading a page's index, so
 * that all who read in one turn of the event loop share one. It begins behind the arrival of whatever is answered in that turn: nobody is
 * shown less than what was committed before he asked.
 */
export const openReader = (file: string): Reader => {
  const connection = openConnection(file, { readonly: true, cache: CACHE, timeout: TIMEOUT })
  let begun = false

  const renew = () => {
    if (begun) connection.rollback()
    begun = false
  }

  return {
    read: async (work) => {
      if (!begun) {
        connection.step('begin')
        begun = true
        setImmediate(renew)
      }
      return work(connection.db)
    },
    renew,
    close: () => connection.close(),
  }
}
