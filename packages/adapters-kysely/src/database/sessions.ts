import { CONTENT_TYPES, DATA_AREAS, type DataArea, type DataPart } from '@almoner/domain/history'
import { isUnavailable } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
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
import type { Database, Db } from './database.ts'

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

type Operation = 'read' | 'write' | 'snapshot' | 'standby'

/** Takes the duration of an operation in milliseconds, and whether an outage ended it. */
type AddOperation = (operation: Operation, milliseconds: number, failed: boolean) => void

const isOutage = (failure: unknown): boolean =>
  typeof failure === 'object' &&
  failure !== null &&
  '_tag' in failure &&
  isUnavailable(failure as { readonly _tag: string })

const timed =
  <L, A>(operation: Operation, work: TE.TaskEither<L, A>, told: AddOperation): TE.TaskEither<L, A> =>
  async () => {
    const begun = performance.now()
    let failed = true
    try {
      const result = await work()
      failed = E.isLeft(result) && isOutage(result.left)
      return result
    } finally {
      told(operation, performance.now() - begun, failed)
    }
  }

/** A walk is in the database's hands while its next value is awaited, not while a reader takes its time with one. */
const timedWalk = async function* <A>(values: AsyncIterable<A>, told: AddOperation) {
  let spent = 0
  let begun = performance.now()
  let isWaiting = true
  let failed = true
  try {
    for await (const value of values) {
      spent += performance.now() - begun
      isWaiting = false
      yield value
      isWaiting = true
      begun = performance.now()
    }
    failed = false
  } finally {
    // An early end by the reader is not a failure.
    told('snapshot', isWaiting ? spent + performance.now() - begun : spent, failed && isWaiting)
  }
}

/** Makes a database that reports how long each operation took. A decision that changes nothing is no failure. */
export const timedDatabase = (database: Database, told: AddOperation): Database => ({
  ...database,
  ...(database.shown && { shown: timedDatabase(database.shown, told) }),
  read: (work, options) => timed('read', database.read(work, options), told),
  write: (work, options) => timed('write', database.write(work, options), told),
  streamSnapshot: (work, options) => timedWalk(database.streamSnapshot(work, options), told),
  readSnapshot: (work, options) => timed('snapshot', database.readSnapshot(work, options), told),
})

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
