import { type Db, type Manner, Outage } from '@almoner/adapters-kysely'
import type * as E from 'fp-ts/lib/Either.js'
import { whileBusy } from './busy.ts'
import { type Connection, openConnection } from './connection.ts'
import { type Entry, makeEntry } from './pending-write.ts'
import { makeQueue } from './queue.ts'
import { bytesOf, logFileOf, makeLogTrim } from './write-ahead-log.ts'

/** KiB of pages kept in memory. */
const CACHE = 8000
/** SQLite's own waiting for other processes would hold up this one. Only beginning has to wait, and does so without that. */
const TIMEOUT = 0
/** The write-ahead log is cut down to this many bytes once a reader that kept it growing is gone. */
const LOG_LIMIT = 8 * 1024 * 1024
/**
 * Milliseconds for which truncating a large log waits for readers of other processes, which seldom read for longer. It holds up this process,
 * and writers of all others.
 */
const READERS_WAIT = 100

/** Writes that share a commit at most: what one of them waits for the others is some milliseconds. */
const GROUP = 64
/** How many may wait, and for how many milliseconds before they are not begun any more. */
const QUEUE = { most: 1000, patience: 10_000 }

/** Readers and the writer do not stop each other, and a commit is on the disk when it returns. */
const prepare = (connection: Connection): void => {
  if (connection.pragma('journal_mode = wal') !== 'wal')
    throw new Outage('the file system cannot hold a write-ahead log')
  connection.run(`
    pragma synchronous = full;
    pragma wal_autocheckpoint = 1000;
    pragma journal_size_limit = ${LOG_LIMIT}
  `)
}

/** The connection that writes: one transaction at a time, in this process by a queue, among processes by SQLite's lock. */
export interface Writer {
  /** As the database's `write`. */
  write<L, A>(work: (db: Db) => Promise<E.Either<L, A>>, manner?: Manner): Promise<E.Either<L, A>>
  /** A number that changes when another process writes. */
  version(): unknown
  /** Lets running and waiting writes finish, brings the log into the database and closes. */
  close(): Promise<void>
}

/** Hooks for commits. */
interface CommitHooks {
  /** Called after each commit, before callers are resolved, with the manners of its writes. */
  readonly onCommit: (manners: ReadonlyArray<Manner | undefined>) => void
}

/**
 * Opens the writing connection of an existing file, in WAL mode. Simultaneous writes share a commit, and so one wait for the disk. Each caller
 * is resolved after the commit, and a failing write undoes only itself.
 */
export const openWriter = async (file: string, { onCommit }: CommitHooks): Promise<Writer> => {
  const connection = await whileBusy(() =>
    openConnection(file, { readonly: false, cache: CACHE, timeout: TIMEOUT }),
  )
  await whileBusy(() => prepare(connection))

  /** Waits for other processes to end their transactions. Throws when they take too long. */
  const begin = (): Promise<void> => whileBusy(() => connection.step('begin immediate'))

  /** Runs entries in the transaction that has begun, and ends it. Throws when it could not be committed, or when SQLite gave it up. */
  const transact = async (run: () => Promise<ReadonlyArray<Entry>>): Promise<void> => {
    try {
      const stay = await run()
      if (stay.length === 0) return
      connection.step('commit')
      onCommit(stay.map(({ manner }) => manner))
    } finally {
      connection.rollback()
    }
  }

  const alone = async (entry: Entry): Promise<void> => {
    await begin()
    try {
      await transact(async () => ((await entry.run(connection.db)) ? [entry] : []))
      entry.settle()
    } catch (cause) {
      entry.refuse(cause)
    }
  }

  const editing = async (entry: Entry): Promise<void> => {
    connection.editSchema(true)
    try {
      await alone(entry)
    } finally {
      connection.editSchema(false)
    }
  }

  /** Runs them one behind the other. Throws when one that fails has left something behind, which would have to be undone. */
  const inTurn = async (group: ReadonlyArray<Entry>): Promise<ReadonlyArray<Entry>> => {
    const stay: Array<Entry> = []
    for (const entry of group) {
      const before = connection.writes()
      if (await entry.run(connection.db)) stay.push(entry)
      else if (connection.writes() !== before) throw new Error('a write left something behind')
      if (!connection.inTransaction()) throw new Error('SQLite gave the transaction up')
    }
    return stay
  }

  /** Runs them with a savepoint each, which undoes the statements of failing writes. */
  const undoing = async (group: ReadonlyArray<Entry>): Promise<ReadonlyArray<Entry>> => {
    const stay: Array<Entry> = []
    for (const entry of group) {
      connection.step('savepoint entry')
      if (await entry.run(connection.db)) stay.push(entry)
      else connection.step('rollback to entry')
      connection.step('release entry')
    }
    return stay
  }

  /** Runs them in a transaction of their own; whether that could be committed. Throws when it could not be begun. */
  const commits = async (run: () => Promise<ReadonlyArray<Entry>>): Promise<boolean> => {
    await begin()
    try {
      await transact(run)
      return true
    } catch {
      // Nothing has been written, and no caller has been resolved.
      return false
    }
  }

  const together = async (group: ReadonlyArray<Entry>): Promise<void> => {
    if ((await commits(() => inTurn(group))) || (await commits(() => undoing(group))))
      for (const entry of group) entry.settle()
    // A fault of one undoes all, as a full disk does. Each is tried by itself, to fail or not for its own reasons.
    else for (const entry of group) await alone(entry)
  }

  const isSchema = ({ manner }: Entry): boolean => manner === 'schema'

  const single = (entry: Entry): Promise<void> => (isSchema(entry) ? editing(entry) : alone(entry))

  const perform = async (group: ReadonlyArray<Entry>): Promise<void> => {
    try {
      if (group.length > 1 && !group.some(isSchema)) await together(group)
      else for (const entry of group) await single(entry)
    } catch (cause) {
      // Where no transaction could be begun, none can for any of them: they must not wait for that one after the other.
      for (const entry of group) entry.refuse(cause)
    }
  }

  const truncateLog = (): void => {
    connection.run(`pragma busy_timeout = ${READERS_WAIT}`)
    try {
      connection.run('pragma wal_checkpoint(truncate)')
    } finally {
      connection.run(`pragma busy_timeout = ${TIMEOUT}`)
    }
  }
  const log = logFileOf(file)
  const trimLog = makeLogTrim(() => bytesOf(log), truncateLog)

  const queue = makeQueue(QUEUE, GROUP, async (group) => {
    await perform(group)
    try {
      trimLog()
    } catch {
      // Its writes are durable. The next one meets the same fault of the disk, and reports it.
    }
  })

  return {
    write: (work, manner) => {
      const entry = makeEntry(work, manner)
      queue.add(entry)
      return entry.outcome
    },
    version: connection.dataVersion,
    async close() {
      await queue.drain()
      try {
        connection.run('pragma wal_checkpoint(truncate)')
      } finally {
        connection.close()
      }
    },
  }
}
