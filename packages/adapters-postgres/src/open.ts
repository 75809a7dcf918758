import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { attempt, type Database, type Db, type ReadOptions } from '@almoner/adapters-kysely'
import type { Unavailable } from '@almoner/domain'
import type { Clock } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type Connection, makeConnector, stateOf } from './connect.ts'
import { findSchema, POSTGRES, POSTGRES_APART, type WantedSchema } from './dialect.ts'
import { DatabaseFull, DatabaseRefused } from './fault.ts'
import { checkApart, checkSessions, DEAF_APART, isOutdated, isReadOnly, makeSessionGuard } from './guard.ts'
import type { HostKysely, PoolSize, PostgresPool } from './limits.ts'
import { type ChangeCounter, makeChangeCounter, makePolledCounter } from './listen-notify.ts'
import { makePool } from './pool.ts'
import { makePositions, type Positions } from './positions.ts'
import { makeServerClock } from './server-clock.ts'
import type { Session } from './session.ts'
import { channelOf, makeSender, NOTIFICATION } from './signals.ts'
import {
  type BeforeShown,
  readIn,
  readOn,
  readSnapshotOn,
  streamSnapshotOn,
  withConnection,
} from './snapshots.ts'
import { makeStandbys, type Standbys } from './standbys.ts'
import { type Target, targetOfKysely, targetOfPool, targetsOf } from './target.ts'
import { makeCompared, writeOn } from './transactions.ts'
import type { PostgresPlace } from './url.ts'

/** Leaves out the connections that the server keeps for superusers; a limit of -1 is none, and null is passed over. */
const CONNECTION_LIMIT = `select least(
  (select sum(case when name = 'max_connections' then setting::int else -setting::int end) from pg_settings
    where name in ('max_connections', 'superuser_reserved_connections', 'reserved_connections')),
  (select nullif(rolconnlimit, -1) from pg_roles where rolname = session_user),
  (select nullif(datconnlimit, -1) from pg_database where datname = current_database())) as most`

/** How many connections a pool may have unless the options say otherwise. */
const SIZE: PoolSize = { requests: 8, streams: 8 }
const BORROWED: PoolSize = { requests: 2, streams: 1 }

const sizeOf = (options: PostgresOptions): PoolSize => options.size ?? ('kysely' in options ? BORROWED : SIZE)

/** Milliseconds from one look at the server's clock to the next. */
const LOOK = 5000

/**
 * Milliseconds for which a start waits for a connection where the server has no room, and from one attempt to the next. Another process gives
 * one back within that time, as in a deployment, during which both run.
 */
const START = 2000
const RETRY = 100

/** Milliseconds for which closing waits for writes. A statement without a time limit may never end. */
const PATIENCE = 8000

/** A database that other processes, on other machines, work on too. */
export interface PostgresDatabase extends Database {
  /** The database's clock, to within half the time that a question and its answer take. */
  readonly clock: Clock
  /** Returns the present fault of the connections, such as a pooler that has changed its mode, with its fix. */
  trouble(): string | undefined
  /** Returns how many connections the server allows this role in this database, all processes together. */
  connectionLimit(): TE.TaskEither<Unavailable, number>
  /** Returns which standbys answer no reads at present, and why. */
  standbyTrouble(): string | undefined
  /** Returns how many standbys these are. */
  unusedStandbys(): number
  /** Runs what only reads: no write rests on it, so that standbys may answer (I8). */
  whileReading<A>(work: () => A): A
  /** Lets writes finish for some seconds, ends all reading and closes all connections. Everything is Unavailable from then on. */
  close(): Promise<void>
}

/** Which standbys answer reads, and under which conditions (I8). */
export interface StandbyOptions {
  readonly places: ReadonlyArray<PostgresPlace>
  /** Milliseconds behind the primary after which one is asked no more. Default: 5000. */
  readonly lag?: number
  /** Called with the milliseconds that each read on a standby took, and whether the primary had to answer it after all. */
  readonly onRead?: (milliseconds: number, failed: boolean) => void
}

/** Milliseconds that a standby may be behind unless the options say otherwise. */
const LAG = 5000

/** Where a database is: a place, or the server of a pool that a host has open; and how many connections a process may have, 8 and 8 by default. */
export type PostgresOptions = {
  readonly size?: PoolSize
  /**
   * The schema of the tables, which is created if missing. It must hold nothing else. Other services may have theirs in other schemas of the
   * database. Default: the schema in which the tables exist; else, for a pool, `almoner`, and for a place the first in the search path of the role.
   */
  readonly schema?: string
} & (
  | {
      readonly place: PostgresPlace
      /** Where the connection that listens leads: then a pooler may give each transaction of the others another session. */
      readonly listen?: PostgresPlace | undefined
      /** Standbys of the primary, which answer reads (I8). */
      readonly reads?: StandbyOptions
    }
  | {
      /**
       * Gives the server, the role and the encryption. The adapter opens its own connections: they have time limits, listen for changes, and hold
       * prepared statements, none of which may reach the host's. Closing the database leaves the pool open.
       */
      readonly pool: PostgresPool
      /** As for a place. */
      readonly reads?: StandbyOptions
    }
  | {
      /**
       * A host's Kysely instance with PostgresDialect and pg, whose own connections are borrowed: three at most unless `size` says otherwise, one of them
       * for good. They are given back with the settings that they had. Changes by other processes are found by asking once a second.
       */
      readonly kysely: HostKysely
    }
)

const targetsAmong = (options: PostgresOptions): ReadonlyArray<Target> => {
  if ('place' in options) return targetsOf(options.place)
  return ['pool' in options ? targetOfPool(options.pool) : targetOfKysely(options.kysely)]
}

const wantedSchema = (options: PostgresOptions): WantedSchema => {
  if (options.schema !== undefined) return { kind: 'named', name: options.schema }
  return { kind: 'place' in options ? 'role' : 'pool' }
}

/** Repeats work while the server has no room for a connection. */
const whileFull = async <A>(work: () => Promise<A>): Promise<A> => {
  for (const until = performance.now() + START; ; )
    try {
      return await work()
    } catch (cause) {
      if (!(cause instanceof DatabaseFull) || performance.now() > until) throw cause
      await pause(RETRY)
    }
}

/** What following a primary needs: a connection to it, and how many a standby may have. */
interface Followed {
  readonly first: Connection
  readonly size: PoolSize
  readonly positions: Positions
  readonly changes: ChangeCounter
}

/** Follows the standbys of a primary. Resolves when each has been looked at once. */
const follow = async (
  { places, lag = LAG, onRead = () => {} }: StandbyOptions,
  { first, size, positions, changes }: Followed,
): Promise<Standbys> => {
  await readIn(first, () => positions.look(first))
  const servers = places.flatMap(targetsOf).map((target) => {
    const guard = makeSessionGuard()
    const { connect } = makeConnector({
      targets: [target],
      findSchema: async () => first.schema,
      guard,
      onTime: () => {},
      isPooled: false,
      isStandby: true,
    })
    const check = () => guard.watch(checkSessions(connect, false))
    return { name: target.name, connect, check, pool: makePool(connect, size, guard.admit) }
  })
  const standbys = makeStandbys({ servers, positions, lag, onRead, changes })
  await standbys.seen
  return standbys
}

/** Reads as a database does, and throws what that returns. */
interface Reads {
  readonly read: <A>(work: (db: Db) => Promise<A>) => Promise<A>
  readonly readSnapshot: <A>(work: (db: Db) => Promise<A>, options?: ReadOptions) => Promise<A>
  readonly streamSnapshot: Database['streamSnapshot']
}

/** Reads from standbys while the caller only reads. */
const shownOn = (standbys: Standbys, primary: Reads, isReading: () => boolean): Reads => ({
  read: (work) => (isReading() ? standbys.read(work, () => primary.read(work)) : primary.read(work)),
  readSnapshot: (work, options) => {
    const onPrimary = () => primary.readSnapshot(work, options)
    return isReading() && options?.timeout !== 'none' ? standbys.readSnapshot(work, onPrimary) : onPrimary()
  },
  streamSnapshot: (work) => {
    const onPrimary = () => primary.streamSnapshot(work)
    return isReading() ? standbys.streamSnapshot(work, onPrimary) : onPrimary()
  },
})

/** Gives outages as values. */
const attempting = ({ read, readSnapshot, streamSnapshot }: Reads) =>
  ({
    read: (work) => attempt(async () => E.right(await read(work))),
    readSnapshot: (work, options) => attempt(async () => E.right(await readSnapshot(work, options))),
    streamSnapshot,
  }) satisfies Partial<Database>

const open = async (options: PostgresOptions): Promise<PostgresDatabase> => {
  const clock = makeServerClock()
  const guard = makeSessionGuard()
  const wanted = wantedSchema(options)
  const apart = 'listen' in options ? options.listen : undefined
  const common = { findSchema: (session: Session) => findSchema(session, wanted), onTime: clock.take }
  const isPooled = apart !== undefined
  const { connect } = makeConnector({ ...common, targets: targetsAmong(options), guard, isPooled })
  const refuse = () => new DatabaseRefused(DEAF_APART)
  const listener =
    apart && makeConnector({ ...common, targets: targetsOf(apart), guard: { refuse }, isPooled: false })
  const isBorrowed = 'kysely' in options
  const size = sizeOf(options)
  const pool = makePool(connect, size, guard.admit)
  const onConnection = <A>(work: (connection: Connection) => Promise<A>) => withConnection(pool, work)
  const notify = (channel: string) => onConnection(({ ask }) => ask(`notify ${channel}`))
  const check = () =>
    listener === undefined ? checkSessions(connect, !isBorrowed) : checkApart(connect, listener.connect)
  const recheck = () => guard.watch(check())
  const onDeaf = () => void recheck().catch(() => {})
  // Borrowed connections hear no signals, which say what a standby needs.
  const followers = 'kysely' in options ? undefined : options.reads
  const positions = followers && makePositions(followers.lag ?? LAG)
  const changes = isBorrowed
    ? makePolledCounter((text, values) => onConnection(({ ask }) => ask(text, values)))
    : makeChangeCounter({
        ...(listener ?? { connect }),
        onTime: clock.take,
        notify,
        guard,
        onDeaf,
        positions,
      })
  const sender = makeSender((text) => {
    const send = ({ ask, schema }: Connection) => ask(NOTIFICATION, [channelOf(schema), text])
    const listening = changes.listening()
    return listening === undefined ? onConnection(send) : send(listening)
  })

  const look = async () => {
    if (guard.isRefusing()) await recheck()
    await onConnection(async (connection) => {
      const { signal, row } = await stateOf(connection)
      clock.take(signal)
      if (await isOutdated(connection, row)) pool.renew()
      else guard.readsOnly(isReadOnly(row))
    })
  }
  await whileFull(async () => {
    await check()
    await look()
  })
  // Where no server answers, the clock runs on by itself.
  const looking = setInterval(() => void look().catch(() => {}), LOOK).unref()

  const standbys =
    followers &&
    positions &&
    (await onConnection((first) => follow(followers, { first, size, positions, changes })))
  // What another process commits is heard of from now on.
  if (standbys !== undefined) changes.version()

  const close = async () => {
    clearInterval(looking)
    sender.close()
    changes.close()
    const closing = pool.close()
    pool.breakOff('long')
    const late = setTimeout(() => pool.breakOff('all'), PATIENCE)
    await Promise.all([closing, standbys?.close()])
    clearTimeout(late)
  }
  let closed: Promise<void> | undefined
  const beforeShown: BeforeShown = {
    onRead: positions?.noteAfter ?? changes.onRead,
    catchUp: changes.catchUp,
  }
  const reads: Reads = {
    read: readOn(pool, beforeShown),
    readSnapshot: readSnapshotOn(pool, beforeShown),
    streamSnapshot: streamSnapshotOn(pool, beforeShown),
  }
  const write = writeOn({
    pool,
    connect,
    guard,
    compared: makeCompared(),
    onCommit: (signal) => {
      changes.count(signal)
      sender.add(signal)
    },
    hasSignals: false,
    beforeShown,
  })
  const reading = new AsyncLocalStorage<true>()

  const database: Database = {
    dialect: wanted.kind === 'named' ? POSTGRES_APART : POSTGRES,
    ...attempting(reads),
    write: (work, options) => attempt(() => write(work, options)),
    // The server removes the bytes of deleted rows when it vacuums.
    erase: (work) => attempt(async () => E.map(() => undefined)(await write(work))),
    version: changes.version,
  }
  const isReading = () => reading.getStore() === true
  return {
    ...database,
    ...(standbys && { shown: { ...database, ...attempting(shownOn(standbys, reads, isReading)) } }),
    clock,
    trouble: guard.trouble,
    connectionLimit: () =>
      attempt(async () =>
        E.right(Number((await onConnection(({ ask }) => ask(CONNECTION_LIMIT))).rows[0]?.['most'])),
      ),
    standbyTrouble: () => standbys?.trouble(),
    unusedStandbys: () => standbys?.unused() ?? 0,
    whileReading: (work) => reading.run(true, work),
    close: () => (closed ??= close()),
  }
}

/** Opens a PostgreSQL database. Its schema is the migrator's business. Unavailable when no server can be reached, or all are standbys. */
export const openPostgres = (options: PostgresOptions): TE.TaskEither<Unavailable, PostgresDatabase> =>
  attempt(async () => E.right(await open(options)))
