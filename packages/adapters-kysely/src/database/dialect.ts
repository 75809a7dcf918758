import type { SearchIndex } from './search-index.ts'

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
  /** The index of the words of items. */
  readonly search: SearchIndex
}
