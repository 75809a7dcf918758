import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseUnavailable, type Db, EPOCH_TABLE } from '@almoner/adapters-kysely'
import type { Connection } from './connect.ts'
import { DatabaseFull, DatabaseRefused, isConflict, isConnectionLost, isTableAbsent } from './fault.ts'
import { WHOSE } from './guard.ts'
import type { ChangeCounter } from './listen-notify.ts'
import type { Acquired, Pool } from './pool.ts'
import type { Positions } from './positions.ts'
import { within } from './session.ts'
import { positionOf, seenValues, WITH_UNSEEN } from './signals.ts'
import { begin, PATIENT } from './snapshots.ts'

/** Milliseconds from one look at a standby to the next, and after which an answer is too slow to be of use. */
const LOOK = 500
const SLOW = 400

/** Milliseconds for which a read waits for a connection to a standby, and a look for its answer. */
const LIMIT = 1000

/** Milliseconds within which a standby replays what it has not been kept from, and the looks in which a start waits for that. */
const REPLAY = 1000
const LOOKS = 3

const STATE = `select ${WHOSE}, pg_is_in_recovery() as is_standby, pg_last_wal_replay_lsn()::text as position,
  (select epoch from ${EPOCH_TABLE} where last_position is null) as epoch`

/** What a look selects besides: whether the last transaction is older than a number of milliseconds. */
const ageOver = (
  lag: number,
): string => `, coalesce(pg_last_xact_replay_timestamp(), pg_postmaster_start_time())
  < clock_timestamp() - ${lag} * interval '1 millisecond' as is_old`

/** Selects besides, once data were read, the signals of changes that they may show and the last look on the primary did not. */
const UNSEEN = `, xid::text ${WITH_UNSEEN}`

const AHEAD = 'the primary is not known to show all that a standby shows'

const POOLED = 'it is behind a pooler that keeps no sessions: let ALMONER_DATABASE_READS lead past that'

/** Why a standby is of no use at present, for an operator. */
class Unusable extends Error {}

/** Whether a read failed because of the standby, and not because of what it read. */
const isOfStandby = (cause: unknown): boolean =>
  cause instanceof Unusable || (cause instanceof DatabaseUnavailable && !isConflict(cause))

/** A server that follows the primary. */
export interface StandbyServer {
  /** Its name in messages. */
  readonly name: string
  /** Opens a connection to it, which is no connection to a server that takes writes. */
  readonly connect: () => Promise<Connection>
  /** Rejects if its connections do not keep sessions: a pooler may send each statement to another server. */
  readonly check: () => Promise<void>
  readonly pool: Pool
}

interface StandbysOptions {
  readonly servers: ReadonlyArray<StandbyServer>
  readonly positions: Positions
  /** Milliseconds that a standby may be behind (`ALMONER_READS_LAG`). */
  readonly lag: number
  readonly changes: Pick<ChangeCounter, 'seen' | 'catchUpWith'>
  /** Called with the milliseconds of each read that a standby was asked, and whether the primary had to answer it after all. */
  readonly onRead: (milliseconds: number, failed: boolean) => void
}

/** Standbys, which answer what no write rests on as long as they hold all that this process knows of (I8). */
export interface Standbys {
  /** Reads on a standby; else, without waiting, from the primary. */
  read<A>(work: (db: Db) => Promise<A>, primary: () => Promise<A>): Promise<A>
  /** As {@link read}, from one state. */
  readSnapshot<A>(work: (db: Db) => Promise<A>, primary: () => Promise<A>): Promise<A>
  /** As {@link readSnapshot}, for as long as the reader takes. */
  streamSnapshot<A>(work: (db: Db) => AsyncIterable<A>, primary: () => AsyncIterable<A>): AsyncGenerator<A>
  /** Returns which standbys are not used and why, for an operator. */
  trouble(): string | undefined
  /** Returns how many these are. */
  unused(): number
  /** Resolves when it is known of each standby whether it is of use. */
  readonly seen: Promise<unknown>
  close(): Promise<void>
}

/** Waits for a connection; one that comes too late is given back. */
const acquireSoon = async (pool: Pool, use: 'request' | 'stream'): Promise<Acquired> => {
  const acquiring = pool.acquire(use)
  try {
    return await within(LIMIT, acquiring)
  } catch (cause) {
    acquiring.then(
      ({ release }) => release(),
      () => {},
    )
    throw cause
  }
}

/** Follows a standby, which is asked how far it is again and again. */
const follow = ({ name, connect, check, pool }: StandbyServer, { positions, lag }: StandbysOptions) => {
  const closing = new AbortController()
  const { signal } = closing
  const seen = Promise.withResolvers<void>()
  // By connection, because an address may lead to several servers, and one that crashes may come back without what it had replayed.
  const replayed = new WeakMap<Connection, bigint>()
  let fault: string | undefined = 'it was not asked yet'
  let isChecked = false

  /** Returns how far the server of a connection is, and what more is selected. Throws if it is of no use. */
  const stateOf = async (connection: Connection, more = '', values?: ReadonlyArray<unknown>) => {
    const asked = connection.ask(`${STATE}${more}`, values).catch((cause) => {
      throw isTableAbsent(cause) ? new Unusable('it has no tables of this service, or older ones') : cause
    })
    const { rows } = await asked
    const [row = {}] = rows
    connection.verify(row)
    if (row['is_standby'] !== true) throw new Unusable('it takes writes, so it is no standby')
    const epoch = positions.epoch()
    if (epoch !== undefined && row['epoch'] !== epoch)
      throw new Unusable('it holds another database, or follows another primary')
    const position = positionOf(row['position'])
    replayed.set(connection, position)
    return { position, rows }
  }
  /** Returns whether it has replayed up to a position; asks in a statement of its own, before data are read, unless that is known. */
  const hasReplayed = async (connection: Connection, need: bigint): Promise<boolean> =>
    (replayed.get(connection) ?? -1n) >= need || (await stateOf(connection)).position >= need
  const onFault = (cause: unknown) => {
    const text = cause instanceof Error ? cause.message : 'unknown'
    fault = cause instanceof DatabaseRefused ? POOLED : text
  }
  /** Throws if the server has no connection for reads. One that is busy has. */
  const checkRoom = async () => {
    try {
      const { release } = await acquireSoon(pool, 'request')
      release()
    } catch (cause) {
      if (cause instanceof DatabaseFull) throw new Unusable(cause.message)
    }
  }
  /** Returns whether it has replayed what the primary had at the last look at that. */
  const look = async (connection: Connection): Promise<boolean> => {
    const asked = performance.now()
    const { position, rows } = await within(LIMIT, stateOf(connection, ageOver(lag)))
    if (performance.now() - asked > SLOW) throw new Unusable(`it takes more than ${SLOW} ms to answer`)
    // A process that has begun later knows no position of that time.
    const needed =
      positions.wasAt(lag) ?? (rows[0]?.['is_old'] === true ? positions.wasAt(REPLAY) : undefined) ?? 0n
    if (position < needed) throw new Unusable(`it is more than ${lag / 1000} s behind`)
    if (!isChecked) await check()
    isChecked = true
    await checkRoom()
    fault = undefined
    return position >= (positions.wasAt(0) ?? 0n)
  }
  const watchOn = async (connection: Connection): Promise<void> => {
    isChecked = false
    try {
      for (let looks = 1; ; looks += 1) {
        const isKnown = await look(connection).catch((cause) => {
          onFault(cause)
          if (cause instanceof Unusable) return true
          // The primary answers what runs on a standby that is silent; what breaks is answered by it anyway.
          if (!isConnectionLost(cause)) pool.breakOff('all')
          throw cause
        })
        if (isKnown || looks === LOOKS) seen.resolve()
        await pause(LOOK, undefined, { signal, ref: false })
      }
    } finally {
      connection.end()
    }
  }
  const watch = async (): Promise<void> => {
    while (!signal.aborted) {
      await connect().then(watchOn).catch(onFault)
      seen.resolve()
      await pause(LOOK, undefined, { signal, ref: false }).catch(() => {})
    }
  }
  void watch()

  return {
    name,
    pool,
    seen: seen.promise,
    fault: () => fault,
    hasReplayed,
    stateOf,
    onFault,
    close: async () => {
      closing.abort()
      const closed = pool.close()
      pool.breakOff('all')
      await closed
    },
  }
}

type Standby = ReturnType<typeof follow>

/** Follows standbys. */
export const makeStandbys = (options: StandbysOptions): Standbys => {
  const { servers, positions, onRead, changes } = options
  const standbys = servers.map((server) => follow(server, options))
  let turn = 0

  /** The standby whose turn it is, of those without a fault. */
  const next = (): Standby | undefined => {
    const usable = standbys.filter(({ fault }) => fault() === undefined)
    turn += 1
    return usable[turn % usable.length]
  }

  /**
   * Takes note of what was read, and checks that it was read on a standby of the present primary. A standby may show a commit before the primary does,
   * which would then contradict it: throws if it has.
   */
  const noteShown = async (standby: Standby, connection: Connection, epoch: string | undefined) => {
    const seen = changes.seen()
    if (seen === undefined) throw new Error(AHEAD)
    const { position, rows } = await standby.stateOf(connection, UNSEEN, seenValues(seen))
    if (positions.epoch() !== epoch) throw new Unusable('the primary has changed')
    positions.note(position, epoch)
    const xids = rows.flatMap(({ xid }) => (xid === null ? [] : String(xid)))
    if (!(await changes.catchUpWith(xids))) throw new Error(AHEAD)
  }

  /** Gives a connection to a standby that may answer; undefined where none may, or the one asked does not. */
  const acquire = async (use: 'request' | 'stream') => {
    const standby = positions.needed() === undefined ? undefined : next()
    if (standby === undefined) return undefined
    // One that is busy is no worse for it, and one that is gone is noticed by the looks.
    const acquired = await acquireSoon(standby.pool, use).catch(() => undefined)
    if (acquired === undefined) return undefined
    const { connection, release } = acquired
    // What was written while this waited counts too.
    const [need, epoch] = [positions.needed(), positions.epoch()]
    const isCurrent =
      need !== undefined &&
      (await standby.hasReplayed(connection, need).catch((cause) => standby.onFault(cause)))
    if (isCurrent)
      return { standby, connection, release, noteShown: () => noteShown(standby, connection, epoch) }
    release()
    return undefined
  }

  type Held = NonNullable<Awaited<ReturnType<typeof acquire>>>

  const onFailure = ({ standby }: Held, cause: unknown) => {
    if (isOfStandby(cause)) standby.onFault(cause)
  }

  const readOn = async <A>(work: (held: Held) => Promise<A>, primary: () => Promise<A>): Promise<A> => {
    const begun = performance.now()
    const held = await acquire('request')
    if (held === undefined) return primary()
    let failed = true
    try {
      const value = await work(held)
      failed = false
      return value
    } catch (cause) {
      // Also what the statement itself is to blame for, which the primary then says: a standby may have an older schema.
      onFailure(held, cause)
    } finally {
      held.release()
      onRead(performance.now() - begun, failed)
    }
    return primary()
  }

  const rollback = async ({ connection }: Held) => {
    if (!connection.isBroken()) await connection.ask('rollback').catch(() => {})
  }

  /** Begins a transaction on a standby for as long as a reader takes. */
  const beginStream = async (): Promise<Held | undefined> => {
    const held = await acquire('stream')
    if (held === undefined) return undefined
    try {
      await begin(held.connection, PATIENT)
      await held.noteShown()
      return held
    } catch (cause) {
      onFailure(held, cause)
      await rollback(held)
      held.release()
      return undefined
    }
  }

  return {
    read: (work, primary) =>
      readOn(async ({ connection, noteShown }) => {
        const value = await work(connection.db)
        await noteShown()
        return value
      }, primary),
    readSnapshot: (work, primary) =>
      readOn(async (held) => {
        await begin(held.connection, PATIENT)
        try {
          const value = await work(held.connection.db)
          await held.noteShown()
          return value
        } finally {
          await rollback(held)
        }
      }, primary),
    async *streamSnapshot(work, primary) {
      const held = await beginStream()
      if (held === undefined) {
        yield* primary()
        return
      }
      let hasGiven = false
      try {
        for await (const value of work(held.connection.db)) {
          hasGiven = true
          yield value
        }
        return
      } catch (cause) {
        onFailure(held, cause)
        // What was given cannot be taken back, and another state would not fit it.
        if (hasGiven) throw cause
      } finally {
        await rollback(held)
        held.release()
      }
      yield* primary()
    },
    unused: () => standbys.filter(({ fault }) => fault() !== undefined).length,
    trouble: () => {
      const faults = standbys.flatMap(({ name, fault }) =>
        fault() ? [`the standby ${name} is not used: ${fault()}`] : [],
      )
      return faults.length === 0 ? undefined : faults.join('; ')
    },
    seen: Promise.all(standbys.map(({ seen }) => seen)),
    close: async () => {
      await Promise.all(standbys.map(({ close }) => close()))
    },
  }
}
