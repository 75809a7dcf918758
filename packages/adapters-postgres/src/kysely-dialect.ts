import { sessionDriver, type Tables } from '@almoner/adapters-kysely'
import {
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
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

/** Kysely on one session, which the caller opens and closes. */
export const kyselyOn = (session: Session): Kysely<Tables> => {
  const connection = connectionOf(session)
  const driver = sessionDriver(connection)
  return new Kysely<Tables>({
    dialect: {
      createDriver: () => driver,
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (db) => new PostgresIntrospector(db),
    },
  })
}
