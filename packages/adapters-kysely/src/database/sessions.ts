import { CONTENT_TYPES, DATA_AREAS, type DataArea, type DataPart } from '@almoner/domain/history'
import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
} from 'kysely'
import type { Tables } from '../schema/schema.ts'
import { DatabaseUnavailable, type Db } from './database.ts'

/** The parts of Kysely's dialect that depend on the database. */
export type SessionDialect = Omit<Dialect, 'createDriver'>

const noTransactions = async (): Promise<never> => {
  throw new Error('transactions are begun by the engine')
}

const driverOf = (connection: DatabaseConnection): Driver => ({
  init: async () => {},
  acquireConnection: async () => connection,
  releaseConnection: async () => {},
  beginTransaction: noTransactions,
  commitTransaction: noTransactions,
  rollbackTransaction: noTransactions,
  destroy: async () => {},
})

/**
 * Kysely asks for a connection and gives it back around each statement, and shows each result to plugins. Where there is one connection, and
 * there are no plugins, that takes longer than a small statement of SQLite's.
 */
class SessionExecutor extends DefaultQueryExecutor {
  readonly #connection: DatabaseConnection

  constructor(dialect: Dialect, connection: DatabaseConnection) {
    super(dialect.createQueryCompiler(), dialect.createAdapter(), {
      provideConnection: (consumer) => consumer(connection),
    })
    this.#connection = connection
  }

  override executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#connection.executeQuery<R>(query)
  }
}

/** Runs a compiled statement on a connection. */
export type Execute = <R>(query: Pick<CompiledQuery, 'sql' | 'parameters'>) => Promise<QueryResult<R>>

/** Returns a handle on one connection, which the engine opens and closes, and on which it alone begins and ends transactions. */
export const sessionDb = (own: SessionDialect, execute: Execute): Db => {
  const connection: DatabaseConnection = {
    executeQuery: execute,
    // biome-ignore lint/correctness/useYield: the interface asks for it, and nothing here streams.
    streamQuery: async function* () {
      throw new Error('collections are read in batches')
    },
  }
  const driver = driverOf(connection)
  const dialect: Dialect = { ...own, createDriver: () => driver }
  const executor = new SessionExecutor(dialect, connection)
  return new Kysely<Tables>({ config: { dialect }, driver, executor, dialect })
}

/** The limits of a semaphore. */
export interface SemaphoreOptions {
  readonly permits: number
  /** How many may wait for a permit. */
  readonly queueLimit: number
  /** For how many milliseconds each of them waits. */
  readonly timeout: number
}

/** Limits how many use something at a time. The others wait in the order they came. */
export interface Semaphore {
  /** Returns the function that releases a permit. Throws {@link DatabaseUnavailable} when none is to be had in time. */
  acquire(): Promise<() => void>
  /** Rejects new requests; resolves when all permits have been released. */
  drain(): Promise<void>
}

/** Makes a semaphore with all its permits. */
export const makeSemaphore = ({ permits, queueLimit, timeout }: SemaphoreOptions): Semaphore => {
  // A Set remembers the order in which its members came.
  const waiting = new Set<() => void>()
  const idle = Promise.withResolvers<void>()
  let [used, isDraining] = [0, false]

  const release = () => {
    used -= 1
    const [next] = waiting
    if (next !== undefined) next()
    else if (isDraining && used === 0) idle.resolve()
  }
  const permit = () => {
    used += 1
    let isHeld = true
    return () => {
      if (isHeld) release()
      isHeld = false
    }
  }
  const wait = (): Promise<() => void> => {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    const timer = setTimeout(() => {
      waiting.delete(proceed)
      reject(new DatabaseUnavailable('the database has been busy for too long'))
    }, timeout)
    const proceed = () => {
      clearTimeout(timer)
      waiting.delete(proceed)
      resolve(permit())
    }
    waiting.add(proceed)
    return promise
  }

  return {
    async acquire() {
      if (isDraining) throw new DatabaseUnavailable('the database is closed')
      if (used < permits) return permit()
      if (waiting.size >= queueLimit) throw new DatabaseUnavailable('too many wait for the database')
      return wait()
    },
    drain() {
      isDraining = true
      if (used === 0) idle.resolve()
      return idle.promise
    },
  }
}

/** Items whose last changes are known: those of some minutes with many writes. */
const ITEMS = 10_000

const AREAS: ReadonlySet<string> = new Set(DATA_AREAS)
const TYPES: ReadonlySet<string> = new Set(CONTENT_TYPES)

/** Counts changes by what they change (I8). */
export interface Versions {
  /** As the database's `version`. */
  of(parts?: ReadonlyArray<DataPart>): number
  /** Counts a change of these parts; undefined is of anything. */
  count(parts?: ReadonlyArray<DataPart>): void
}

/**
 * Makes versions of the data. Each change gets a number that is greater than all before it, and a version is the greatest among those of what it
 * was asked for: it changes with each of them.
 * @param most items whose numbers are kept
 */
export const makeVersions = (most = ITEMS): Versions => {
  let latest = 0
  let anything = 0
  const areas = new Map<DataArea, number>()
  /** The last change of all items of an area together. */
  const whole = new Map<DataArea, number>()
  const items = new Map<DataPart, number>()

  const areaOf = (part: DataPart): DataArea => {
    const slash = part.indexOf('/')
    return (slash < 0 ? part : part.slice(0, slash)) as DataArea
  }
  const versionOf = (part: DataPart): number => {
    const area = areaOf(part)
    if (area === part) return areas.get(area) ?? 0
    return Math.max(whole.get(area) ?? 0, items.get(part) ?? 0)
  }
  /** Forgets the older half of the items. All that have no number then count as changed with the latest of them. */
  const forget = (): void => {
    for (const [part, version] of items) {
      if (items.size <= most / 2) break
      whole.set(areaOf(part), Math.max(version, whole.get(areaOf(part)) ?? 0))
      items.delete(part)
    }
  }

  return {
    of: (parts) => {
      if (parts === undefined) return latest
      let version = anything
      for (const part of parts) version = Math.max(version, versionOf(part))
      return version
    },
    count: (parts) => {
      latest += 1
      if (parts === undefined) anything = latest
      for (const part of parts ?? []) {
        const area = areaOf(part)
        areas.set(area, latest)
        if (area === part) whole.set(area, latest)
        else {
          // The order of the map is that of the numbers.
          items.delete(part)
          items.set(part, latest)
        }
      }
      if (items.size > most) forget()
    },
  }
}

const ITEM = /^([a-z]+)\/[0-9a-f-]{36}$/

/** Reads the parts that a signal names; undefined, which is anything, for other texts: a later release may have further areas. */
export const readParts = (text = ''): ReadonlyArray<DataPart> | undefined => {
  const parts = text.split(',')
  const isPart = (part: string) => AREAS.has(part) || TYPES.has(ITEM.exec(part)?.[1] ?? '')
  return parts.every(isPart) ? (parts as ReadonlyArray<DataPart>) : undefined
}

/** The most characters of a signal. PostgreSQL takes less than 8,000 bytes. */
const LONGEST = 7000

/** Writes parts as the text of a signal: the whole areas if the items are too many, `""` for anything. */
export const writeParts = (parts: ReadonlyArray<DataPart> | undefined): string => {
  const text = (parts ?? []).join(',')
  const shorter =
    text.length <= LONGEST ? text : [...new Set(parts?.map((part) => part.replace(/\/.*/, '')))].join(',')
  return readParts(shorter) === undefined ? '' : shorter
}
