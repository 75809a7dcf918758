import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import t from 'tap'
import { compiledQuery, param, queryCache } from '../src/database/database.ts'
import type { Tables } from '../src/schema/schema.ts'

/** A handle without a database, which reports compiled and executed statements. */
const tracing = () => {
  const said: Array<readonly [text: string, values: ReadonlyArray<unknown>]> = []
  let compiled = 0
  class Counting extends PostgresQueryCompiler {
    override compileQuery(...query: Parameters<PostgresQueryCompiler['compileQuery']>) {
      compiled += 1
      return super.compileQuery(...query)
    }
  }
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new Counting(),
    },
    log: ({ query }) => {
      said.push([query.sql, query.parameters])
    },
  })
  return { db, said, compiled: () => compiled }
}

t.test('a Kysely query is compiled once and runs with different values', async (t) => {
  const { db, said, compiled } = tracing()
  const named = compiledQuery((db) =>
    db
      .selectFrom('label')
      .select('rank')
      .where('en', '=', param<never>(1))
      .where('fr', '=', param<never>(0))
      .compile(),
  )
  await named(db, ['a', 'b'])
  await named(db, ['c', 'd'])
  const text = 'select "rank" from "label" where "en" = $1 and "fr" = $2'
  t.strictSame(said, [
    [text, ['b', 'a']],
    [text, ['d', 'c']],
  ])
  t.equal(compiled(), 1)
})

t.test('a text is compiled once, in the dialect of the database, and the cache is bounded', async (t) => {
  const { db, said, compiled } = tracing()
  const run = queryCache()
  await run(db, 'select ? where a = ?', [1, 'x'])
  await run(db, 'select ? where a = ?', [2, 'y'])
  await run(db, 'select 1', [])
  t.strictSame(said, [
    ['select $1 where a = $2', [1, 'x']],
    ['select $1 where a = $2', [2, 'y']],
    ['select 1', []],
  ])
  t.equal(compiled(), 2)
  for (let n = 0; n < 300; n += 1) await run(db, `select ${n}`, [])
  t.equal(compiled(), 301, 'one of them was cached')
  await run(db, 'select ? where a = ?', [3, 'z'])
  t.equal(compiled(), 302, 'what was kept is bounded')
})
