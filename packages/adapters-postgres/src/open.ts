import { attempt, type Database } from '@almoner/adapters-kysely'
import type { Unavailable } from '@almoner/domain'
import type { Clock } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type Connection, makeConnector, timeOf } from './connect.ts'
import type { PostgresPool } from './host-pool.ts'
import { COUNTING } from './limits.ts'
import { makeChangeCounter } from './listen-notify.ts'
import { makePool, type Pool } from './pool.ts'
import { makeServerClock } from './server-clock.ts'
import { checkSessions } from './session-check.ts'
import { makeSessionGuard } from './session-guard.ts'
import { readSnapshotOn, streamSnapshotOn } from './snapshots.ts'
import { POSTGRES } from './sql-dialect.ts'
import { findSchema, type WantedSchema } from './table-schema.ts'
import { type Target, targetOfPool, targetsOf } from './target.ts'
import { readOn, writeOn } from './transactions.ts'
import type { PostgresPlace } from './url.ts'

/** Connections for reading and writing, how many may wait for one, and for how many milliseconds. */
const SHORT = { permits: 8, queueLimit: 1000, timeout: 3000 }

/**
 * Limits of simultaneous streamed collections, which last as long as their clients read, and of internal reads, which have separate
 * connections. So stalled clients block only each other.
 */
const LONG = { permits: 8, queueLimit: 64, timeout: 10_000 }
const OURS = { permits: 2, queueLimit: 64, timeout: 10_000 }
/** What counts whole tables: one at a time, and the next one waits for a whole count. */
const COUNTS = { permits: 1, queueLimit: 8, timeout: COUNTING }

/** Milliseconds from one look at the server's clock to the next. */
const LOOK = 5000

/** Milliseconds for which closing waits for writes. A statement without a time limit may never end. */
const PATIENCE = 8000

/** A database that other processes, on other machines, work on too. */
export interface PostgresDatabase extends Database {
  /** The database's clock, to within half the time that a question and its answer take. */
  readonly clock: Clock
  /** Returns the present fault of the connections, such as a pooler that has changed its mode, with its fix. */
  trouble(): string | undefined
  /** Lets writes finish for some seconds, ends all reading and closes all connections. Everything is Unavailable from then on. */
  close(): Promise<void>
}

/** Where a database is: a place, or the server of a pool that a host has open. */
export type PostgresOptions =
  | { readonly place: PostgresPlace }
  | {
      /**
       * Gives the server, the role and the encryption. The adapter opens its own connections: they have time limits, listen for changes, and hold
       * prepared statements, none of which may reach the host's. Closing the database leaves the pool open.
       */
      readonly pool: PostgresPool
      /**
       * The schema of the tables, which is created if missing. It must hold nothing else. Refused if the tables exist in another one. Default: the
       * schema in which they exist, or `almoner`.
       */
      readonly schema?: string
    }

const targetsAmong = (options: PostgresOptions): ReadonlyArray<Target> =>
  'place' in options ? targetsOf(options.place) : [targetOfPool(options.pool)]

const wantedSchema = (options: PostgresOptions): WantedSchema => {
  if ('place' in options) return { kind: 'role' }
  return options.schema === undefined ? { kind: 'pool' } : { kind: 'named', name: options.schema }
}

const open = async (options: PostgresOptions): Promise<PostgresDatabase> => {
  const clock = makeServerClock()
  const guard = makeSessionGuard()
  const wanted = wantedSchema(options)
  const { connect } = makeConnector({
    targets: targetsAmong(options),
    findSchema: (session) => findSchema(session, wanted),
    guard,
    onTime: clock.take,
  })
  await checkSessions(connect)
  const [short, long, ours, counts] = [SHORT, LONG, OURS, COUNTS].map((limits) =>
    makePool(connect, limits, guard.admit),
  ) as [Pool, Pool, Pool, Pool]
  const withShort = async <A>(work: (connection: Connection) => Promise<A>): Promise<A> => {
    const { connection, release } = await short.acquire()
    try {
      return await work(connection)
    } finally {
      release()
    }
  }
  const notify = (channel: string) => withShort(({ ask }) => ask(`notify ${channel}`))
  const recheck = () => guard.watch(checkSessions(connect))
  const onDeaf = () => void recheck().catch(() => {})
  const changes = makeChangeCounter({ connect, onTime: clock.take, notify, guard, onDeaf })

  const look = async () => {
    if (guard.isRefusing()) await recheck()
    clock.take(await withShort(timeOf))
  }
  await look()
  // Where no server answers, the clock runs on by itself.
  const looking = setInterval(() => void look().catch(() => {}), LOOK).unref()

  const close = async () => {
    clearInterval(looking)
    changes.close()
    const readers = [long, ours, counts]
    const closing = [short, ...readers].map((pool) => pool.close())
    for (const pool of readers) pool.breakOff()
    const late = setTimeout(() => short.breakOff(), PATIENCE)
    await Promise.all(closing)
    clearTimeout(late)
  }
  let closed: Promise<void> | undefined
  const [read, write] = [readOn(short), writeOn(short, connect, changes.count)]
  const readSnapshot = readSnapshotOn(ours, counts)

  return {
    dialect: POSTGRES,
    clock,
    read: (work) => attempt(async () => E.right(await read(work))),
    write: (work, options) => attempt(() => write(work, options)),
    // The server removes the bytes of deleted rows when it vacuums.
    erase: (work) => attempt(async () => E.map(() => undefined)(await write(work))),
    readSnapshot: (work, options) => attempt(async () => E.right(await readSnapshot(work, options))),
    streamSnapshot: streamSnapshotOn(long),
    version: changes.version,
    trouble: guard.trouble,
    close: () => (closed ??= close()),
  }
}

/** Opens a PostgreSQL database. Its schema is the migrator's business. Unavailable when no server that takes writes can be reached. */
export const openPostgres = (options: PostgresOptions): TE.TaskEither<Unavailable, PostgresDatabase> =>
  attempt(async () => E.right(await open(options)))
