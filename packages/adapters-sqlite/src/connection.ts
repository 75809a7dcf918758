import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { DatabaseUnavailable, type Db, type Execute, sessionDb } from '@almoner/adapters-kysely'
import type { Unavailable } from '@almoner/domain'
import { unavailable } from '@almoner/domain/ports'
import Database from 'better-sqlite3'
import * as TE from 'fp-ts/lib/TaskEither.js'
import {
  type DatabaseMetadataOptions,
  type SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TableMetadata,
} from 'kysely'

/** Prepared statements of one connection, by their text. */
export interface Statements<Statement> {
  /** The statement of this text, prepared when it is not kept. */
  get(text: string): Statement
}

/**
 * Caches the `most` statements that were prepared last. It does not track their use: reordering a Map at every use copies it repeatedly, and
 * those copies were most of the long-lived garbage of a server under reads. The driver's type is a parameter, because published types that
 * name it would need its declarations.
 */
export const makeStatements = <Statement>(
  prepare: (text: string) => Statement,
  most: number,
): Statements<Statement> => {
  // A Map remembers the order in which its keys came.
  const kept = new Map<string, Statement>()
  return {
    get(text) {
      const known = kept.get(text)
      if (known !== undefined) return known
      const statement = prepare(text)
      kept.set(text, statement)
      const [oldest] = kept.keys()
      if (kept.size > most && oldest !== undefined) kept.delete(oldest)
      return statement
    },
  }
}

/** Statements kept prepared per connection: the program has some dozens of texts. */
const CACHED_STATEMENTS = 200

/**
 * Result codes whose cause lies outside the program: locks of other processes, the disk, the file, memory. All others
 * are wrong statements or broken constraints, that is, bugs. Extended codes begin with these.
 */
const OUTSIDE = [
  'BUSY',
  'CANTOPEN',
  'CORRUPT',
  'FULL',
  'IOERR',
  'LOCKED',
  'NOLFS',
  'NOMEM',
  'NOTADB',
  'PERM',
  'PROTOCOL',
  'READONLY',
]

/** Returns the driver's own error. */
const driverError = (cause: unknown): unknown => (cause instanceof DatabaseUnavailable ? cause.cause : cause)

const hasCode = (cause: unknown, code: string): boolean =>
  cause instanceof Database.SqliteError && `${cause.code}_`.startsWith(`SQLITE_${code}_`)

/** Whether another connection's lock stood in the way. */
export const isBusy = (cause: unknown): boolean => hasCode(driverError(cause), 'BUSY')

/** Returns whether the disk of the database, or of its temporary files, is full. */
export const isFull = (cause: unknown): boolean => hasCode(driverError(cause), 'FULL')

/** Returns whether a page of the database is damaged. */
export const isDamage = (cause: unknown): boolean => hasCode(driverError(cause), 'CORRUPT')

/** Runs statements. Throws {@link DatabaseUnavailable} for faults from outside, and bugs as they are. */
export const classified = <A>(work: () => A): A => {
  try {
    return work()
  } catch (cause) {
    throw OUTSIDE.some((code) => hasCode(cause, code)) ? new DatabaseUnavailable(cause) : cause
  }
}

/** Runs work on a file, and turns its errors into Unavailable. */
export const onFile = <A>(work: () => Promise<A>): TE.TaskEither<Unavailable, A> =>
  TE.tryCatch(work, (cause) => unavailable(driverError(cause)))

/** Opens a file with the driver alone, runs `work` and closes the file. Errors of the file become Unavailable. */
export const withDriver = <Driver extends { readonly close: () => unknown }, A>(
  open: () => Driver,
  work: (database: Driver) => A | Promise<A>,
): TE.TaskEither<Unavailable, A> =>
  onFile(async () => {
    const database = open()
    try {
      return await work(database)
    } finally {
      database.close()
    }
  })

/** Tries within about five seconds, and those within half a second: an ordinary transaction has ended by then. */
const [TRIES, SHORT_TRIES] = [1000, 100]

/** Milliseconds between two tries at most. */
const PAUSE = 5

/**
 * Does what another process's lock may stop, and tries again while it does. SQLite's own waiting would hold up the whole
 * process; this lets it go on. Throws the last SQLITE_BUSY in the end.
 * @param onWait called once the lock has been held for half a second; with it, the wait has no end
 */
export const whileBusy = async <A>(work: () => A | Promise<A>, onWait?: () => void): Promise<A> => {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work()
    } catch (cause) {
      if (!isBusy(cause) || (tried > TRIES && onWait === undefined)) throw cause
    }
    if (tried === SHORT_TRIES) onWait?.()
    await pause(Math.min(tried, PAUSE))
  }
}

/** SQLite's SQL. Writers exclude each other, so it has no words for locks on rows, and queries that ask for some go without. */
export class UnlockedQueryCompiler extends SqliteQueryCompiler {
  protected override visitSelectQuery({ endModifiers: _, ...node }: SelectQueryNode): void {
    super.visitSelectQuery(node)
  }
}

/**
 * Where a plan could depend on a value (that of a `limit` always), SQLite prepares the statement again each time the value is given,
 * which takes as long as running it. The value of an expression it does not ask for, and plans once.
 */
class PlannedOnce extends UnlockedQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return 'ifnull(?, null)'
  }
}

/** Gives the tables of a statement their names in the file. Every statement passes it, so that none can forget the prefix. */
export type Named = (statement: string) => string

/** Leaves the names of a statement as they are. */
export const AS_WRITTEN: Named = (statement) => statement

/** Runs statements on a connection as long as it is open. */
type WhileOpen = <A>(work: () => A) => A

/** Milliseconds of statements after which other work of the process has its turn: a transaction may consist of thousands (I6). */
const TURN = 5

const executeOn = (database: Database.Database, whileOpen: WhileOpen) => {
  const statements = makeStatements((text) => database.prepare(text), CACHED_STATEMENTS)
  let spent = 0
  let changed = 0
  const execute = async <R>({ sql, parameters }: Parameters<Execute>[0]) => {
    if (spent > TURN) {
      spent = 0
      await nextTurn()
    }
    const begun = performance.now()
    try {
      return whileOpen(() => {
        const statement = statements.get(sql)
        if (statement.reader) {
          const rows = statement.all(...parameters) as Array<R>
          if (!statement.readonly) changed += rows.length
          return { rows }
        }
        const { changes } = statement.run(...parameters)
        changed += changes
        return { rows: [], numAffectedRows: BigInt(changes) }
      })
    } finally {
      spent += performance.now() - begun
    }
  }
  return { execute, changedRows: () => changed }
}

const [BEFORE_NAME, NAME] = ['drop table ', 'x']

/** Describes the tables with the prefix alone, by their names without it: a host may have others of the same names. */
class NamedIntrospector extends SqliteIntrospector {
  readonly #prefix: string

  constructor(db: ConstructorParameters<typeof SqliteIntrospector>[0], named: Named) {
    super(db)
    this.#prefix = named(BEFORE_NAME + NAME).slice(BEFORE_NAME.length, -NAME.length)
  }

  override async getTables(options?: DatabaseMetadataOptions): Promise<Array<TableMetadata>> {
    const tables = await super.getTables(options)
    return tables
      .filter(({ name }) => name.startsWith(this.#prefix))
      .map((table) => ({ ...table, name: table.name.slice(this.#prefix.length) }))
  }
}

/** Kysely on one connection of SQLite, in this thread or another, with what names the tables of each statement. */
export const kyselyOn = (execute: Execute, named: Named): Db =>
  sessionDb(
    {
      createQueryCompiler: () => new PlannedOnce(),
      createAdapter: () => new SqliteAdapter(),
      createIntrospector: (db) => new NamedIntrospector(db, named),
    },
    (query) => execute({ ...query, sql: named(query.sql) }),
  )

/** A transaction consists of fewer statements than this. */
const STEPS = 10

/** One open connection. Each statement on it runs at once, in the calling thread. Throws `DatabaseUnavailable`, or bugs. */
export interface Connection {
  readonly db: Db
  /** Runs statements without a result. */
  run(statements: string): void
  /** Runs one statement without a result, which is prepared the first time. */
  step(statement: string): void
  /** Sets or asks a pragma and returns the one value it answers. */
  pragma(text: string): unknown
  /** Runs a statement and returns the columns of its one row. It is prepared the first time. */
  row(statement: string): ReadonlyArray<unknown>
  /** Whether a transaction is open: SQLite itself rolls back after some faults. */
  inTransaction(): boolean
  /** Returns how many rows statements on `db` have changed, those of undone statements included. */
  changedRows(): number
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
  /** As in {@link Named}; names stay as they are unless given. */
  readonly named?: Named | undefined
}

/** Opens a file that exists. */
export const openConnection = (
  file: string,
  { readonly, cache, timeout, named = AS_WRITTEN }: Options,
): Connection => {
  const database = classified(() => new Database(file, { readonly, timeout, fileMustExist: true }))
  database.exec(`pragma cache_size = -${cache}; pragma temp_store = memory; pragma foreign_keys = on`)
  const version = database.prepare('pragma data_version').pluck()
  const steps = makeStatements((text) => database.prepare(text), STEPS)
  // Asking the driver takes as long as running a small statement.
  let isOpen = true
  const whileOpen = <A>(work: () => A): A => {
    if (!isOpen) throw new DatabaseUnavailable('the database is closed')
    return classified(work)
  }
  const { execute, changedRows } = executeOn(database, whileOpen)
  return {
    changedRows,
    dataVersion: () => version.get(),
    db: kyselyOn(execute, named),
    inTransaction: () => database.inTransaction,
    run: (statements) => {
      whileOpen(() => database.exec(statements))
    },
    step: (statement) => {
      whileOpen(() => steps.get(statement).run())
    },
    row: (statement) => whileOpen(() => Object.values(steps.get(statement).get() as object)),
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

/** The write-ahead log is cut down to this many bytes once a reader that kept it growing is gone. */
const LOG_LIMIT = 8 * 1024 * 1024

/**
 * Makes a database one with a write-ahead log, for a connection that writes: readers and it do not stop each other, and a commit is on the disk
 * when it returns. Deleted content is overwritten with zeros (L1).
 * Commits leave the log as it is: it may be large, and a thread brings it into the database (I6).
 */
export const useWriteAheadLog = (connection: Connection): void => {
  if (connection.pragma('journal_mode = wal') !== 'wal')
    throw new DatabaseUnavailable('the file system cannot hold a write-ahead log')
  connection.run(`
    pragma synchronous = full;
    pragma secure_delete = on;
    pragma wal_autocheckpoint = 0;
    pragma journal_size_limit = ${LOG_LIMIT}
  `)
}
