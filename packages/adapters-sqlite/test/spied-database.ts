import { type Database, type Db, sessionDb } from '@almoner/adapters-kysely'
import { done } from '@almoner/testkit/contracts'
import { CompiledQuery, SqliteAdapter, SqliteIntrospector } from 'kysely'
import { UnlockedQueryCompiler } from '../src/connection.ts'

/** A statement and how SQLite goes about it, one line a step. */
export interface Plan {
  readonly text: string
  readonly steps: ReadonlyArray<string>
}

/** A handle on the same tables that reports its statements. */
const tellingDb = (db: Db, tell: (query: CompiledQuery) => void): Db =>
  sessionDb(
    {
      createQueryCompiler: () => new UnlockedQueryCompiler(),
      createAdapter: () => new SqliteAdapter(),
      createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    },
    (query) => {
      tell(query as CompiledQuery)
      return db.executeQuery<never>(query as CompiledQuery)
    },
  )

/** A database that remembers the statements it runs, and can say how SQLite plans each. */
export const spiedDatabase = (database: Database) => {
  const seen: Array<CompiledQuery> = []
  const spied =
    <A>(work: (db: Db) => A) =>
    (db: Db): A =>
      work(tellingDb(db, (query) => seen.push(query)))
  const explain = ({ sql, parameters }: CompiledQuery): Promise<Plan> =>
    done(
      database.read(async (db) => {
        const query = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters])
        const { rows } = await db.executeQuery<{ readonly detail: string }>(query)
        return { text: sql, steps: rows.map(({ detail }) => detail) }
      }),
    )
  const spy: Database = {
    ...database,
    read: (work, options) => database.read(spied(work), options),
    write: (work) => database.write(spied(work)),
    streamSnapshot: (work, options) => database.streamSnapshot(spied(work), options),
    readSnapshot: (work, options) => database.readSnapshot(spied(work), options),
  }
  return {
    database: spy,
    /** Returns the plans of all statements since the last call. */
    plans: (): Promise<ReadonlyArray<Plan>> => Promise.all(seen.splice(0).map(explain)),
  }
}
