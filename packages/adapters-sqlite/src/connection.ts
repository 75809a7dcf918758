import { type Db, Outage } from '@almoner/adapters-kysely'
import Database from 'better-sqlite3'
import { kyselyOn } from './kysely-dialect.ts'
import { makeStatements } from './statements.ts'

/** What a transaction is made of has fewer texts than this. */
const STEPS = 10

/** One open connection. Everything on it runs at once, in the calling thread. */
export interface Connection {
  readonly db: Db
  /** Runs statements without a result. */
  run(statements: string): void
  /** Runs one statement without a result, which is prepared the first time. */
  step(statement: string): void
  /** Sets or asks a pragma and gives the one value it answers. */
  pragma(text: string): unknown
  /** How many statements of `db` may have changed something. */
  writes(): number
  /** Whether a transaction is open: SQLite itself rolls back after some faults. */
  inTransaction(): boolean
  /** A number that changes when another connection writes. */
  dataVersion(): unknown
  /**
   * Allows or forbids edits of the schema table (`pragma writable_schema`), which better-sqlite3 forbids by default. Forbidding it again reloads
   * the schema.
   */
  editSchema(isAllowed: boolean): void
  /** Ends the transaction that is open, if one still is. */
  rollback(): void
  /** Closes it; a second time does nothing. */
  close(): void
}

interface Options {
  readonly readonly: boolean
  /** Pages kept in memory, in KiB. */
  readonly cache: number
  /** Milliseconds that a statement waits for another process's lock, holding up this process. */
  readonly timeout: number
}

/** Opens a file that exists. Throws what better-sqlite3 throws. */
export const openConnection = (file: string, { readonly, cache, timeout }: Options): Connection => {
  const database = new Database(file, { readonly, timeout, fileMustExist: true })
  database.exec(`pragma cache_size = -${cache}; pragma temp_store = memory; pragma foreign_keys = on`)
  const version = database.prepare('pragma data_version').pluck()
  const steps = makeStatements(database, STEPS)
  // Asking the driver takes as long as running a small statement.
  let isOpen = true
  let writes = 0
  return {
    dataVersion: () => version.get(),
    db: kyselyOn(database, {
      isOpen: () => isOpen,
      onWrite: () => {
        writes += 1
      },
    }),
    writes: () => writes,
    inTransaction: () => database.inTransaction,
    run: (statements) => {
      if (!isOpen) throw new Outage('the database is closed')
      database.exec(statements)
    },
    step: (statement) => {
      if (!isOpen) throw new Outage('the database is closed')
      steps.get(statement).run()
    },
    pragma: (text) => database.pragma(text, { simple: true }),
    editSchema: (isAllowed) => {
      if (!isAllowed) database.pragma('writable_schema = reset')
      database.unsafeMode(isAllowed)
    },
    rollback: () => {
      if (database.inTransaction) steps.get('rollback').run()
    },
    close: () => {
      isOpen = false
      database.close()
    },
  }
}
