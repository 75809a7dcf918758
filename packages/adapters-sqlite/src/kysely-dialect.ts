import { type Db, Outage, sessionDb } from '@almoner/adapters-kysely'
import type { Database } from 'better-sqlite3'
import { type DatabaseConnection, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { makeStatements } from './statements.ts'

/** Statements kept prepared per connection: the program has some dozens of texts. */
const KEPT = 200

/** Who opens and closes a connection. */
interface Owner {
  readonly isOpen: () => boolean
  /** Called when a statement that may change something has been run. One that failed has changed nothing. */
  readonly onWrite: () => void
}

/**
 * If a plan could depend on a value (always for `limit`), SQLite prepares the statement again for each value, which takes as long as running
 * it. For the value of an expression it plans once.
 */
class PlannedOnce extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return 'ifnull(?, null)'
  }
}

const connectionOf = (database: Database, { isOpen, onWrite }: Owner): DatabaseConnection => {
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
      const result = statement.reader
        ? { rows: statement.all(...parameters) as Array<R> }
        : { rows: [], numAffectedRows: BigInt(statement.run(...parameters).changes) }
      if (!statement.readonly) onWrite()
      return result
    },
    // biome-ignore lint/correctness/useYield: the interface asks for it, and nothing here streams.
    async *streamQuery() {
      throw new Error('collections are read in batches')
    },
  }
}

/** Kysely on one better-sqlite3 connection. */
export const kyselyOn = (database: Database, owner: Owner): Db =>
  sessionDb(
    {
      createQueryCompiler: () => new PlannedOnce(),
      createAdapter: () => new SqliteAdapter(),
      createIntrospector: (db) => new SqliteIntrospector(db),
    },
    connectionOf(database, owner),
  )
