import { type CompiledQuery, sql } from 'kysely'
import type { Db } from './db.ts'

/** Stands in a query for the value of this number. */
class Param {
  readonly number: number

  constructor(number: number) {
    this.number = number
  }
}

/** Returns a placeholder in a Kysely query for a value that is given each time the query runs. The first has the number 0. */
export const param = <A>(number: number): A => new Param(number) as A

/** A query that is compiled once, and then only given values. */
export type PreparedQuery<Row> = (db: Db, values: ReadonlyArray<unknown>) => Promise<ReadonlyArray<Row>>

/**
 * Compiles a query when it first runs, with a {@link param} for each value: compiling takes Kysely several times as long as SQLite takes to
 * answer. The result belongs to one engine, whose SQL it is.
 */
export const compiledQuery = <Row>(build: (db: Db) => CompiledQuery<Row>): PreparedQuery<Row> => {
  let compiled: CompiledQuery<Row> | undefined
  return async (db, values) => {
    compiled ??= build(db)
    const { query, queryId, sql } = compiled
    const parameters = compiled.parameters.map((one) => (one instanceof Param ? values[one.number] : one))
    return (await db.getExecutor().executeQuery<Row>({ query, queryId, sql, parameters })).rows
  }
}

/** Texts kept compiled: the filters of one table make some dozens. */
const CACHED_QUERIES = 200

/** Runs queries by their text, which has a `?` for each value and none elsewhere. */
export type QueryCache = <Row>(
  db: Db,
  text: string,
  values: ReadonlyArray<unknown>,
) => Promise<ReadonlyArray<Row>>

const compile = (text: string) => {
  const pieces = text.split('?')
  const params = pieces.slice(1).map((_, number) => param(number))
  return (db: Db) => sql<never>(Object.assign(pieces, { raw: pieces }), ...params).compile(db)
}

/** Makes a cache of the texts that have run, for one engine. */
export const queryCache = (): QueryCache => {
  const kept = new Map<string, PreparedQuery<never>>()
  return (db, text, values) => {
    const known = kept.get(text)
    if (known !== undefined) return known(db, values)
    // Only searches for ever more words compile this number.
    if (kept.size >= CACHED_QUERIES) kept.clear()
    const made = compiledQuery(compile(text))
    kept.set(text, made)
    return made(db, values)
  }
}

/** A value as a column holds it. */
export type Cell = string | number | null

/** Part of a `where` clause: its text, and the values for the `?` in it, in order. */
export interface Condition {
  readonly text: string
  readonly values: ReadonlyArray<Cell>
}

/** A condition with its values. */
export const condition = (text: string, ...values: ReadonlyArray<Cell>): Condition => ({ text, values })

/** All of the conditions as one clause; without any, of every row. */
export const whereAll = (conditions: ReadonlyArray<Condition>): Condition => ({
  text: conditions.length === 0 ? '' : `where ${conditions.map(({ text }) => text).join(' and ')}`,
  values: conditions.flatMap(({ values }) => values),
})

/** Names of columns, set apart by commas. */
export const columnList = (columns: ReadonlyArray<string>): string =>
  columns.map((column) => `"${column}"`).join(', ')

/** Returns this number of placeholders, separated by commas. */
export const placeholders = (values: ReadonlyArray<unknown>): string => values.map(() => '?').join(', ')

/** Returns the pattern of `like … escape '!'` for texts that contain another. What a backslash means in a statement depends on a setting (I10). */
export const containing = (text: string): string => `%${text.replaceAll(/[!%_]/g, '!$&')}%`
