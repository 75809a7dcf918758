import { type CompiledQuery, sql } from 'kysely'
import type { Db } from './database.ts'

/** What stands in a statement for the value of this number, which is given each time that the statement is run. */
class Slot {
  readonly number: number

  constructor(number: number) {
    this.number = number
  }
}

/** A place for a value in a query of Kysely's: the first has the number 0. */
export const slot = <A>(number: number): A => new Slot(number) as A

/** Makes a statement's parameters of the values that it is given. */
type Fill = (values: ReadonlyArray<unknown>) => ReadonlyArray<unknown>

const asGiven: Fill = (values) => values

const filling = (parameters: ReadonlyArray<unknown>): Fill =>
  parameters.every((one, at) => one instanceof Slot && one.number === at)
    ? asGiven
    : (values) => parameters.map((one) => (one instanceof Slot ? values[one.number] : one))

/** A statement that is compiled once, and then only given values. */
export type Statement<Row> = (db: Db, values: ReadonlyArray<unknown>) => Promise<ReadonlyArray<Row>>

/**
 * Compiling a query takes Kysely several times as long as SQLite takes to run it. Frequent queries are therefore compiled at their first use,
 * with a {@link slot} for each value. A statement belongs to one engine, because its text is that engine's SQL.
 */
export const statement = <Row>(build: (db: Db) => CompiledQuery<Row>): Statement<Row> => {
  let compiled: CompiledQuery<Row> | undefined
  let fill = asGiven
  return async (db, values) => {
    if (compiled === undefined) {
      compiled = build(db)
      fill = filling(compiled.parameters)
    }
    const { query, queryId, sql } = compiled
    const run = { query, queryId, sql, parameters: fill(values) }
    return (await db.getExecutor().executeQuery<Row>(run)).rows
  }
}

/** Texts kept compiled: the filters of one table make some dozens. */
const KEPT = 200

/** Statements by their text, which has a `?` for each value and none elsewhere. */
export type Statements = <Row>(
  db: Db,
  text: string,
  values: ReadonlyArray<unknown>,
) => Promise<ReadonlyArray<Row>>

const compile = (text: string) => {
  const pieces = text.split('?')
  const slots = pieces.slice(1).map((_, number) => slot(number))
  return (db: Db) => sql<never>(Object.assign(pieces, { raw: pieces }), ...slots).compile(db)
}

/** Keeps each text compiled once it has been run. They belong to one engine. */
export const makeStatements = (): Statements => {
  const kept = new Map<string, Statement<never>>()
  return (db, text, values) => {
    const known = kept.get(text)
    if (known !== undefined) return known(db, values)
    // Only searches with many different numbers of words reach this limit.
    if (kept.size >= KEPT) kept.clear()
    const made = statement(compile(text))
    kept.set(text, made)
    return made(db, values)
  }
}
