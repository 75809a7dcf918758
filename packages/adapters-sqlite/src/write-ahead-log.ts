import { closeSync, openSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { Unavailable } from '@almoner/domain'
import Database from 'better-sqlite3'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type Connection, withDriver } from './connection.ts'

/** A process that reads from an old state of a database. */
export interface LogHolder {
  /** 0 if the process is in another container. */
  readonly pid: number
  /** Its program and what it runs, without folders; `""` if that is unknown. */
  readonly command: string
}

// Readers in the first place read from the database alone: nothing can be brought into it then, and their state is the oldest.
// The layout of the index of a write-ahead log (https://www.sqlite.org/walformat.html, "The WAL-Index File Format"): the states from which the
// five places for readers read, and the bytes that a process locks while it has readers in one.
const [MARKS, MARK_BYTES, LOCKS, PLACES, HEAD] = [100, 4, 123, 5, 136]

interface Mapping {
  readonly address: number
  /** Device and inode, as both files of the kernel write them. */
  readonly file: string
}

/** Finds the beginning of a file that this process has mapped. */
const mappingOf = (path: string): Mapping | undefined => {
  for (const line of readFileSync('/proc/self/maps', 'utf8').split('\n')) {
    const [, begin = '', device = '', inode = '', name] =
      /^([0-9a-f]+)-[0-9a-f]+ \S+ 0+ (\S+) (\d+) +(.*)$/.exec(line) ?? []
    if (name === path) return { address: Number.parseInt(begin, 16), file: `${device}:${inode}` }
  }
  return undefined
}

/** Reads the head of the index from memory: opening and closing its file would release the locks of this process on it. */
const headOf = (address: number): Buffer => {
  const memory = openSync('/proc/self/mem', 'r')
  try {
    const head = Buffer.alloc(HEAD)
    readSync(memory, head, 0, HEAD, address)
    return head
  } finally {
    closeSync(memory)
  }
}

const markOf = (head: Buffer, place: number): number =>
  new Uint32Array(head.buffer, head.byteOffset + MARKS + MARK_BYTES * place, 1)[0] ?? 0

interface Lock {
  readonly pid: number
  readonly places: ReadonlyArray<number>
}

/** Reads which places processes have locked for reading. */
const locksOn = (file: string): ReadonlyArray<Lock> =>
  readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, , , kind, pid, of, first, last] = line.split(/\s+/)
      if (kind !== 'READ' || of !== file) return []
      const places = Array.from({ length: PLACES }, (_, n) => n).filter(
        (place) => LOCKS + place >= Number(first) && (last === 'EOF' || LOCKS + place <= Number(last)),
      )
      return [{ pid: Math.max(0, Number(pid)), places }]
    })

/** Returns the names of a program and of its first argument, as `sqlite3 almoner.db`: further ones may be secrets. */
const commandOf = (pid: number): string => {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    const names = words.filter((word) => word !== '' && !word.startsWith('-'))
    return names
      .slice(0, 2)
      .map((name) => basename(name))
      .join(' ')
  } catch {
    return ''
  }
}

/**
 * Returns the processes that read from the oldest state of a database that a reader still needs, none if no reader needs the log. This process
 * must have a connection that has read. Undefined where the system does not say: other systems than Linux.
 */
export const oldestReaders = (file: string): ReadonlyArray<LogHolder> | undefined => {
  try {
    const mapping = mappingOf(`${realpathSync(file)}-shm`)
    if (mapping === undefined) return undefined
    const [head, locks] = [headOf(mapping.address), locksOn(mapping.file)]
    const marks = locks.flatMap(({ places }) => places.map((place) => markOf(head, place)))
    const oldest = Math.min(...marks)
    const pids = locks
      .filter(({ places }) => places.some((place) => markOf(head, place) === oldest))
      .map(({ pid }) => pid)
    return [...new Set(pids)].map((pid) => ({ pid, command: commandOf(pid) }))
  } catch {
    return undefined
  }
}

/**
 * Returns the processes that read from the oldest state of a database that this process does not have open; none if no reader needs the log,
 * undefined where the system does not say.
 * @returns Unavailable if the file cannot be opened
 */
export const sqliteLogHolders = (
  file: string,
): TE.TaskEither<Unavailable, ReadonlyArray<LogHolder> | undefined> =>
  withDriver(
    () => new Database(file, { readonly: true, timeout: 0, fileMustExist: true }),
    (database) => {
      // The first statement maps the index.
      database.pragma('schema_version')
      return oldestReaders(file)
    },
  )

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
interface LogPages {
  readonly all: number
  readonly stored: number
}

/** Returns the pages of the log of a writer's database. Changes nothing. */
export const logPagesOf = (writer: Pick<Connection, 'row'>): LogPages => {
  const [, all, stored] = writer.row('pragma wal_checkpoint(noop)')
  return { all: Number(all), stored: Number(stored) }
}

/** The write-ahead log, as its keeper needs it. */
interface Log {
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
interface LogReaders {
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
interface LogTrim {
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
