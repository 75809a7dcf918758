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
import { ConnectionLost, DatabaseFull, DatabaseRefused, isConnectionLost, isFull } from './fault.ts'
import { isReadOnly, MODE, NAME, type SessionGuard, WHOSE } from './guard.ts'
import { openSession, type Session, settingUp } from './session.ts'
import type { Target } from './target.ts'

const { INT8, NUMERIC } = pg.types.builtins

/** Whole numbers as JavaScript's own; one that those cannot hold exactly is a bug. */
const wholeNumber = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('a column holds a number beyond 2^53')
  return value
}

const PARSERS = new Map<number, (text: string) => unknown>([
  [INT8, wholeNumber],
  // What sums of whole numbers are.
  [NUMERIC, wholeNumber],
])

/** How values of the server's types become JavaScript's. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => PARSERS.get(oid) ?? pg.types.getTypeParser(oid, format),
}

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
const kyselyOn = (session: Session): Db =>
  sessionDb(DIALECT, async <R>({ sql, parameters }: Parameters<Execute>[0]) => {
    const { rows, rowCount } = await session.ask(sql, parameters)
    return { rows: rows as Array<R>, ...(rowCount === null ? {} : { numAffectedRows: BigInt(rowCount) }) }
  })

/** A session with a server, and Kysely on it. */
export interface Connection extends Session {
  readonly db: Db
  /** Whether the server took no writes when the session began (I10). */
  readonly isReadOnly: boolean
  /** Which life of the server it belongs to, as {@link SERVER_LIFE}. */
  readonly life: string
  /** The schema of the tables, its whole search path. */
  readonly schema: string
  /** Behind a pooler of transactions, a statement that makes the settings of one; empty where the session has them. */
  readonly settings: string
  /** Throws `DatabaseRefused` unless a row that selects `WHOSE` comes from the session that this connection began with. */
  verify(row: Readonly<Record<string, unknown>> | undefined): void
  /** Asks the server for that row, and verifies it. */
  checkName(): Promise<void>
}

/**
 * The time at which the server's statistics were reset. A crashed server may reuse the number of a lost transaction, and a crash resets the
 * statistics.
 */
export const SERVER_LIFE = `coalesce((select extract(epoch from stats_reset)::text from pg_stat_bgwriter), '')`

/** What a server says of its time: epoch milliseconds, between two moments of `performance.now()`. */
export interface TimeSignal {
  readonly time: number
  readonly asked: number
  readonly answered: number
}

/** Microseconds, which no setting of the role rounds. */
const TIME = '(extract(epoch from clock_timestamp()) * 1000000)::bigint as time'

/** One round trip: who the server is, and what time it has. */
const GREETING = `select ${TIME}, ${MODE},
  pg_is_in_recovery() as is_standby,
  current_setting('server_encoding') as encoding,
  ${SERVER_LIFE} as life`

/** The same, with our name and settings made for the session. */
const greeting = (name: string): string => `${GREETING},
  set_config('${NAME}', '${name}', false),
  ${settingUp('session')}`

const settingsOf = (schema: string): string =>
  `select set_config('search_path', ${pg.escapeLiteral(pg.escapeIdentifier(schema))}, true), ${settingUp('transaction')}`

const timed = async (session: Pick<Session, 'ask'>, text: string) => {
  const asked = performance.now()
  const { rows } = await session.ask(text)
  const [row = {}] = rows
  const signal: TimeSignal = { time: Number(row['time']) / 1000, asked, answered: performance.now() }
  return { row, signal }
}

/** Asks the server of a connection for its time, and with {@link MODE} whether it takes writes. Throws `DatabaseRefused` if another session answers. */
export const stateOf = async (connection: Pick<Connection, 'ask' | 'verify'>) => {
  const state = await timed(connection, `select ${TIME}, ${MODE}, ${WHOSE}`)
  connection.verify(state.row)
  return state
}

/**
 * Throws {@link DatabaseUnavailable} for a standby, which may lack what was committed, for any other server where a standby is meant (I8), and
 * unless the server keeps every text.
 */
const checkServer = (
  { is_standby, encoding }: Readonly<Record<string, unknown>>,
  meansStandby: boolean,
): void => {
  if (is_standby === true && !meansStandby)
    throw new DatabaseUnavailable('the database takes no writes: it is a standby')
  if (is_standby !== true && meansStandby)
    throw new DatabaseUnavailable('it takes writes, so it is no standby')
  if (encoding !== 'UTF8') throw new DatabaseUnavailable('the database does not have the encoding UTF8')
}

/** Opens connections to a place. */
interface Connector {
  /**
   * Gives a connection to the first server that takes writes, beginning with the one that did last; else to the first that is no standby, from
   * which reads are served (I10). Throws {@link DatabaseUnavailable}.
   */
  connect(): Promise<Connection>
}

/** How to connect. */
interface ConnectorOptions {
  /** The servers, of which one takes writes. */
  readonly targets: ReadonlyArray<Target>
  /**
   * Finds the schema of the tables, on the first session. It is the whole search path of every connection, so that neither settings of the role
   * nor schemas that others create decide which tables are seen.
   */
  readonly findSchema: (session: Session) => Promise<string>
  readonly guard: Pick<SessionGuard, 'refuse'>
  /** Receives the time of each connected server. */
  readonly onTime: (signal: TimeSignal) => void
  /** Whether a pooler may give each transaction another session. */
  readonly isPooled: boolean
  /** Whether the server is a standby, and is not to be anything else. */
  readonly isStandby?: boolean
}

/** Why a server cannot be used. */
interface Fault {
  readonly target: Target
  readonly cause: unknown
}

/** Makes the error for servers of which none can be used. */
const unreached = (faults: ReadonlyArray<Fault>): DatabaseUnavailable => {
  const reasons = faults.map(
    ({ target, cause }) => `${target.name}: ${cause instanceof Error ? cause.message : 'unknown'}`,
  )
  const text = `no database can be reached (${reasons.join('; ')})`
  const isAny = (is: (cause: unknown) => boolean) => faults.some(({ cause }) => is(cause))
  if (isAny(isFull)) return new DatabaseFull(text)
  // A server that ends a connection before that is there, as when all are cut, may give another one.
  return isAny(isConnectionLost) ? new ConnectionLost(text) : new DatabaseUnavailable(text)
}

/** Makes a connector. */
export const makeConnector = ({
  targets,
  findSchema,
  guard,
  onTime,
  isPooled,
  isStandby = false,
}: ConnectorOptions): Connector => {
  let first = 0
  let schema: string | undefined

  /** Gives which life of the server answers, and whether it takes no writes. */
  const greet = async (session: Session, name: string) => {
    const { row, signal } = await timed(session, isPooled ? GREETING : greeting(name))
    checkServer(row, isStandby)
    schema ??= await findSchema(session)
    if (!isPooled) await session.ask(`set search_path to ${pg.escapeIdentifier(schema)}`)
    onTime(signal)
    const settings = isPooled ? settingsOf(schema) : ''
    return { life: String(row['life']), isReadOnly: isReadOnly(row), schema, settings }
  }

  const reach = async ({ config, borrow }: Target): Promise<Connection> => {
    const session =
      borrow === undefined
        ? await openSession({
            prepared: !isPooled,
            ...(await config()),
            types: TYPES,
            application_name: 'almoner',
          })
        : await borrow(TYPES)
    const name = randomUUID()
    const verify: Connection['verify'] = (row) => {
      if (isPooled || row?.['session'] === name) return
      session.end()
      throw guard.refuse()
    }
    const checkName = async () => verify((await session.ask(`select ${WHOSE}`)).rows[0])
    try {
      return { ...session, db: kyselyOn(session), ...(await greet(session, name)), verify, checkName }
    } catch (cause) {
      session.end()
      throw cause
    }
  }

  /** Reaches a server; undefined, with a fault more, if it cannot be used. Throws a refusal, which no other server mends. */
  const attempt = async (target: Target, faults: Array<Fault>): Promise<Connection | undefined> => {
    try {
      return await reach(target)
    } catch (cause) {
      if (cause instanceof DatabaseRefused) throw cause
      faults.push({ target, cause })
      return undefined
    }
  }

  /** Reaches a server that takes writes; connections to servers that only read go to a list. */
  const reachWriting = async (
    reading: Array<Connection>,
    faults: Array<Fault>,
  ): Promise<Connection | undefined> => {
    for (const n of targets.keys()) {
      const at = (first + n) % targets.length
      const connection = await attempt(targets[at] as Target, faults)
      if (connection === undefined) continue
      if (!connection.isReadOnly) {
        first = at
        return connection
      }
      reading.push(connection)
    }
    return undefined
  }

  return {
    async connect() {
      const faults: Array<Fault> = []
      const reading: Array<Connection> = []
      try {
        const connection = (await reachWriting(reading, faults)) ?? reading.shift()
        if (connection !== undefined) return connection
      } finally {
        for (const connection of reading) connection.end()
      }
      throw unreached(faults)
    },
  }
}
