import { type Db, type SessionDialect, sessionDb } from '@almoner/adapters-kysely'
import { type DatabaseConnection, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Session } from './session.ts'

const connectionOf = (session: Session): DatabaseConnection => ({
  async executeQuery<R>({
    sql,
    parameters,
  }: {
    readonly sql: string
    readonly parameters: ReadonlyArray<unknown>
  }) {
    const { rows, rowCount } = await session.ask(sql, parameters)
    return { rows: rows as Array<R>, ...(rowCount === null ? {} : { numAffectedRows: BigInt(rowCount) }) }
  },
  // biome-ignore lint/correctness/useYield: the interface asks for it, and nothing here streams.
  async *streamQuery() {
    throw new Error('collections are read in batches')
  },
})

const DIALECT: SessionDialect = {
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (db) => new PostgresIntrospector(db),
}

/** Kysely on one session, which the caller opens and closes. */
export const kyselyOn = (session: Session): Db => sessionDb(DIALECT, connectionOf(session))
