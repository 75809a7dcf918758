import { DatabaseUnavailable, type Db } from '@almoner/adapters-kysely'
import Database from 'better-sqlite3'
import { kyselyOn } from './kysely-dialect.ts'
import { makeStatements } from './statements.ts'
import { classified } from './unavailable.ts'

/** A transaction consists of fewer statements than this. */
const STEPS = 10

/** One open connection. Everything on it runs at once, in the calling thread. Throws `DatabaseUnavailable`, or bugs. */
export interface Connection {
  readonly db: Db
  /** Runs statements without a result. */
  run(statements: string): void
  /** Runs one statement without a result, which is prepared the first time. */
  step(statement: string): void
  /** Sets or asks a pragma and returns the one value it answers. */
  pragma(text: string): unknown
  /** Whether a transaction is open: SQLite itself rolls back after some faults. */
  inTransaction(): boolean
  /** Returns how many rows this connection has changed since it was opened, those of undone statements included. */
  changedRows(): unknown
  /** Returns a number that changes when another connection writes. */
  dataVersion(): unknown
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

/** Opens a file that exists. */
export const openConnection = (file: string, { readonly, cache, timeout }: Options): Connection => {
  const database = classified(() => new Database(file, { readonly, timeout, fileMustExist: true }))
  database.exec(`pragma cache_size = -${cache}; pragma temp_store = memory; pragma foreign_keys = on`)
  const version = database.prepare('pragma data_version').pluck()
  const changes = database.prepare('select total_changes()').pluck()
  const steps = makeStatements(database, STEPS)
  // Asking the driver takes as long as running a small statement.
  let isOpen = true
  const whileOpen = <A>(work: () => A): A => {
    if (!isOpen) throw new DatabaseUnavailable('the database is closed')
    return classified(work)
  }
  return {
    changedRows: () => changes.get(),
    dataVersion: () => version.get(),
    db: kyselyOn(database, whileOpen),
    inTransaction: () => database.inTransaction,
    run: (statements) => {
      whileOpen(() => database.exec(statements))
    },
    step: (statement) => {
      whileOpen(() => steps.get(statement).run())
    },
    pragma: (text) => whileOpen(() => database.pragma(text, { simple: true })),
    rollback: () => {
      if (database.inTransaction) steps.get('rollback').run()
    },
    close: () => {
      isOpen = false
      database.close()
    },
  }
}
