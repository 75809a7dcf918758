import type { Database, Statement } from 'better-sqlite3'

/** Prepared statements of one connection, by their text. */
export interface Statements {
  /** The statement of this text, prepared when it is not kept. */
  get(text: string): Statement
}

/**
 * Keeps the `most` statements prepared last; the others are let go. Which are used most is not looked at: telling a Map with every use has
 * it copied again and again, and what survives of that is most of the garbage that a server of reads makes for good.
 */
export const makeStatements = (database: Pick<Database, 'prepare'>, most: number): Statements => {
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
