import { Outage, sessionDriver } from '@almoner/adapters-kysely'
import type { Database } from 'better-sqlite3'
import {
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { makeStatements } from './statements.ts'

/** Statements kept prepared per connection: the program has some dozens of texts. */
const KEPT = 200

/** Statements run at once and whole, so that callers may share the connection without locking it. */
class SharedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/**
 * Where a plan could depend on a value (that of a `limit` always), SQLite prepares the statement anew each time the value is given,
 * which takes as long as running it. What an expression comes to it does not ask, and plans once.
 */
class PlannedOnce extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return 'ifnull(?, null)'
  }
}

const connectionOf = (database: Database, isOpen: () => boolean): DatabaseConnection => {
  const statements = makeStatements(database, KEPT)
  return {
    async executeQuery<R>({
      sql,
      parameters,
    }: {
      readonly sql: string
      readonly parameters: ReadonlyArray<unknown>
    }) {
      if (!isOpen()) throw new Outage('the database is closed')
      const statement = statements.get(sql)
      if (statement.reader) return { rows: statement.all(...parameters) as Array<R> }
      const { changes } = statement.run(...parameters)
      return { rows: [], numAffectedRows: BigInt(changes) }
    },
    // biome-ignore lint/correctness/useYield: the interface asks for it, and nothing here streams.
    async *streamQuery() {
      throw new Error('collections are read in batches')
    },
  }
}

/** Kysely on one better-sqlite3 connection, which the caller opens and closes. */
export const kyselyDialect = (database: Database, isOpen: () => boolean): Dialect => {
  const connection = connectionOf(database, isOpen)
  const driver = sessionDriver(connection)
  return {
    createDriver: () => driver,
    createQueryCompiler: () => new PlannedOnce(),
    createAdapter: () => new SharedAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}
