import { realpathSync, statSync } from 'node:fs'
import type { Connection } from './connection.ts'
import type { LogHolder } from './log-holders.ts'

const MEBIBYTE = 1024 * 1024

/** The bytes beyond which the log is truncated after a commit. */
export const TRUNCATE_PAST = 16 * MEBIBYTE

/**
 * The bytes by which the log grows from one attempt that failed to the next: twice as many after each, up to the last. So a reader that stays
 * for long costs few waits, and one that was in the way by chance is soon forgotten.
 */
const RETRY_AFTER = { first: MEBIBYTE, last: TRUNCATE_PAST }

/** Milliseconds for which truncating the log waits for readers, which seldom read for longer. No process can write meanwhile. */
export const READERS_WAIT = 100

/** The same, in milliseconds, once the log is beyond its limit: each reader that ends by itself need not be ended. */
export const RELEASE_WAIT = 300

/** Pages of the log that are brought into the database together. */
const PAGES = 1000

/** Milliseconds from one look at a log that collections of this process keep growing to the next, and until a foreign reader is reported. */
const [LOOK, PATIENCE] = [1000, 5000]

/** Returns the path of a database's write-ahead log: beside the file itself, where a symbolic link leads to it. */
export const logFileOf = (file: string): string => `${realpathSync(file)}-wal`

/** Returns the bytes of a file; 0 where there is none. */
export const bytesOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** Returns the bytes of the write-ahead log beside a database file that exists; 0 where there is none. */
export const sqliteLogBytes = (file: string): number => bytesOf(logFileOf(file))

/** Pages of a log: all of it, and the ones that are in the database already. */
export interface LogPages {
  readonly all: number
  readonly stored: number
}

/** Returns the pages of the log of a writer's database. Changes nothing. */
export const logPagesOf = (writer: Pick<Connection, 'row'>): LogPages => {
  const [, all, stored] = writer.row('pragma wal_checkpoint(noop)')
  return { all: Number(all), stored: Number(stored) }
}

/** The write-ahead log, as its keeper needs it. */
export interface Log {
  bytes(): number
  pages(): LogPages
  /** Brings pages into the database, so that the next write begins the log again. Passes over pages that a reader or another writer needs. */
  restart(): Promise<unknown>
  /** Tries to empty the log, waiting shortly for readers of any process; `bytes` shows the success. */
  truncate(): Promise<unknown>
}

/** What may be done about a log that its readers keep growing. */
export interface LogLimit {
  /** Bytes beyond which collections that this process streams are ended, the oldest first. */
  readonly bytes: number
  /** Called once a collection was ended. */
  readonly onEnded: (logBytes: number) => void
  /** Called when other processes read from the oldest state: with an empty list if the system does not say which. */
  readonly onHeld: (holders: ReadonlyArray<LogHolder>, logBytes: number) => void
}

/** A log beyond its limit, and the readers that may be in the way. */
export interface LogReaders {
  bytes(): number
  /** Tries to empty the log; false if a reader or another writer prevents that. */
  truncate(): Promise<boolean>
  /** Ends the oldest snapshot of this process if it is that of a streamed collection; false if it is not. */
  endOldest(): Promise<boolean>
  /** As `oldestReaders`. */
  oldest(): ReadonlyArray<LogHolder> | undefined
  /** Whether this process is in the middle of a transaction. */
  isWriting(): boolean
  readonly limit: LogLimit
}

/** What keeps a log small. */
export interface LogTrim {
  /** To be called after each commit. */
  trim(): Promise<void>
  /** Lets the next `trim` try what a reader, which has ended, may have prevented. */
  retry(): void
}

/**
 * Makes what keeps a log small. It brings pages into the database in a thread, because readers may have kept many of them in the log (I6).
 * SQLite restarts the log only at a moment without readers, which never comes if some always read: a large log is truncated while nothing is
 * written.
 */
export const makeLogTrim = ({ bytes, pages, restart, truncate }: Log): LogTrim => {
  let limit = TRUNCATE_PAST
  let step = RETRY_AFTER.first
  /** The pages of the log at which the next are brought into the database. */
  let nextPages = PAGES
  const reset = () => {
    limit = TRUNCATE_PAST
    step = RETRY_AFTER.first
  }

  const store = async (): Promise<void> => {
    const { all, stored } = pages()
    if (all < nextPages - PAGES) nextPages = PAGES
    if (all < nextPages || all - stored < PAGES) return
    await restart()
    nextPages = all + PAGES
  }

  return {
    trim: async () => {
      await store()
      if (bytes() < TRUNCATE_PAST) return reset()
      if (bytes() < limit) return
      await truncate()
      if (bytes() < TRUNCATE_PAST) return reset()
      limit = bytes() + step
      step = Math.min(2 * step, RETRY_AFTER.last)
    },
    retry: () => {
      nextPages = PAGES
      reset()
    },
  }
}

/**
 * Returns a function that looks at a log beyond its limit: it ends collections of this process, the oldest first, as long as they read from the
 * oldest state, and reports other processes that do. A sibling ends its own within {@link PATIENCE}.
 */
export const makeLogRelease = (
  { bytes, truncate, endOldest, oldest, isWriting, limit: { bytes: limit, onEnded, onHeld } }: LogReaders,
  now: () => number = () => performance.now(),
): (() => Promise<void>) => {
  let held: { readonly name: string; readonly since: number; isReported: boolean } | undefined

  const report = (holders: ReadonlyArray<LogHolder>): void => {
    const name = JSON.stringify(holders)
    if (held?.name !== name) held = { name, since: now(), isReported: false }
    if (held.isReported || now() - held.since < PATIENCE) return
    held.isReported = true
    onHeld(holders, bytes())
  }

  /** Ends one of this process's collections, if it may be in the way. Returns what else is: other processes, or none. */
  const endOne = async (): Promise<'ended' | 'free' | ReadonlyArray<LogHolder>> => {
    const [holders, grown] = [oldest(), bytes()]
    if (holders?.length === 0) return 'free'
    const others = holders?.filter(({ pid }) => pid !== process.pid)
    const mayBeOurs = holders === undefined || holders.length !== others?.length
    if (!mayBeOurs || !(await endOldest())) return others ?? []
    onEnded(grown)
    return 'ended'
  }

  /** Ends what keeps the log, as far as this process may. Returns the other processes that do; undefined if the log may be emptied. */
  const endOurs = async (): Promise<ReadonlyArray<LogHolder> | undefined> => {
    // A transaction of this process keeps the log, whichever readers end; its commit looks again.
    while (bytes() > limit && !isWriting()) {
      const outcome = await endOne()
      if (typeof outcome === 'object') return outcome
      const isEmpty = await truncate()
      if (outcome === 'free' && !isEmpty) return undefined
    }
    return undefined
  }

  const look = async (): Promise<void> => {
    const others = await endOurs()
    if (others !== undefined) return report(others)
    if (held?.isReported === true) onHeld([], 0)
    held = undefined
  }

  let looking: Promise<void> | undefined
  return () =>
    (looking ??= look().finally(() => {
      looking = undefined
    }))
}

/**
 * Looks at the log as long as this process streams collections: another process may be the one that writes.
 * @param streams returns how many collections are streamed
 * @returns what ends the watch
 */
export const watchLog = (streams: () => number, release: () => Promise<void>): (() => void) => {
  const look = () => {
    // A fault of the disk is met by the next write, which reports it.
    if (streams() > 0) void release().catch(() => {})
  }
  const timer = setInterval(look, LOOK).unref()
  return () => clearInterval(timer)
}
