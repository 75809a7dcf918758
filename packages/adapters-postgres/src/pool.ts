import { makeSemaphore, type SemaphoreOptions } from '@almoner/adapters-kysely'
import type { Connection } from './connect.ts'

/** Milliseconds after which a connection that was not needed is closed. */
const IDLE = 30_000

/** A connection that is the caller's until it is released. */
export interface Acquired {
  readonly connection: Connection
  release(): void
}

/** Connections, bounded in number, opened as they are needed and kept for a while. */
export interface Pool {
  /** Waits for one. Throws `DatabaseUnavailable` when none is to be had. */
  acquire(): Promise<Acquired>
  /** Rejects new requests; resolves when all connections have been released. */
  close(): Promise<void>
  /** Breaks off every connection that is in use. */
  breakOff(): void
}

interface Idle {
  readonly connection: Connection
  readonly since: number
}

/** Makes a pool without connections. `admit` throws while none may be used. */
export const makePool = (
  connect: () => Promise<Connection>,
  limits: SemaphoreOptions,
  admit: () => void,
): Pool => {
  const semaphore = makeSemaphore(limits)
  const used = new Set<Connection>()
  let idle: Array<Idle> = []

  const closeIdle = (which: (one: Idle) => boolean) => {
    for (const { connection } of idle.filter(which)) connection.end()
    idle = idle.filter((one) => !which(one))
  }
  const sweep = setInterval(() => {
    const now = performance.now()
    closeIdle(({ connection, since }) => connection.isBroken() || now - since > IDLE)
  }, IDLE).unref()

  const takeIdle = (): Connection | undefined => {
    const one = idle.pop()
    return one?.connection.isBroken() ? takeIdle() : one?.connection
  }

  return {
    async acquire() {
      const releasePermit = await semaphore.acquire()
      try {
        admit()
        const connection = takeIdle() ?? (await connect())
        used.add(connection)
        const release = () => {
          // What broke one has most likely broken the others, which is found out sooner by connecting again.
          if (connection.isBroken()) closeIdle(() => true)
          else idle.push({ connection, since: performance.now() })
          used.delete(connection)
          releasePermit()
        }
        return { connection, release }
      } catch (cause) {
        releasePermit()
        throw cause
      }
    },
    async close() {
      clearInterval(sweep)
      await semaphore.drain()
      closeIdle(() => true)
    },
    breakOff() {
      for (const connection of used) connection.end()
    },
  }
}
