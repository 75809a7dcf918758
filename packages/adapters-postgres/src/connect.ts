import { randomUUID } from 'node:crypto'
import {
  DatabaseUnavailable,
  type Db,
  type Execute,
  type SessionDialect,
  sessionDb,
} from '@almoner/adapters-kysely'
import {
  type DatabaseMetadataOptions,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type TableMetadata,
} from 'kysely'
import pg from 'pg'
import { DatabaseRefused } from './fault.ts'
import { LOCK, SILENCE, STATEMENT } from './limits.ts'
import { openSession, type Session } from './session.ts'
import { NAME, type SessionGuard, WHOSE } from './session-guard.ts'
import type { Target } from './target.ts'
import { TYPES } from './types.ts'

type AnyDb = ConstructorParameters<typeof PostgresIntrospector>[0]

/** Describes the tables of the schema in use alone: a host may have others of the same names. */
class SchemaIntrospector extends PostgresIntrospector {
  readonly #db: AnyDb

  constructor(db: AnyDb) {
    super(db)
    this.#db = db
  }

  override async getTables(options?: DatabaseMetadataOptions): Promise<Array<TableMetadata>> {
    const { rows } = await sql<{ readonly name: string }>`select current_schema() as name`.execute(this.#db)
    const tables = await super.getTables(options)
    return tables.filter(({ schema }) => schema === rows[0]?.name)
  }
}

const DIALECT: SessionDialect = {
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (db) => new SchemaIntrospector(db),
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
  /** Throws `DatabaseRefused` unless a row that selects `WHOSE` comes from the session that this connection began with. */
  verify(row: Readonly<Record<string, unknown>> | undefined): void
  /** Asks the server for that row, and verifies it. */
  checkName(): Promise<void>
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

/** One round trip: who the server is, what time it has, and our name and limits set. */
const greeting = (name: string): string => `select ${TIME},
  current_setting('transaction_read_only') as read_only,
  current_setting('server_encoding') as encoding,
  ${SERVER_LIFE} as life,
  set_config('${NAME}', '${name}', false),
  set_config('statement_timeout', '${STATEMENT}', false),
  set_config('lock_timeout', '${LOCK}', false),
  set_config('idle_in_transaction_session_timeout', '${SILENCE}', false)`

const timed = async (session: Pick<Session, 'ask'>, text: string) => {
  const asked = performance.now()
  const { rows } = await session.ask(text)
  const [row = {}] = rows
  return { row, signal: { time: Number(row['time']), asked, answered: performance.now() } }
}

/** Asks the server of a connection for its time. Throws `DatabaseRefused` if another session answers. */
export const timeOf = async (connection: Pick<Connection, 'ask' | 'verify'>): Promise<TimeSignal> => {
  const { row, signal } = await timed(connection, `select ${TIME}, ${WHOSE}`)
  connection.verify(row)
  return signal
}

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
  /**
   * Finds the schema of the tables, on the first session. It is the whole search path of every connection, so that neither settings of the role
   * nor schemas that others create decide which tables are seen.
   */
  readonly findSchema: (session: Session) => Promise<string>
  readonly guard: SessionGuard
  /** Receives the time of each connected server. */
  readonly onTime: (signal: TimeSignal) => void
}

/** Returns why a target is not used, and throws a refusal, which no other target mends. */
const reasonOf = ({ name }: Target, cause: unknown): string => {
  if (cause instanceof DatabaseRefused) throw cause
  return `${name}: ${cause instanceof Error ? cause.message : 'unknown'}`
}

/** Makes a connector. */
export const makeConnector = ({ targets, findSchema, guard, onTime }: ConnectorOptions): Connector => {
  let first = 0
  let schema: string | undefined

  /** Gives which life of the server answers. */
  const greet = async (session: Session, name: string): Promise<string> => {
    const { row, signal } = await timed(session, greeting(name))
    checkServer(row)
    schema ??= await findSchema(session)
    await session.ask(`set search_path to ${pg.escapeIdentifier(schema)}`)
    onTime(signal)
    return String(row['life'])
  }

  const reach = async ({ config }: Target): Promise<Connection> => {
    const session = await openSession({
      ...(await config()),
      types: TYPES,
      application_name: 'almoner',
    })
    const name = randomUUID()
    const verify: Connection['verify'] = (row) => {
      if (row?.['session'] === name) return
      session.end()
      throw guard.refuse()
    }
    const checkName = async () => verify((await session.ask(`select ${WHOSE}`)).rows[0])
    try {
      return { ...session, db: kyselyOn(session), life: await greet(session, name), verify, checkName }
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
          reasons.push(reasonOf(target, cause))
        }
      }
      throw new DatabaseUnavailable(`no database can be reached (${reasons.join('; ')})`)
    },
  }
}
