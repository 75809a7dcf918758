import { type Db, type Engine, makeSlots } from '@almoner/adapters-kysely'
import { type Connection, openConnection } from './connection.ts'

/** KiB of pages kept in memory by each connection: a walk comes by each page once. */
const CACHE = 2000
const TIMEOUT = 5000

/**
 * Collections read at a time, each held as long as its reader takes; and what is read at our own pace, which has places of its own, so that
 * readers who take nothing keep nobody waiting but each other.
 */
const BOUNDS = {
  reader: { slots: 8, waiters: 64, patience: 10_000 },
  ours: { slots: 4, waiters: 64, patience: 10_000 },
}

/** Connections for reading from one unchanging state of the database. */
export interface Snapshots {
  /** As the engine's `snapshot`. */
  readonly read: Engine['snapshot']
  /** Closes every connection at once: readers under way fail with their next step. */
  close(): void
}

/** Connections to a file are opened as they are needed and kept for the next reader. */
export const makeSnapshots = (file: string): Snapshots => {
  const slots = { reader: makeSlots(BOUNDS.reader), ours: makeSlots(BOUNDS.ours) }
  const open = new Set<Connection>()
  const idle: Array<Connection> = []

  const connect = (): Connection => {
    const connection = openConnection(file, { readonly: true, cache: CACHE, timeout: TIMEOUT })
    open.add(connection)
    return connection
  }

  async function* on<A>(connection: Connection, work: (db: Db) => AsyncIterable<A>) {
    try {
      connection.step('begin')
      yield* work(connection.db)
    } finally {
      connection.rollback()
      idle.push(connection)
    }
  }

  return {
    async *read(work, pace = 'reader') {
      const letGo = await slots[pace].take()
      try {
        yield* on(idle.pop() ?? connect(), work)
      } finally {
        letGo()
      }
    },
    close() {
      void slots.reader.drain()
      void slots.ours.drain()
      for (const connection of open) connection.close()
    },
  }
}
