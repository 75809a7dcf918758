import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseUnavailable } from '@almoner/adapters-kysely'
import type { Unavailable } from '@almoner/domain'
import { unavailable } from '@almoner/domain/ports'
import type { Statement } from 'better-sqlite3'
import Database from 'better-sqlite3'
import * as TE from 'fp-ts/lib/TaskEither.js'

/** Prepared statements of one connection, by their text. */
export interface Statements {
  /** The statement of this text, prepared when it is not kept. */
  get(text: string): Statement
}

/**
 * Caches the `most` statements that were prepared last. It does not track their use: reordering a Map at every use copies it repeatedly, and
 * those copies were most of the long-lived garbage of a server under reads.
 */
export const makeStatements = (database: Pick<Database.Database, 'prepare'>, most: number): Statements => {
  // A Map remembers the order in which its keys came.
  const kept = new Map<string, Statement>()
  return {
    get(text) {
      const known = kept.get(text)
      if (known !== undefined) return known
      const statement = database.prepare(text)
      kept.set(text, statement)
      const [oldest] = kept.keys()
      if (kept.size > most && oldest !== undefined) kept.delete(oldest)
      return statement
    },
  }
}

/** Statements kept prepared per connection: the program has some dozens of texts. */
export const CACHED_STATEMENTS = 200

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

/** Opens an existing file with the driver alone, runs `work` and closes the file. Errors of the file become Unavailable. */
export const withDriver = <A>(
  file: string,
  options: Database.Options,
  work: (database: Database.Database) => A | Promise<A>,
): TE.TaskEither<Unavailable, A> =>
  onFile(async () => {
    const database = new Database(file, { ...options, fileMustExist: true })
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
