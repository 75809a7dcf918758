import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Db, makeSlots, Outage } from '@almoner/adapters-kysely'
import * as E from 'fp-ts/lib/Either.js'
import { whileBusy } from './busy.ts'
import { type Connection, openConnection } from './connection.ts'

/** KiB of pages kept in memory. */
const CACHE = 16_000
/** Milliseconds for which a statement may hold up the process. Beginning, where waiting is common, waits without that. */
const TIMEOUT = 20
/** The write-ahead log is cut down to this many bytes once a reader that kept it growing is gone. */
const LOG_LIMIT = 8 * 1024 * 1024

const QUEUE = { slots: 1, waiters: 1000, patience: 10_000 }

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
  /** As the engine's `write`. */
  write<L, A>(work: (db: Db) => Promise<E.Either<L, A>>): Promise<E.Either<L, A>>
  /** A number that changes when another process writes. */
  version(): unknown
  /** Lets running and waiting writes finish, brings the log into the database and closes. */
  close(): Promise<void>
}

/** Opens the writing connection of a file that exists, and makes it a database with a write-ahead log. */
export const openWriter = async (file: string): Promise<Writer> => {
  const connection = await whileBusy(() =>
    openConnection(file, { readonly: false, cache: CACHE, timeout: TIMEOUT }),
  )
  await whileBusy(() => prepare(connection))
  const queue = makeSlots(QUEUE)

  const transact = async <L, A>(work: (db: Db) => Promise<E.Either<L, A>>): Promise<E.Either<L, A>> => {
    await whileBusy(() => connection.run('begin immediate'))
    try {
      const result = await work(connection.db)
      if (E.isRight(result)) connection.run('commit')
      return result
    } finally {
      connection.rollback()
    }
  }

  return {
    async write(work) {
      const letGo = await queue.take()
      try {
        return await transact(work)
      } finally {
        // A commit holds up the process for as long as the disk takes: everybody else has a turn before the next.
        await nextTurn()
        letGo()
      }
    },
    version: () => connection.pragma('data_version'),
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
