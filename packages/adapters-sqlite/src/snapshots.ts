import { setTimeout as pause } from 'node:timers/promises'
import {
  DatabaseUnavailable,
  type Db,
  makeSemaphore,
  type ReadOptions,
  type Semaphore,
} from '@almoner/adapters-kysely'
import { AS_WRITTEN, kyselyOn, type Named, openConnection } from './connection.ts'
import { openThread } from './threads/open-thread.ts'

/** KiB of pages kept in memory by each connection: a walk comes by each page once. */
const READER = { readonly: true, cache: 2000, timeout: 5000 }

/**
 * Limits of simultaneous streamed collections, which last as long as their clients read, of internal reads, of reads that take long, and of
 * reads that take as long as they need. Each is limited separately, so that stalled clients and long reads block only each other.
 */
const READERS = { permits: 8, queueLimit: 64, timeout: 10_000 }
const OURS = { permits: 4, queueLimit: 64, timeout: 10_000 }
const LONG = { permits: 4, queueLimit: 64, timeout: 10_000 }
const COUNTS = { permits: 1, queueLimit: 8, timeout: 600_000 }

/** Milliseconds after which an idle thread ends. A process without long reads has none. */
const IDLE = 30_000

/** A connection that sees one unchanging state between `begin` and `end`. */
interface Reader {
  readonly db: Db
  begin(): Promise<void>
  end(): Promise<void>
  isUsable(): boolean
  close(): Promise<void>
}

/** A connection in this thread: for statements whose work is bounded. */
const inlineReader = (file: string, named: Named): Reader => {
  const connection = openConnection(file, { ...READER, named })
  let isOpen = true
  return {
    db: connection.db,
    begin: async () => connection.step('begin'),
    end: async () => {
      if (isOpen) connection.rollback()
    },
    isUsable: () => isOpen,
    close: async () => {
      isOpen = false
      connection.close()
    },
  }
}

/** A connection in a separate thread. */
const threadReader = (file: string, named: Named): Reader => {
  const { execute, isAlive, close } = openThread({ file, ...READER })
  const run = async (sql: string) => {
    await execute({ sql, parameters: [] })
  }
  let isOpen = true
  const db = kyselyOn(async (query) => {
    if (!isOpen) throw new DatabaseUnavailable('the database is closed')
    return execute(query)
  }, named)
  return {
    db,
    begin: () => run('begin'),
    end: async () => {
      if (isOpen && isAlive()) await run('rollback')
    },
    isUsable: () => isOpen && isAlive(),
    close: () => {
      isOpen = false
      return close()
    },
  }
}

/** Readers of one kind, opened as they are needed and kept for the next use. */
const makeReaders = (open: () => Reader, idleLife: number) => {
  const all = new Set<Reader>()
  const idle = new Map<Reader, NodeJS.Timeout | undefined>()
  let isClosed = false

  const close = async (reader: Reader): Promise<void> => {
    clearTimeout(idle.get(reader))
    idle.delete(reader)
    all.delete(reader)
    await reader.close()
  }
  return {
    take: (): Reader => {
      if (isClosed) throw new DatabaseUnavailable('the database is closed')
      const [last] = [...idle.keys()].slice(-1)
      const reader = last ?? open()
      clearTimeout(idle.get(reader))
      idle.delete(reader)
      all.add(reader)
      return reader
    },
    giveBack: (reader: Reader): void => {
      if (!all.has(reader)) return
      if (!reader.isUsable()) return void close(reader)
      const end = () => void close(reader)
      idle.set(reader, idleLife === Infinity ? undefined : setTimeout(end, idleLife).unref())
    },
    /** Closes a reader that is in use: its next statement fails. */
    close,
    closeAll: async (): Promise<void> => {
      isClosed = true
      await Promise.all([...all].map(close))
    },
  }
}

/** A snapshot in use. Only that of a streamed collection can be ended. */
interface OpenSnapshot {
  readonly end?: () => Promise<void>
}

/** Milliseconds for which {@link Snapshots.endOldest} waits for the end of a snapshot. */
const END_WAIT = 300

/** Connections for reading from one unchanging state of the database. */
interface Snapshots {
  /** As the database's `readSnapshot`; throws `DatabaseUnavailable`. */
  readSnapshot<A>(work: (db: Db) => Promise<A>, options?: ReadOptions): Promise<A>
  /** As the database's `streamSnapshot`. */
  streamSnapshot<A>(work: (db: Db) => AsyncIterable<A>, options?: ReadOptions): AsyncIterable<A>
  /** How many collections are being streamed. */
  streams(): number
  /**
   * Ends the oldest snapshot if it is that of a streamed collection: its next value is an error. Returns false for another one, and if there is
   * none.
   */
  endOldest(): Promise<boolean>
  /** Closes every connection: readers under way fail with their next step. */
  close(): Promise<void>
}

/** Whether the statements of a read may take long. */
const isLong = ({ work, timeout }: ReadOptions = {}): boolean => work === 'unbounded' || timeout === 'none'

/**
 * Makes the snapshots of a file. Reads that may take long run in threads (I6).
 * @param onEnd called when a collection has been streamed
 * @param admit called before a connection is opened; throws if the path leads to other files than the ones that are open (I10)
 */
export const makeSnapshots = (
  file: string,
  onEnd: () => void,
  admit: () => void,
  named: Named = AS_WRITTEN,
): Snapshots => {
  const semaphores = [READERS, OURS, LONG, COUNTS].map(makeSemaphore) as ReadonlyArray<Semaphore>
  const [readers, ours, long, counts] = semaphores as [Semaphore, Semaphore, Semaphore, Semaphore]
  const opened = (reader: typeof inlineReader) => () => {
    admit()
    return reader(file, named)
  }
  const inline = makeReaders(opened(inlineReader), Infinity)
  const threads = makeReaders(opened(threadReader), IDLE)
  // A Set remembers the order in which its members came.
  const [all, streams] = [new Set<OpenSnapshot>(), new Set<OpenSnapshot>()]

  /** Takes a reader and begins its snapshot. Returns it, and what ends and closes it. */
  const acquire = async (semaphore: Semaphore, options: ReadOptions | undefined) => {
    const release = await semaphore.acquire()
    const pool = isLong(options) ? threads : inline
    try {
      const reader = pool.take()
      const end = async () => {
        try {
          await reader.end()
        } finally {
          pool.giveBack(reader)
          release()
        }
      }
      const close = async () => {
        await pool.close(reader)
        release()
      }
      await reader.begin().catch(async (cause) => {
        await close()
        throw cause
      })
      return { reader, end, close }
    } catch (cause) {
      release()
      throw cause
    }
  }

  return {
    async *streamSnapshot(work, options) {
      const { reader, end, close } = await acquire(readers, options)
      let isEnded = false
      const stream: OpenSnapshot = {
        end: () => {
          isEnded = true
          streams.delete(stream)
          all.delete(stream)
          return close()
        },
      }
      streams.add(stream)
      all.add(stream)
      try {
        yield* work(reader.db)
      } catch (cause) {
        throw isEnded
          ? new DatabaseUnavailable('its reader was too slow: the write-ahead log grew past its limit')
          : cause
      } finally {
        streams.delete(stream)
        all.delete(stream)
        await end()
        onEnd()
      }
    },
    async readSnapshot(work, options) {
      const semaphore = options?.timeout === 'none' ? counts : isLong(options) ? long : ours
      const { reader, end } = await acquire(semaphore, options)
      const read: OpenSnapshot = {}
      all.add(read)
      try {
        return await work(reader.db)
      } finally {
        all.delete(read)
        await end()
      }
    },
    streams: () => streams.size,
    async endOldest() {
      const [oldest] = all
      if (oldest?.end === undefined) return false
      // A thread may have to run its statement to the end, and writers wait for this.
      const ending = oldest.end()
      ending.catch(() => {})
      await Promise.race([ending, pause(END_WAIT, undefined, { ref: false })])
      return true
    },
    async close() {
      for (const semaphore of semaphores) void semaphore.drain()
      await Promise.all([inline.closeAll(), threads.closeAll()])
    },
  }
}
