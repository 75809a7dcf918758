import { createHash } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import { Socket } from 'node:net'
import { DatabaseUnavailable } from '@almoner/adapters-kysely'
import pg from 'pg'
import { ConnectionLost, faultOf, faultOfConnecting, isFinal } from './fault.ts'
import { ANSWER, CONNECT, LOCK, SILENCE, STATEMENT } from './limits.ts'
import type { Encryption } from './url.ts'

/** Statements kept prepared per connection: the program has some dozens of texts. Any more are parsed each time. */
const CACHED_STATEMENTS = 200

/** Milliseconds before the network is asked whether the server is still there. */
const KEEP_ALIVE = 10_000

/** Milliseconds for saying goodbye. */
const GOODBYE = 1000

/** Returns the name of a prepared statement. It follows from the text, so that no session that a pooler mixes up runs another text by this name. */
const preparedName = (text: string): string =>
  `almoner_${createHash('sha256').update(text).digest('hex').slice(0, 40)}`

/** How to open a session: what the driver takes, and more. */
export interface SessionConfig extends pg.ClientConfig {
  /** Milliseconds for reaching the server. */
  readonly connectTimeout?: number | undefined
  /** How the password is bound to the server's certificate. */
  readonly binding?: Encryption['binding']
  /** Whether statements have names, by which the server keeps them prepared. Default: they have. */
  readonly prepared?: boolean | undefined
}

/** What a statement gave. */
type QueryResult = pg.QueryResult<Record<string, unknown>>

/** One connection to a server. Statements are run one after the other. */
export interface Session {
  /** Runs a statement; of several at once, which take no values, gives what the last one gave. Throws `DatabaseUnavailable`, or a `PostgresFault` that is a bug. */
  ask(text: string, values?: ReadonlyArray<unknown>): Promise<QueryResult>
  /** Sets the time limit of each response in milliseconds. Default: that of statements. */
  setTimeout(milliseconds?: number): void
  /** Whether it is of no more use. */
  isBroken(): boolean
  /** Calls back on each notification, and once when the session breaks. */
  listen(on: {
    readonly news: (payload: string | undefined, channel: string) => void
    readonly broken: () => void
  }): void
  /** Closes it, politely unless it is broken. */
  end(): void
}

/** Waits at most this number of milliseconds for a response. Throws {@link DatabaseUnavailable} after that. */
export const within = async <A>(milliseconds: number, owed: Promise<A>): Promise<A> => {
  if (milliseconds === Infinity) return owed
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new DatabaseUnavailable('the database does not answer')),
    milliseconds,
  )
  try {
    return await Promise.race([owed, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Joins statements to be sent at once; empty ones are left out. */
export const joined = (...statements: ReadonlyArray<string>): string =>
  statements.filter((statement) => statement !== '').join('; ')

/** Of several statements the driver gives a list. */
const lastOf = (answer: QueryResult | ReadonlyArray<QueryResult>): QueryResult =>
  Array.isArray(answer) ? (answer.at(-1) as QueryResult) : (answer as QueryResult)

const UNBOUND_TEXT =
  'the server does not bind the password to its certificate, as channel_binding=require demands'

/** What a server may ask for instead of a password that is bound to its certificate, or nothing. */
const UNBOUND = ['authenticationCleartextPassword', 'authenticationMD5Password', 'authenticationOk'] as const

/**
 * Calls back before anything is sent to a server that does not bind the password to its certificate: a listener on the way could pass that on and
 * sign in.
 */
const onUnbound = (client: pg.Client, refuse: () => void): void => {
  let isBound = false
  const { connection } = client as unknown as { readonly connection: EventEmitter }
  connection.on('authenticationSASL', ({ mechanisms }: { readonly mechanisms: ReadonlyArray<string> }) => {
    isBound = mechanisms.includes('SCRAM-SHA-256-PLUS')
    if (!isBound) refuse()
  })
  for (const event of UNBOUND) connection.on(event, () => isBound || refuse())
}

/** Connects to a server. Throws {@link DatabaseUnavailable}, or what the server says against it. */
export const openSession = async ({
  connectTimeout = CONNECT,
  binding = 'none',
  prepared = true,
  ...config
}: SessionConfig): Promise<Session> => {
  const socket = config.stream?.() ?? new Socket()
  const client = new pg.Client({
    ...config,
    enableChannelBinding: binding !== 'none',
    stream: () => socket,
    // A stream that the host makes, such as that of a cloud connector, need not be a socket.
    keepAlive: config.stream === undefined,
    keepAliveInitialDelayMillis: KEEP_ALIVE,
  })
  const names = new Map<string, string>()
  const closed = Promise.withResolvers<void>()
  let broken = false
  let limit = ANSWER

  const breakOff = () => {
    broken = true
    socket.destroy()
    closed.resolve()
  }
  client.on('error', breakOff)
  client.on('end', breakOff)

  const nameOf = (text: string): string | undefined => {
    if (prepared && !names.has(text) && names.size < CACHED_STATEMENTS) names.set(text, preparedName(text))
    return names.get(text)
  }

  const attempt = async <A>(milliseconds: number, run: () => Promise<A>): Promise<A> => {
    if (broken) throw new ConnectionLost('the connection to the database is closed')
    try {
      return await within(milliseconds, run())
    } catch (cause) {
      const fault = faultOf(cause)
      if (isFinal(fault)) breakOff()
      throw fault
    }
  }

  let isUnbound = false
  if (binding === 'required')
    onUnbound(client, () => {
      isUnbound = true
      breakOff()
    })
  try {
    await attempt(connectTimeout, () =>
      client.connect().catch((cause) => {
        throw faultOfConnecting(cause)
      }),
    )
  } catch (cause) {
    if (!isUnbound) throw cause
  }
  if (isUnbound) throw new DatabaseUnavailable(UNBOUND_TEXT)

  return {
    ask: (text, values) =>
      attempt(limit, async (): Promise<QueryResult> => {
        // Without values it may be several statements at once, which are never prepared.
        if (values === undefined) return lastOf(await client.query(text))
        const name = nameOf(text)
        return client.query({ text, values: [...values], ...(name === undefined ? {} : { name }) })
      }),
    setTimeout: (milliseconds = ANSWER) => {
      limit = milliseconds
    },
    isBroken: () => broken,
    listen: ({ news, broken }) => {
      client.on('notification', ({ payload, channel }) => news(payload, channel))
      void closed.promise.then(broken)
    },
    end: () => {
      if (broken) return
      broken = true
      const timer = setTimeout(() => socket.destroy(), GOODBYE)
      client.end(() => clearTimeout(timer))
    },
  }
}

/**
 * The settings of every connection on which the meaning of a statement, its answer or its time limit depends. What role, database and server
 * have set for them does not count (I10); host protection, encryption and the planner are theirs.
 */
const SETTINGS: Readonly<Record<string, string | number>> = {
  statement_timeout: STATEMENT,
  lock_timeout: LOCK,
  idle_in_transaction_session_timeout: SILENCE,
  // Streams last as long as their readers, migrations as long as they need. PostgreSQL 17 has it first.
  transaction_timeout: 0,
  // The connection that listens is idle for as long as nothing changes.
  idle_session_timeout: 0,
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  array_nulls: 'on',
  // A search would return some of the items that it finds.
  gin_fuzzy_search_limit: 0,
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  extra_float_digits: 1,
  bytea_output: 'hex',
}

/** The names of all settings that {@link settingUp} makes. */
export const SET_NAMES: ReadonlyArray<string> = [...Object.keys(SETTINGS), 'synchronous_commit']

const literal = (value: string | number): string => `'${value}'`

const WANTED = Object.entries(SETTINGS).map(([name, value]) => `(${literal(name)}, ${literal(value)})`)

/** A commit that is answered is durable; how many standbys it waits for stays the operator's choice. */
const DURABLE = `('synchronous_commit', case current_setting('synchronous_commit') when 'off' then 'on' else current_setting('synchronous_commit') end)`

/**
 * Selects the number of settings made, which are all that the server knows.
 * @param lasting whether they are made for the session or for the transaction
 */
export const settingUp = (lasting: 'session' | 'transaction'): string =>
  `(select count(set_config(name, value, ${lasting === 'transaction'}))
  from (values ${[...WANTED, DURABLE].join(', ')}) as wanted (name, value)
  where current_setting(name, true) is not null) as settings`
