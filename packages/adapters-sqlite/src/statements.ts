import type Database from 'better-sqlite3'
import type { Statement } from 'better-sqlite3'

/** Prepared statements of one connection, by their text. */
export interface Statements {
  /** The statement of this text, prepared when it is not kept. */
  get(text: string): Statement
}

/**
 * Caches the `most` statements that were prepared last. It does not track their use: reordering a Map at every use copies it repeatedly, and
 * those copies were most of the long-lived garbage of a server under reads.
 */
export const makeStatements = (database: Pick<Database.Database, 'prepare'>, most: number): Statements => {
  // A Map remembers the order in which its keys came.
  const kept = new Map<string, Statement>()
  return {
    get(text) {
      const known = kept.get(text)
      if (known !== undefined) return known
      const statement = database.prepare(text)
      kept.set(text, statement)
      const [oldest] = kept.keys()
      if (kept.size > most && oldest !== undefined) kept.delete(oldest)
      return statement
    },
  }
}

/** Statements kept prepared per connection: the program has some dozens of texts. */
export const CACHED_STATEMENTS = 200
