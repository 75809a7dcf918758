import { type Db, type Execute, sessionDb } from '@almoner/adapters-kysely'
import type { Database } from 'better-sqlite3'
import { type SelectQueryNode, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { makeStatements } from './statements.ts'

/** Statements kept prepared per connection: the program has some dozens of texts. */
const CACHED_STATEMENTS = 200

/** SQLite's SQL. Writers exclude each other, so it has no words for locks on rows, and queries that ask for some go without. */
export class UnlockedQueryCompiler extends SqliteQueryCompiler {
  protected override visitSelectQuery({ endModifiers: _, ...node }: SelectQueryNode): void {
    super.visitSelectQuery(node)
  }
}

/**
 * Where a plan could depend on a value (that of a `limit` always), SQLite prepares the statement again each time the value is given,
 * which takes as long as running it. The value of an expression it does not ask for, and plans once.
 */
class PlannedOnce extends UnlockedQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return 'ifnull(?, null)'
  }
}

/** Runs statements on a connection as long as it is open. */
type WhileOpen = <A>(work: () => A) => A

const executeOn = (database: Database, whileOpen: WhileOpen): Execute => {
  const statements = makeStatements(database, CACHED_STATEMENTS)
  return async <R>({ sql, parameters }: Parameters<Execute>[0]) =>
    whileOpen(() => {
      const statement = statements.get(sql)
      return statement.reader
        ? { rows: statement.all(...parameters) as Array<R> }
        : { rows: [], numAffectedRows: BigInt(statement.run(...parameters).changes) }
    })
}

/** Kysely on one better-sqlite3 connection. */
export const kyselyOn = (database: Database, whileOpen: WhileOpen): Db =>
  sessionDb(
    {
      createQueryCompiler: () => new PlannedOnce(),
      createAdapter: () => new SqliteAdapter(),
      createIntrospector: (db) => new SqliteIntrospector(db),
    },
    executeOn(database, whileOpen),
  )
