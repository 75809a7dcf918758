import {
  DatabaseUnavailable,
  type Db,
  type Execute,
  type SessionDialect,
  sessionDb,
} from '@almoner/adapters-kysely'
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import pg from 'pg'
import { LOCK, SILENCE, STATEMENT } from './limits.ts'
import { openSession, type Session } from './session.ts'
import type { Target } from './target.ts'
import { TYPES } from './types.ts'

const DIALECT: SessionDialect = {
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (db) => new PostgresIntrospector(db),
}

/** Kysely on one session, which the caller opens and closes. */
export const kyselyOn = (session: Session): Db =>
  sessionDb(DIALECT, async <R>({ sql, parameters }: Parameters<Execute>[0]) => {
    const { rows, rowCount } = await session.ask(sql, parameters)
    return { rows: rows as Array<R>, ...(rowCount === null ? {} : { numAffectedRows: BigInt(rowCount) }) }
  })

/** A session with a server that takes writes, and Kysely on it. */
export interface Connection extends Session {
  readonly db: Db
  /** Which life of the server it belongs to, as {@link SERVER_LIFE}. */
  readonly life: string
}

/**
 * The time at which the server's statistics were reset. A crashed server may reuse the number of a lost transaction, and a crash resets the
 * statistics.
 */
export const SERVER_LIFE = `coalesce((select stats_reset::text from pg_stat_bgwriter), '')`

/** What a server says of its time: epoch milliseconds, between two moments of `performance.now()`. */
export interface TimeSignal {
  readonly time: number
  readonly asked: number
  readonly answered: number
}

const TIME = '(extract(epoch from clock_timestamp()) * 1000)::float8 as time'

/** One round trip: who the server is, what time it has, and our limits set. */
const GREETING = `select ${TIME},
  current_setting('transaction_read_only') as read_only,
  current_setting('server_encoding') as encoding,
  ${SERVER_LIFE} as life,
  set_config('statement_timeout', '${STATEMENT}', false),
  set_config('lock_timeout', '${LOCK}', false),
  set_config('idle_in_transaction_session_timeout', '${SILENCE}', false)`

const timed = async (session: Session, text: string) => {
  const asked = performance.now()
  const { rows } = await session.ask(text)
  const [row = {}] = rows
  return { row, signal: { time: Number(row['time']), asked, answered: performance.now() } }
}

/** Asks the server of a session for its time. */
export const timeOf = async (session: Session): Promise<TimeSignal> =>
  (await timed(session, `select ${TIME}`)).signal

/** Throws {@link DatabaseUnavailable} unless the server takes writes and keeps every text. */
const checkServer = ({ read_only, encoding }: Readonly<Record<string, unknown>>): void => {
  if (read_only !== 'off')
    throw new DatabaseUnavailable('the database takes no writes: it is a standby, or read-only')
  if (encoding !== 'UTF8') throw new DatabaseUnavailable('the database does not have the encoding UTF8')
}

/** Opens connections to a place. */
export interface Connector {
  /** Gives a connection to the first server that takes writes, beginning with the one that did last. Throws {@link DatabaseUnavailable}. */
  connect(): Promise<Connection>
}

/** How to connect. */
export interface ConnectorOptions {
  /** The servers, of which one takes writes. */
  readonly targets: ReadonlyArray<Target>
  /** The schema of the tables; that of the role's search path if undefined. */
  readonly schema?: string | undefined
  /** Receives the time of each connected server. */
  readonly onTime: (signal: TimeSignal) => void
}

/** Makes a connector. */
export const makeConnector = ({ targets, schema, onTime }: ConnectorOptions): Connector => {
  let first = 0

  /** Gives which life of the server answers. */
  const greet = async (session: Session): Promise<string> => {
    const { row, signal } = await timed(session, GREETING)
    if (schema !== undefined) await session.ask(`set search_path to ${pg.escapeIdentifier(schema)}`)
    checkServer(row)
    onTime(signal)
    return String(row['life'])
  }

  const reach = async ({ config }: Target): Promise<Connection> => {
    const session = await openSession({
      ...(await config()),
      types: TYPES,
      application_name: 'almoner',
    })
    try {
      return { ...session, db: kyselyOn(session), life: await greet(session) }
    } catch (cause) {
      session.end()
      throw cause
    }
  }

  return {
    async connect() {
      const reasons: Array<string> = []
      for (const [n] of targets.entries()) {
        const at = (first + n) % targets.length
        const target = targets[at] as Target
        try {
          const connection = await reach(target)
          first = at
          return connection
        } catch (cause) {
          reasons.push(`${target.name}: ${cause instanceof Error ? cause.message : 'unknown'}`)
        }
      }
      throw new DatabaseUnavailable(`no database can be reached (${reasons.join('; ')})`)
    },
  }
}
