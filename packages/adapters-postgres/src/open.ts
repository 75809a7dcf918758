import type { Database } from '@almoner/adapters-kysely'
import { type Clock, type Unavailable, unavailable } from '@almoner/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { makeConnector, timeOf } from './connect.ts'
import { isOutage } from './fault.ts'
import { COUNTING } from './limits.ts'
import { makeChanges } from './listen-notify.ts'
import { makePool } from './pool.ts'
import { makeServerClock } from './server-clock.ts'
import { snapshotOn, wholeOn } from './snapshots.ts'
import { POSTGRES } from './sql-dialect.ts'
import { readOn, writeOn } from './transactions.ts'
import type { PostgresPlace } from './url.ts'
import { makeVersions } from './version.ts'

/** Connections for reading and writing, how many may wait for one, and for how many milliseconds. */
const SHORT = { slots: 8, waiters: 1000, patience: 3000 }

/**
 * Limits of simultaneous streamed collections, which last as long as their clients read, and of internal reads, which have separate
 * connections. So stalled clients block only each other.
 */
const LONG = { slots: 8, waiters: 64, patience: 10_000 }
const OURS = { slots: 2, waiters: 64, patience: 10_000 }
/** What counts whole tables: one at a time, and the next one waits for a whole count. */
const COUNTS = { slots: 1, waiters: 8, patience: COUNTING }

/** Milliseconds from one look at the server's clock to the next. */
const LOOK = 5000

/** A database that other processes, on other machines, work on too. */
export interface PostgresDatabase extends Database {
  /** The database's clock, to within half the time that a question and its answer take. */
  readonly clock: Clock
  /** Lets writes finish, ends all reading and closes all connections. Everything is Unavailable from then on. */
  close(): Promise<void>
}

/** Where a database is. */
export interface PostgresOptions {
  readonly place: PostgresPlace
}

const open = async (place: PostgresPlace): Promise<PostgresDatabase> => {
  const clock = makeServerClock()
  const { connect } = makeConnector(place, clock.take)
  const short = makePool(connect, SHORT)
  const long = makePool(connect, LONG)
  const ours = makePool(connect, OURS)
  const counts = makePool(connect, COUNTS)
  const changes = makeChanges({ connect, onTime: clock.take })

  const look = async () => {
    const { connection, giveBack } = await short.borrow()
    try {
      clock.take(await timeOf(connection))
    } finally {
      giveBack()
    }
  }
  await look()
  // Where no server answers, the clock runs on by itself.
  const looking = setInterval(() => void look().catch(() => {}), LOOK).unref()

  const close = async () => {
    clearInterval(looking)
    changes.close()
    const readers = [long, ours, counts]
    const read = readers.map((pool) => pool.close())
    for (const pool of readers) pool.breakOff()
    await Promise.all([short.close(), ...read])
  }
  let closed: Promise<void> | undefined

  return {
    dialect: POSTGRES,
    clock,
    isOutage,
    read: readOn(short),
    write: writeOn(short, connect, changes.tell),
    snapshot: snapshotOn(long),
    whole: wholeOn({ hurried: ours, patient: counts }),
    ...makeVersions(changes),
    close: () => (closed ??= close()),
  }
}

/** Opens a PostgreSQL database. Its schema is the migrator's business. Unavailable when no server that takes writes can be reached. */
export const openPostgres = ({ place }: PostgresOptions): TE.TaskEither<Unavailable, PostgresDatabase> =>
  TE.tryCatch(() => open(place), unavailable)
