import type { ItemId, Unavailable } from '@almoner/domain'
import type { ContentType, DataPart } from '@almoner/domain/history'
import { type ErasureUnfinished, type NothingDone, outcomeUnknown, unavailable } from '@almoner/domain/ports'
import type { LabelId } from '@almoner/domain/values'
import type { Either } from 'fp-ts/lib/Either.js'
import * as E from 'fp-ts/lib/Either.js'
import type * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { type Compilable, type CompiledQuery, type Kysely, sql } from 'kysely'
import type { Tables } from '../schema/schema.ts'

/** A handle on the tables: every statement runs on the connection behind it. */
export type Db = Kysely<Tables>

/** Where the engines' SQL differs; everything else is written once. */
export interface SqlDialect {
  /** Column type of text that is ordered by its code points. */
  readonly text: string
  /** Column type of integers up to 2^53. */
  readonly integer: string
  /** What follows the closing parenthesis of a table's definition. */
  readonly tableOptions: string
  /** As {@link tableOptions}, for a table that engines which can store in the order of its primary key. */
  readonly keyedOptions: string
  /** Type of a primary key that the engine counts up: a new row's is greater than any that there ever was. */
  readonly identity: string
  /** As {@link identity}, and quicker; the number of the newest row may be given again once that is deleted. */
  readonly rowNumber: string
  /** A query for the names of all tables, as `name`. */
  readonly tableNames: string
  /** A query for the other places in the same database that hold tables of a service, as `name`; undefined where there is one place. */
  readonly otherTableSets: string | undefined
  /** Statements that keep a new set of tables apart from others in the same database, run once `schema_migrations` exists. */
  readonly tableSetMark: ReadonlyArray<string>
  /** Whether several write at a time, so that rows and tables must be locked. No where writers exclude each other. */
  readonly locksRows: boolean
  /**
   * Statements that keep a second migration out until the transaction ends: one that selects whether it could at once, as `taken`, and one that
   * waits. Undefined where `write` keeps it out.
   */
  readonly migrationLock: { readonly attempt: string; readonly wait: string } | undefined
  /**
   * A statement that waits for the transactions which have locked rows of a table, and keeps new ones from locking any until its own
   * transaction ends; those queue behind it from the moment that it waits. Undefined where writers exclude each other anyway.
   */
  queueingLock(table: string): string | undefined
  /** Statements after which a table with an {@link identity} counts on after a number, which is 1 or greater. */
  countBehind(table: string, number: number): ReadonlyArray<string>
  /** Statements that make a column the primary key of its table; none on an engine that numbers all rows, so that each has a key. */
  primaryKey(table: string, column: string): ReadonlyArray<string>
  /** A condition that a column with a JSON array of texts holds the text of another column. */
  listHolds(list: string, text: string): string
  /** Statements that give the constraints of an adopted database the names of a new one's (ADR 53); none where they have no names. */
  readonly constraintNames: ReadonlyArray<string>
  /** Statements that create the table from which processes read signals of changes that were lost (I8); none where no signals are sent. */
  readonly signalTable: ReadonlyArray<string>
  /** The index of the words of items. */
  readonly search: SearchIndex
  /** Expressions for the positions of changes (N2). */
  readonly positions: {
    /** The position of a write, in its transaction. */
    readonly next: string
    /** A position before which every transaction has ended, in a snapshot; undefined where writers exclude each other. */
    readonly settled: string | undefined
    /** The name of the server that numbers transactions; null without one. */
    readonly server: string
    /** A random text that names an epoch. */
    readonly newEpoch: string
  }
}

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
type PreparedQuery<Row> = (db: Db, values: ReadonlyArray<unknown>) => Promise<ReadonlyArray<Row>>

/**
 * Compiles a query when it first runs, with a {@link param} for each value: compiling takes Kysely several times as long as SQLite takes to
 * answer. The result belongs to one engine, whose SQL it is.
 */
export const compiledQuery = <Row>(build: (db: Db) => CompiledQuery<Row>): PreparedQuery<Row> => {
  let compiled: CompiledQuery<Row> | undefined
  let takesAll = false
  return async (db, values) => {
    if (compiled === undefined) {
      compiled = build(db)
      takesAll = compiled.parameters.every((one, n) => one instanceof Param && one.number === n)
    }
    const { query, queryId, sql } = compiled
    const parameters = takesAll
      ? values
      : compiled.parameters.map((one) => (one instanceof Param ? values[one.number] : one))
    return (await db.getExecutor().executeQuery<Row>({ query, queryId, sql, parameters })).rows
  }
}

/** Texts kept compiled: the filters of one table make some dozens. */
const CACHED_QUERIES = 200

/** Builds a query of Kysely's with a {@link param} for each value. */
type BuildQuery<Row> = (db: Db) => Compilable<Row>

/** Runs queries by their text, which has a `?` for each value and none elsewhere, or by the function that builds them. */
export type QueryCache = <Row>(
  db: Db,
  query: string | BuildQuery<Row>,
  values: ReadonlyArray<unknown>,
) => Promise<ReadonlyArray<Row>>

/** A transaction, and the statements of its engine that are compiled once. */
export interface Asking {
  readonly db: Db
  readonly run: QueryCache
}

const compile = (text: string) => {
  const pieces = text.split('?')
  const params = pieces.slice(1).map((_, number) => param(number))
  return (db: Db) => sql<never>(Object.assign(pieces, { raw: pieces }), ...params).compile(db)
}

const build =
  <Row>(query: BuildQuery<Row>) =>
  (db: Db) =>
    query(db).compile() as CompiledQuery<never>

/** Makes a cache of the queries that have run, for one engine. */
export const queryCache = (): QueryCache => {
  const kept = new Map<string | BuildQuery<never>, PreparedQuery<never>>()
  return (db, query, values) => {
    const known = kept.get(query as string | BuildQuery<never>)
    if (known !== undefined) return known(db, values)
    // Only searches for ever more words compile this number.
    if (kept.size >= CACHED_QUERIES) kept.clear()
    const made = compiledQuery<never>(typeof query === 'string' ? compile(query) : build(query))
    kept.set(query as string | BuildQuery<never>, made)
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

/** The date that orders the items of a content type (C3). */
export type ItemDate = string | number

/** An item as the search index stores it. */
export interface SearchableItem {
  readonly id: ItemId
  readonly date: ItemDate
  /** The item's folded words, each after a space. */
  readonly text: string
}

/** Selects items by the search index. */
export interface SearchRequest {
  readonly contentType: ContentType
  /** Folded words, each of which begins a word of an item. */
  readonly words: ReadonlyArray<string>
  readonly labelId: O.Option<LabelId>
  /** The first and the last date of the items, both included. */
  readonly from: O.Option<ItemDate>
  readonly until: O.Option<ItemDate>
}

/** The items that a search finds, as parts of a statement. */
export interface SearchSource {
  /** What follows `from`: tables whose rows are those of the item table. */
  readonly from: string
  readonly conditions: ReadonlyArray<Condition>
  /** An integer that grows with the date of the item, in blocks of one date each, if the engine reads rows in its order. */
  readonly position?: {
    readonly column: string
    /** The size of a block is two to the power of this. */
    readonly bits: number
    /** Limits of the column that hold all items of the dates asked for, at the edges of blocks. */
    readonly bounds: ReadonlyArray<Condition>
  }
}

/** The index of the words of items in one engine (J2). It is derived: an export does not contain it. */
export interface SearchIndex {
  /** Returns statements that create the tables of a content type. */
  tables(contentType: ContentType): ReadonlyArray<string>
  /** Adds an item that is stored, has no labels and is not indexed yet. Runs in the transaction of the write. */
  add(db: Db, contentType: ContentType, item: SearchableItem): Promise<void>
  /** Replaces the words and the date of an item. */
  replace(db: Db, contentType: ContentType, item: SearchableItem): Promise<void>
  /** Removes an item that is deleted, while its row is there still. */
  remove(db: Db, contentType: ContentType, id: ItemId): Promise<void>
  /** Takes in the labels of an item after one was attached or detached. */
  relabel(db: Db, contentType: ContentType, id: ItemId): Promise<void>
  /** Returns where to read the items that match. */
  find(db: Db, request: SearchRequest): Promise<SearchSource>
}

/** How long statements may take: as long as they need. Unless given, they are cancelled after some seconds. */
interface TimeOptions {
  readonly timeout?: 'none'
}

/** How a read differs from others. */
export interface ReadOptions extends TimeOptions {
  /**
   * A statement may take time in proportion to a table, as one that filters, counts or passes over an offset. An engine in this process then runs
   * it in a thread, so that the event loop goes on (I6). Implied by `timeout: 'none'`.
   */
  readonly work?: 'unbounded'
}

/** The option of reads whose statements may take time in proportion to a table (I6). */
export const UNBOUNDED: ReadOptions = { work: 'unbounded' }

/** How a write differs from others. */
export interface WriteOptions extends TimeOptions {
  /** The data that the write changes and caches hold: none, or these parts. Default: any. */
  readonly notify?: 'none' | ReadonlyArray<DataPart>
  /**
   * For a write that waits for a transaction of another process as long as that takes: called once if it takes more than a moment. Engines on which
   * several write at a time do not call it.
   */
  readonly onWait?: () => void
}

/** What the repositories need of a database. Outages are values; what a driver throws for any other reason is a bug, and stays thrown. */
export interface Database {
  readonly dialect: SqlDialect
  /**
   * The same database for all that readers are shown, where servers that follow it may answer (I8): never from a state that lacks what this process
   * has written, heard of or shown. Absent where there is one server.
   */
  readonly shown?: Database
  /** Runs statements that only read, each by itself. They see what any process has committed before they run. */
  read<A>(work: (db: Db) => Promise<A>, options?: ReadOptions): TaskEither<Unavailable, A>
  /**
   * Runs statements as one transaction in which what was read stays true. A Left or a throw undoes all of it. Durable once the task resolves.
   * `work` may run more than once; it waits for nothing but its own statements. Writes may share a transaction. OutcomeUnknown when it
   * cannot be found out whether the transaction was committed (I5); after any other failure it was not.
   */
  write<E, A>(work: (db: Db) => Promise<Either<E, A>>, options?: WriteOptions): TaskEither<E | Unavailable, A>
  /**
   * Runs a write that erases texts, which `work` returns. Once the task resolves, no file of the database holds remains of them: neither free
   * space nor a log (L1). ErasureUnfinished if the write is committed but remains could not be removed; the next call removes them.
   * @param digest of the address, stored in the table `unfinished_erasure` until then; unless given, a repeat is not known as one
   */
  erase<E>(
    work: (db: Db) => Promise<Either<E, ReadonlyArray<string>>>,
    digest?: string,
  ): TaskEither<E | ErasureUnfinished | Unavailable, void>
  /**
   * Reads what fits into memory from one unchanging state of the database, in several statements. Waits only for others of its kind.
   * @param options `timeout: 'none'` is for statements that count whole tables: they may take some minutes, and run one such `work` at a
   * time, on a connection that no other read waits for
   */
  readSnapshot<A>(work: (db: Db) => Promise<A>, options?: ReadOptions): TaskEither<Unavailable, A>
  /**
   * Reads from one unchanging state of the database, taken when the first value is asked for and released when the iteration ends in any way.
   * Writes go on meanwhile. The reader decides how long it lasts, so the number of these at a time is bounded. Throws `DatabaseUnavailable`.
   */
  streamSnapshot<A>(work: (db: Db) => AsyncIterable<A>, options?: ReadOptions): AsyncIterable<A>
  /**
   * Returns a number that rises whenever data, or one of the parts if some are given, may have changed, except by writes that notify of less:
   * before the task of a write by this process resolves, before a read shows it, and within two seconds of another process's commit. It may rise
   * without any change of data. The version of all data rises with that of each part.
   */
  version(of?: ReadonlyArray<DataPart>): number
}

/** The database could not do its part for a reason outside the program: it is busy, closed or gone, or its disk failed. */
export class DatabaseUnavailable extends Error implements NothingDone {
  readonly _tag = 'Unavailable'
  override readonly name: string = 'DatabaseUnavailable'
  /** The driver's own error, where there is one. */
  override readonly cause: Error

  /** @param cause the driver's error, or a sentence */
  constructor(cause: unknown) {
    const error = cause instanceof Error ? cause : new Error(String(cause))
    super(error.message)
    this.cause = error
  }
}

/** The reading of a collection had begun, and broke off. */
export class ReadingBrokeOff extends DatabaseUnavailable {
  readonly brokeOff = true
}

/** It cannot be found out whether a transaction was committed (I5). */
export class CommitOutcomeUnknown extends Error {
  override readonly name = 'CommitOutcomeUnknown'
}

/** Runs work on a database. What it throws because of an outage is a value; bugs stay exceptions. */
export const attempt =
  <L, A>(work: () => Promise<E.Either<L, A>>): TE.TaskEither<L | Unavailable, A> =>
  async () => {
    try {
      return await work()
    } catch (cause) {
      if (cause instanceof CommitOutcomeUnknown) return E.left(outcomeUnknown(cause))
      if (cause instanceof DatabaseUnavailable) return E.left(unavailable(cause.cause))
      throw cause
    }
  }

/** Resolves to the value of a task, or throws its failure, so that {@link attempt} around it returns the same. */
export const orThrow = async <A>(task: TE.TaskEither<Unavailable, A>): Promise<A> => {
  const done = await task()
  if (E.isRight(done)) return done.right
  const { cause } = done.left
  throw cause instanceof CommitOutcomeUnknown ? cause : new DatabaseUnavailable(cause)
}
