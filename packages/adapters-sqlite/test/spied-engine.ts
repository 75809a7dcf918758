import type { Db, Engine } from '@almoner/adapters-kysely'
import { CompiledQuery, type KyselyPlugin, SqliteQueryCompiler } from 'kysely'

/** A statement and how SQLite goes about it, one line a step. */
export interface Plan {
  readonly text: string
  readonly steps: ReadonlyArray<string>
}

/** An engine that remembers the statements it runs, and can say how SQLite plans each. */
export const spiedEngine = (engine: Engine) => {
  const seen: Array<CompiledQuery> = []
  const compiler = new SqliteQueryCompiler()
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      seen.push(compiler.compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const spied =
    <A>(work: (db: Db) => A) =>
    (db: Db): A =>
      work(db.withPlugin(plugin))
  const explain = ({ sql, parameters }: CompiledQuery): Promise<Plan> =>
    engine.read(async (db) => {
      const query = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters])
      const { rows } = await db.executeQuery<{ readonly detail: string }>(query)
      return { text: sql, steps: rows.map(({ detail }) => detail) }
    })
  const spy: Engine = {
    ...engine,
    read: (work) => engine.read(spied(work)),
    write: (work) => engine.write(spied(work)),
    snapshot: (work) => engine.snapshot(spied(work)),
  }
  return {
    engine: spy,
    /** The plans of what ran since this was asked last. */
    plans: (): Promise<ReadonlyArray<Plan>> => Promise.all(seen.splice(0).map(explain)),
  }
}
