import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
} from 'kysely'
import type { Tables } from '../schema/schema.ts'
import type { Db } from './database.ts'

/** The parts of Kysely's dialect that depend on the database. */
export type SessionDialect = Omit<Dialect, 'createDriver'>

const noTransactions = async (): Promise<never> => {
  throw new Error('transactions are begun by the engine')
}

const driverOf = (connection: DatabaseConnection): Driver => ({
  init: async () => {},
  acquireConnection: async () => connection,
  releaseConnection: async () => {},
  beginTransaction: noTransactions,
  commitTransaction: noTransactions,
  rollbackTransaction: noTransactions,
  destroy: async () => {},
})

/**
 * Kysely asks for a connection and gives it back around each statement, and shows each result to plugins. Where there is one connection, and
 * there are no plugins, that takes longer than a small statement of SQLite's.
 */
class SessionExecutor extends DefaultQueryExecutor {
  readonly #connection: DatabaseConnection

  constructor(dialect: Dialect, connection: DatabaseConnection) {
    super(dialect.createQueryCompiler(), dialect.createAdapter(), {
      provideConnection: (consumer) => consumer(connection),
    })
    this.#connection = connection
  }

  override executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#connection.executeQuery<R>(query)
  }
}

/** Runs a compiled statement on a connection. */
export type Execute = <R>(query: Pick<CompiledQuery, 'sql' | 'parameters'>) => Promise<QueryResult<R>>

/** Returns a handle on one connection, which the engine opens and closes, and on which it alone begins and ends transactions. */
export const sessionDb = (own: SessionDialect, execute: Execute): Db => {
  const connection: DatabaseConnection = {
    executeQuery: execute,
    // biome-ignore lint/correctness/useYield: the interface asks for it, and nothing here streams.
    streamQuery: async function* () {
      throw new Error('collections are read in batches')
    },
  }
  const driver = driverOf(connection)
  const dialect: Dialect = { ...own, createDriver: () => driver }
  const executor = new SessionExecutor(dialect, connection)
  return new Kysely<Tables>({ config: { dialect }, driver, executor, dialect })
}
