import { DatabaseUnavailable, type Db, makeSemaphore, type Semaphore } from '@almoner/adapters-kysely'
import { type Connection, openConnection } from './connection.ts'

/** KiB of pages kept in memory by each connection: a walk comes by each page once. */
const CACHE = 2000
const TIMEOUT = 5000

/**
 * Limits of simultaneous streamed collections, which last as long as their clients read, and of internal reads, which are limited separately.
 * So stalled clients block only each other.
 */
const READERS = { permits: 8, queueLimit: 64, timeout: 10_000 }
const OURS = { permits: 4, queueLimit: 64, timeout: 10_000 }

/** Connections for reading from one unchanging state of the database. */
export interface Snapshots {
  /** As the database's `readSnapshot`; throws `DatabaseUnavailable`. */
  readSnapshot<A>(work: (db: Db) => Promise<A>): Promise<A>
  /** As the database's `streamSnapshot`. */
  streamSnapshot<A>(work: (db: Db) => AsyncIterable<A>): AsyncIterable<A>
  /** Closes every connection at once: readers under way fail with their next step. */
  close(): void
}

/**
 * Connections to a file are opened as they are needed and kept for the next reader.
 * @param life milliseconds after which a collection's snapshot ends and its iteration throws {@link DatabaseUnavailable}: the write-ahead log grows while
 * one is open, and its reader decides how long that is
 */
export const makeSnapshots = (file: string, life = Infinity): Snapshots => {
  const [readers, ours] = [makeSemaphore(READERS), makeSemaphore(OURS)]
  const open = new Set<Connection>()
  const idle: Array<Connection> = []

  const connect = (): Connection => {
    const connection = openConnection(file, { readonly: true, cache: CACHE, timeout: TIMEOUT })
    open.add(connection)
    return connection
  }

  /** Returns a connection, and what releases it with the state that it sees. */
  const acquire = async (semaphore: Semaphore) => {
    const release = await semaphore.acquire()
    try {
      const connection = idle.pop() ?? connect()
      const end = () => {
        connection.rollback()
        if (open.has(connection)) idle.push(connection)
        release()
      }
      return { connection, end }
    } catch (cause) {
      release()
      throw cause
    }
  }

  /** Calls back when a snapshot's life is over, unless the function that it returns is called before. */
  const afterLife = (expire: () => void): (() => void) => {
    if (life === Infinity) return () => {}
    const timer = setTimeout(expire, life).unref()
    return () => clearTimeout(timer)
  }

  return {
    async *streamSnapshot(work) {
      const { connection, end } = await acquire(readers)
      let isExpired = false
      // Its reader's next statement fails on the closed connection.
      const keep = afterLife(() => {
        isExpired = true
        open.delete(connection)
        connection.close()
      })
      try {
        connection.step('begin')
        yield* work(connection.db)
      } catch (cause) {
        throw isExpired ? new DatabaseUnavailable('a collection was read for too long') : cause
      } finally {
        keep()
        end()
      }
    },
    async readSnapshot(work) {
      const { connection, end } = await acquire(ours)
      try {
        connection.step('begin')
        return await work(connection.db)
      } finally {
        end()
      }
    },
    close() {
      void readers.drain()
      void ours.drain()
      for (const connection of open) connection.close()
    },
  }
}
