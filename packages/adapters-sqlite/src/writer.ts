import { setImmediate as nextTurn } from 'node:timers/promises'
import { DatabaseUnavailable, type Db, type WriteOptions } from '@almoner/adapters-kysely'
import * as E from 'fp-ts/lib/Either.js'
import { type FilesInPlace, watchFilesInPlace } from './change-detection.ts'
import { makeCheckpoints } from './checkpoints.ts'
import { type Named, openConnection, useWriteAheadLog, whileBusy } from './connection.ts'
import { bytesOf, logFileOf, logPagesOf, makeLogTrim, READERS_WAIT } from './write-ahead-log.ts'

/** KiB of pages kept in memory. */
const CACHE = 8000
/** SQLite's own waiting for other processes would hold up this one. Only beginning has to wait, and does so without that. */
const TIMEOUT = 0
/** Writes that share a commit at most: what one of them waits for the others is some milliseconds. */
const GROUP = 64
/** How many may wait. */
const QUEUE_LIMIT = 1000
/** For how many milliseconds each of them waits before it is not begun any more. */
const QUEUE_TIMEOUT = 10_000

type Write<L, A> = (db: Db) => Promise<E.Either<L, A>>

/** A write that waits for its transaction. */
interface PendingWrite {
  /** When it began to wait, in milliseconds of `performance.now()`. */
  readonly since: number
  readonly options: WriteOptions
  /** Runs its statements, as often as need be; returns whether what they wrote is to stay. Does not throw. */
  run(db: Db): Promise<boolean>
  /** Resolves or rejects the write as its last run ended. */
  settle(): void
  reject(cause: unknown): void
}

const pendingWrite = <L, A>(work: Write<L, A>, options: WriteOptions = {}) => {
  const { promise, resolve, reject } = Promise.withResolvers<E.Either<L, A>>()
  let settle = () => {}
  const write: PendingWrite = {
    since: performance.now(),
    options,
    run: async (db) => {
      try {
        const result = await work(db)
        settle = () => resolve(result)
        return E.isRight(result)
      } catch (cause) {
        settle = () => reject(cause)
        return false
      }
    },
    settle: () => settle(),
    reject,
  }
  return { write, outcome: promise }
}

/** The connection that writes: one transaction at a time, in this process by a queue, among processes by SQLite's lock. */
export interface Writer {
  /** Runs a write of the database; throws what it or its commit throws. */
  write<L, A>(work: Write<L, A>, options?: WriteOptions): Promise<E.Either<L, A>>
  /** Returns a number that changes when another process writes. */
  version(): unknown
  /**
   * Brings the log into the database, in a thread (I6), and truncates it.
   * @param wait milliseconds for which it waits for readers
   * @returns false if a reader or another writer prevents that
   * @throws DatabaseUnavailable if the files are gone (I10)
   */
  truncateLog(wait?: number): Promise<boolean>
  /** Whether a transaction is open. */
  inTransaction(): boolean
  /** Lets the next commit try again to make the log smaller: a reader has ended. */
  retryTrim(): void
  /** As {@link FilesInPlace}. */
  readonly fault: FilesInPlace['fault']
  /** As {@link FilesInPlace}. */
  readonly assertFiles: FilesInPlace['assert']
  /** Lets running and waiting writes finish, brings the log into the database unless its files are gone, and closes. */
  close(): Promise<void>
}

/** What a commit calls, before any of its writes resolves, with what each of them notifies of. */
type OnCommit = (notify: ReadonlyArray<WriteOptions['notify']>) => void

/** What a writer calls besides, and how it names tables. */
interface WriterEvents {
  /** Runs between two commits, once the log has been made as small as its readers let it. */
  readonly afterTrim?: () => Promise<void>
  /** As in {@link watchFilesInPlace}. */
  readonly onFilesGone?: (fault: string) => void
  /** As in {@link openConnection}. */
  readonly named?: Named
}

/**
 * Opens the writing connection of a file that exists, and makes it a database with a write-ahead log. Writes that come together share a
 * commit, and so one wait for the disk; each resolves only after that, and succeeds or fails by itself.
 */
export const openWriter = async (
  file: string,
  onCommit: OnCommit,
  { named, afterTrim = async () => {}, onFilesGone = () => {} }: WriterEvents = {},
): Promise<Writer> => {
  const connection = await whileBusy(() =>
    openConnection(file, { readonly: false, cache: CACHE, timeout: TIMEOUT, named }),
  )
  await whileBusy(() => useWriteAheadLog(connection))
  const files = watchFilesInPlace(file, onFilesGone)

  /**
   * Runs writes one after the other, and returns the successful ones. A write that fails has to be undone if it changed rows: then this throws,
   * unless the write is the only one.
   */
  const runAll = async (group: ReadonlyArray<PendingWrite>): Promise<ReadonlyArray<PendingWrite>> => {
    const stay: Array<PendingWrite> = []
    for (const write of group) {
      const before = connection.changedRows()
      if (await write.run(connection.db)) stay.push(write)
      else if (group.length === 1) break
      else if (!connection.inTransaction() || connection.changedRows() !== before)
        throw new Error('a write failed after it had changed rows')
    }
    return stay
  }

  /** Commits writes together. Throws when that could not be done: then nothing has been written, and none has resolved. */
  const commitGroup = async (group: ReadonlyArray<PendingWrite>): Promise<void> => {
    try {
      const stay = await runAll(group)
      if (stay.length === 0) return
      files.assert()
      connection.step('commit')
      onCommit(stay.map(({ options }) => options.notify))
    } finally {
      connection.rollback()
    }
  }

  /** Begins a transaction. Where none could be begun, none can for any of the writes: they must not wait for that one after the other. */
  const begin = async (group: ReadonlyArray<PendingWrite>): Promise<boolean> => {
    try {
      await whileBusy(
        () => {
          files.assert()
          connection.step('begin immediate')
        },
        group.find(({ options }) => options.onWait)?.options.onWait,
      )
      return true
    } catch (cause) {
      for (const write of group) write.reject(cause)
      return false
    }
  }

  const perform = async (group: ReadonlyArray<PendingWrite>): Promise<void> => {
    if (!(await begin(group))) return
    try {
      await commitGroup(group)
    } catch (cause) {
      return group.length === 1 ? group[0]?.reject(cause) : performEach(group)
    }
    for (const write of group) write.settle()
  }

  /** A write that failed may have undone the others. Each is tried by itself, to fail or not for its own reasons. */
  const performEach = async (group: ReadonlyArray<PendingWrite>): Promise<void> => {
    for (const write of group) await perform([write])
  }

  const checkpoints = makeCheckpoints(file, connection)
  const truncateLog = async (wait = 0): Promise<boolean> => {
    files.assert()
    return checkpoints.truncate(wait)
  }
  const log = logFileOf(file)
  const { trim, retry } = makeLogTrim({
    bytes: () => bytesOf(log),
    pages: () => logPagesOf(connection),
    restart: async () => {
      files.assert()
      return checkpoints.store(0)
    },
    truncate: () => truncateLog(READERS_WAIT),
  })
  /** Its writes are durable: a fault of the disk is met by the next one, which reports it. */
  const afterGroup = (): Promise<void> =>
    trim()
      .then(afterTrim)
      .catch(() => {})

  const waiting: Array<PendingWrite> = []
  let isDraining = false
  let serving: Promise<void> | undefined

  /** Rejects writes that have waited too long, and returns the rest. */
  const inTime = (group: ReadonlyArray<PendingWrite>): ReadonlyArray<PendingWrite> => {
    const since = performance.now() - QUEUE_TIMEOUT
    for (const write of group)
      if (write.since < since)
        write.reject(new DatabaseUnavailable('the database has been busy for too long'))
    return group.filter((write) => write.since >= since)
  }

  const serve = async (): Promise<void> => {
    while (waiting.length > 0) {
      // Collects the other writes of this event-loop iteration, and lets other work run between two commits, each of which blocks the
      // process for the time of a disk write.
      await nextTurn()
      // Where many write, what they send is read in two turns: a commit for all of them is worth the second.
      if (waiting.length > 1) await nextTurn()
      const group = inTime(waiting.splice(0, GROUP))
      if (group.length > 0) await perform(group)
      await afterGroup()
    }
    serving = undefined
  }

  return {
    write: (work, options) => {
      const { write, outcome } = pendingWrite(work, options)
      if (isDraining) write.reject(new DatabaseUnavailable('the database is closed'))
      else if (waiting.length >= QUEUE_LIMIT)
        write.reject(new DatabaseUnavailable('too many wait for the database'))
      else {
        waiting.push(write)
        serving ??= serve()
      }
      return outcome
    },
    version: connection.dataVersion,
    truncateLog,
    inTransaction: connection.inTransaction,
    retryTrim: retry,
    fault: files.fault,
    assertFiles: files.assert,
    async close() {
      isDraining = true
      await serving
      files.stop()
      try {
        if (files.fault() === undefined) connection.run('pragma wal_checkpoint(truncate)')
      } finally {
        connection.close()
        await checkpoints.close()
      }
    },
  }
}
