import { type Db, type Execute, type SessionDialect, sessionDb } from '@almoner/adapters-kysely'
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Session } from './session.ts'

const DIALECT: SessionDialect = {
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (db) => new PostgresIntrospector(db),
}

/** Kysely on one session, which the caller opens and closes. */
export const kyselyOn = (session: Session): Db =>
  sessionDb(DIALECT, async <R>({ sql, parameters }: Parameters<Execute>[0]) => {
    const { rows, rowCount } = await session.ask(sql, parameters)
    return { rows: rows as Array<R>, ...(rowCount === null ? {} : { numAffectedRows: BigInt(rowCount) }) }
  })
