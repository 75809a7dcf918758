import { DatabaseUnavailable } from '@almoner/adapters-kysely'
import type { Connection } from './connect.ts'
import { DatabaseFull } from './fault.ts'
import type { PoolSize } from './limits.ts'

/** Milliseconds after which a connection that was not needed is closed. */
const IDLE = 30_000

/** Milliseconds that work waits for a connection, and how much of it may wait; of streams fewer, because each holds its client (I10). */
const WAIT = 10_000
const MOST_WAITING = 1000
const MOST_STREAMS_WAITING = 64

/** Milliseconds after which a pool that the server has refused a connection asks for one again. */
const GROW = 1000

/** For what a connection is used: a request, a stream whose client decides how long it lasts, or a count of whole tables. */
export type Use = 'request' | 'stream' | 'count'

/** A connection that is the caller's until it is released. */
export interface Acquired {
  readonly connection: Connection
  release(): void
}

/** Connections, bounded in number, opened as they are needed and kept for a while. A holder must not wait for another one. */
export interface Pool {
  /** Waits for one. Throws `DatabaseUnavailable` when none is to be had. */
  acquire(use?: Use): Promise<Acquired>
  /** Replaces all connections by new ones, which have the settings that the host makes now; those in use as they are released. */
  renew(): void
  /** Rejects new requests and waiting streams; resolves when all connections have been released. */
  close(): Promise<void>
  /** Breaks off every connection that is in use, or those of streams and counts. */
  breakOff(what: 'all' | 'long'): void
}

interface Waiter {
  readonly use: Use
  readonly grant: (connection: Connection) => void
  readonly refuse: (cause: unknown) => void
}

interface Idle {
  readonly connection: Connection
  readonly since: number
}

/** Makes a pool without connections. `admit` throws while none may be used. */
export const makePool = (
  connect: () => Promise<Connection>,
  { requests, streams }: PoolSize,
  admit: () => void,
): Pool => {
  const used = new Map<Connection, Use>()
  const waiting = new Set<Waiter>()
  const generations = new WeakMap<Connection, number>()
  const closed = Promise.withResolvers<void>()
  let idle: Array<Idle> = []
  let opening = 0
  let generation = 0
  /** How many the server allows, as far as is known. */
  let ceiling = Infinity
  let growing: NodeJS.Timeout | undefined
  let hasGivenBack = false
  let isClosing = false

  const held = () => used.size + idle.length
  const capacity = () => Math.min(requests + streams, ceiling)
  const usedFor = (isMeant: (use: Use) => boolean) => [...used.values()].filter(isMeant).length
  const longs = () => usedFor((use) => use !== 'request')

  /** Keeps a connection for others, unless it began before the last renewal. */
  const keep = (connection: Connection) => {
    if (generations.get(connection) === generation) idle.push({ connection, since: performance.now() })
    else connection.end()
  }

  const closeIdle = (which: (one: Idle) => boolean) => {
    for (const { connection } of idle.filter(which)) connection.end()
    idle = idle.filter((one) => !which(one))
  }

  const sweep = setInterval(() => {
    closeIdle(({ connection }) => connection.isBroken())
    const since = performance.now() - IDLE
    for (let [one] = idle; one !== undefined && one.since < since && held() > longs() + 1; [one] = idle) {
      one.connection.end()
      idle.shift()
    }
  }, IDLE).unref()

  const takeIdle = (): Connection | undefined => {
    const one = idle.pop()
    if (!one?.connection.isBroken()) return one?.connection
    one.connection.end()
    return takeIdle()
  }

  /** Whether work may begin. Of streams and counts so few are let in that requests have a connection, even of a server that allows only some. */
  const mayBegin = (use: Use): boolean => {
    if (use === 'request') return true
    if (use === 'stream' && usedFor((other) => other === 'stream') >= streams) return false
    return longs() < Math.max(1, capacity() - 1)
  }

  /** How many connections must be there before work begins. */
  const needed = (use: Use): number => (use === 'request' ? 1 : Math.min(longs() + 2, capacity()))

  const take = (use: Use): Connection | undefined => {
    const connection = mayBegin(use) && held() >= needed(use) ? takeIdle() : undefined
    if (connection !== undefined) used.set(connection, use)
    return connection
  }

  const onRefused = (cause: unknown) => {
    const present = held() + opening
    if (!(cause instanceof DatabaseFull)) waiting.values().next().value?.refuse(cause)
    else if (present === 0) for (const waiter of [...waiting]) waiter.refuse(cause)
    else {
      growing ??= setTimeout(grow, GROW).unref()
      ceiling = Math.min(ceiling, present)
    }
  }

  const open = async (): Promise<void> => {
    const born = generation
    opening += 1
    try {
      const connection = await connect()
      opening -= 1
      ceiling += 1
      generations.set(connection, born)
      keep(connection)
    } catch (cause) {
      opening -= 1
      onRefused(cause)
    }
    serve()
  }

  const openMore = () => {
    const lacking = [...waiting].filter(({ use }) => mayBegin(use)).length
    while (opening < lacking && held() + opening < capacity()) void open()
  }

  /** Gives connections to waiting work, in the order in which it came, and opens more while there are too few. */
  const serve = () => {
    for (const waiter of [...waiting]) {
      const connection = take(waiter.use)
      if (connection !== undefined) waiter.grant(connection)
      if (idle.length === 0) break
    }
    openMore()
    if (isClosing && used.size + opening + waiting.size === 0) closed.resolve()
  }

  /** Asks for one more, which shows whether there is room again. */
  const grow = () => {
    growing = undefined
    hasGivenBack = false
    ceiling = held() + opening + 1
    serve()
  }

  /** Whether to close a connection after a refusal, because another process may need one, as during a deployment. Streams leave one for requests. */
  const isGivenBack = (): boolean => {
    if (growing === undefined || hasGivenBack || held() < Math.max(2, longs() + 1)) return false
    hasGivenBack = true
    ceiling = held()
    return true
  }

  const renew = () => {
    generation += 1
    closeIdle(() => true)
  }

  /** What broke one has most likely broken the others of its time, those in use too, which is found out sooner by connecting again. */
  const onBroken = (connection: Connection) => {
    connection.end()
    if (generations.get(connection) === generation) renew()
  }

  const release = (connection: Connection) => {
    used.delete(connection)
    if (connection.isBroken()) onBroken(connection)
    else if (isGivenBack()) connection.end()
    else keep(connection)
    serve()
  }

  const wait = (use: Use): Promise<Connection> => {
    const { promise, resolve, reject } = Promise.withResolvers<Connection>()
    const end = () => {
      clearTimeout(timer)
      waiting.delete(waiter)
    }
    const waiter: Waiter = {
      use,
      grant: (connection) => {
        end()
        resolve(connection)
      },
      refuse: (cause) => {
        end()
        reject(cause)
      },
    }
    const timer = setTimeout(
      () => waiter.refuse(new DatabaseUnavailable('the database has been busy for too long')),
      WAIT,
    )
    waiting.add(waiter)
    serve()
    return promise
  }

  const isCrowded = (use: Use): boolean => {
    if (use === 'request') return waiting.size >= MOST_WAITING
    return [...waiting].filter((waiter) => waiter.use === use).length >= MOST_STREAMS_WAITING
  }

  return {
    async acquire(use = 'request') {
      if (isClosing) throw new DatabaseUnavailable('the database is closed')
      if (isCrowded(use)) throw new DatabaseUnavailable('too many wait for the database')
      admit()
      const connection = (waiting.size === 0 ? take(use) : undefined) ?? (await wait(use))
      return { connection, release: () => release(connection) }
    },
    renew,
    async close() {
      isClosing = true
      clearInterval(sweep)
      for (const waiter of [...waiting])
        if (waiter.use !== 'request') waiter.refuse(new DatabaseUnavailable('the database is closed'))
      serve()
      await closed.promise
      closeIdle(() => true)
    },
    breakOff(what) {
      for (const [connection, use] of used) if (what === 'all' || use !== 'request') connection.end()
    },
  }
}
