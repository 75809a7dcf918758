import type { Database, Statement } from 'better-sqlite3'

/** Prepared statements of one connection, by their text. */
export interface Statements {
  /** The statement of this text, prepared when it has not been of late. */
  get(text: string): Statement
}

/** Keeps the `most` statements used last; the others are let go. */
export const makeStatements = (database: Pick<Database, 'prepare'>, most: number): Statements => {
  // A Map remembers the order in which its keys came: the first is the one not used for longest.
  const kept = new Map<string, Statement>()
  return {
    get(text) {
      const statement = kept.get(text) ?? database.prepare(text)
      kept.delete(text)
      kept.set(text, statement)
      const [oldest] = kept.keys()
      if (kept.size > most && oldest !== undefined) kept.delete(oldest)
      return statement
    },
  }
}
