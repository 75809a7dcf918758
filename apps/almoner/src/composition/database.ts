import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  type AddOperation,
  type CacheOptions,
  type Extension,
  itemCache,
  responseCache,
} from '@almoner/adapters-http'
import {
  type Database,
  MIGRATIONS,
  type Migrator,
  makeMigrator,
  makeStore,
  makeTransferStore,
  type SchemaFault,
  type SchemaOutdated,
  type Store,
  schemaFaultText,
  type TransferStore,
  timedDatabase,
  withOffsetIndexes,
} from '@almoner/adapters-kysely'
import { systemClock } from '@almoner/adapters-node'
import type { HostKysely, PostgresDatabase, PostgresPool } from '@almoner/adapters-postgres'
import type { LogHolder, LogLimit } from '@almoner/adapters-sqlite'
import type { Unavailable } from '@almoner/domain'
import { type Clock, isUnavailable } from '@almoner/domain/ports'
import * as O from 'fp-ts/lib/Option.js'
import type { Settings } from '../config/definitions.ts'
import type { DatabaseLocation } from '../config/media.ts'
import { type CommandFailed, databaseNotAvailable, failed, fromDatabase, orFail } from '../failure.ts'

const MEBIBYTE = 1024 * 1024

/** Adds accelerators to a store, which change its speed but not its results. Each line can be left out. */
const accelerated = (
  { accelerators }: Pick<Settings, 'accelerators'>,
  store: Store,
  database: Database,
  othersWrites: (() => unknown) | undefined,
): Store => {
  // A server notifies of writes up to two seconds late, and its work on an offset does not block this process.
  if (!accelerators || othersWrites === undefined) return store
  return withOffsetIndexes(store, { ...database, othersWrites })
}

/** Returns the caches of the HTTP server, which change no response. Each line can be left out. */
export const httpAccelerators = (
  { accelerators, cache }: Pick<Settings, 'accelerators' | 'cache'>,
  { version }: Pick<CacheOptions, 'version'>,
): ReadonlyArray<Extension> =>
  accelerators ? [itemCache(), responseCache({ bytes: cache * MEBIBYTE, version })] : []

/** Returns what lets standbys answer requests that only read; nothing where there are none. */
export const readingRequests = ({
  whileReading,
}: Pick<OpenDatabase, 'whileReading'>): ReadonlyArray<Extension> => {
  if (whileReading === undefined) return []
  const addHook: Extension = (app, services) => {
    app.addHook('onRequest', ({ method }, _reply, done) => {
      if (method === 'GET' || method === 'HEAD') whileReading(done)
      else done()
    })
    return services
  }
  return [addHook]
}

/** An open database of any schema. */
export interface OpenDatabase {
  readonly migrator: Migrator
  /** Requires the current schema. */
  readonly store: Store
  /** Requires the current schema. */
  readonly transfer: TransferStore
  /** The time that all processes on the database share. */
  readonly clock: Clock
  /** Data version: changes whenever data, or the given parts of it, may have changed. */
  readonly version: Database['version']
  /** Returns the bytes of the write-ahead log; absent where a server has the database. */
  readonly logBytes?: () => number
  /** Returns the present fault of the connections to a server; absent on SQLite. */
  readonly trouble?: () => string | undefined
  /** Returns how many connections the server allows this role; absent on SQLite. */
  readonly connectionLimit?: PostgresDatabase['connectionLimit']
  /** Returns which standbys answer no reads at present, and why; absent on SQLite. */
  readonly standbyTrouble?: () => string | undefined
  /** Returns how many these are; absent where there are none. */
  readonly unusedStandbys?: () => number
  /** Runs what only reads, which standbys may answer (I8); absent where there are none. */
  readonly whileReading?: <A>(work: () => A) => A
  /** Returns the fault of SQLite's files, after which it takes no writes (I10); absent where a server has the database. */
  readonly filesFault?: () => string | undefined
  /** Returns the damage that a statement on a SQLite file has met; absent where a server has the database. */
  readonly damage?: () => string | undefined
  readonly close: () => Promise<void>
}

/** Where a database is: a place of the settings, or the server of a pool that a host has open; and where the tables are beside those of a host. */
export type DatabaseSource = (
  | DatabaseLocation
  | { readonly kind: 'pool'; readonly pool: PostgresPool }
  | { readonly kind: 'kysely'; readonly kysely: HostKysely }
) & {
  readonly schema?: string
  readonly prefix?: string
}

/** The settings that opening a database needs. */
type DatabaseSettings = Pick<Settings, 'workers' | 'accelerators'> &
  Partial<Pick<Settings, 'databasePool' | 'databaseListen' | 'databaseReads' | 'readsLag'>> & {
    readonly database: DatabaseSource
  }

/** What a process asks of its database. */
export interface ServedDatabase {
  /** Whether an unfinished erasure of SQLite is left to the server, and to `user erase`, which says how it ended. */
  readonly leavesErasure: boolean
  /** Called with the duration of each operation. */
  readonly onOperation: AddOperation
  /** What to do when readers keep the write-ahead log of SQLite growing. */
  readonly logLimit: LogLimit
  /** Called once when the files of SQLite were moved, removed or replaced (I10). */
  readonly onFilesGone: (fault: string) => void
}

/**
 * Bytes of SQLite's write-ahead log beyond which a server ends the collections that keep it growing, and reports other processes that do. The
 * alert AlmonerDatabaseLogGrows has the same limit.
 */
export const LOG_LIMIT = 256 * 1024 * 1024

/** The names of all migrations, in order. */
export const MIGRATION_NAMES: ReadonlyArray<string> = MIGRATIONS.map(({ name }) => name)

/** Makes the error for a fault of the schema or the database. */
export const databaseFailure = (fault: SchemaFault | SchemaOutdated | Unavailable): CommandFailed =>
  isUnavailable(fault) ? databaseNotAvailable(fault) : failed(schemaFaultText(fault))

/** Returns the path of the SQLite database; undefined where a server has the database. */
export const databasePath = ({ database }: Pick<Settings, 'database'>): string | undefined =>
  database.kind === 'sqlite' ? resolve(database.path) : undefined

/** Returns whether the database exists, because opening a SQLite file creates it. A server's database counts as existing. */
export const databaseExists = (settings: Settings): boolean => {
  const path = databasePath(settings)
  return path === undefined || existsSync(path)
}

/** Connects, and returns the clock that all processes on the database share. */
const connect = async (
  {
    database: place,
    workers,
    databasePool: size,
    databaseListen = O.none,
    databaseReads: places = [],
    readsLag = 5,
  }: DatabaseSettings,
  { logLimit, leavesErasure = false, onFilesGone, onOperation }: Partial<ServedDatabase>,
) => {
  if (place.kind !== 'sqlite') {
    const { openPostgres } = await import('@almoner/adapters-postgres')
    const listen = O.toUndefined(databaseListen)
    const onRead = (time: number, failed: boolean) => onOperation?.('standby', time, failed)
    const reads = { places, lag: readsLag * 1000, onRead }
    const options = { ...place, ...(size && { size }), listen, ...(places.length > 0 && { reads }) }
    const database = await fromDatabase(openPostgres(options))
    const { clock, trouble, connectionLimit, standbyTrouble, unusedStandbys, whileReading, close } = database
    const ofStandbys = places.length > 0 && { standbyTrouble, unusedStandbys, whileReading }
    return { plain: database, clock, facts: { trouble, connectionLimit, close, ...ofStandbys } }
  }
  const { openSqlite } = await import('@almoner/adapters-sqlite')
  // With a single worker, other processes on the file are commands, and their writes may be seen five milliseconds late.
  const watch = workers > 1 ? {} : { pollInterval: 5 }
  const events = { ...(logLimit && { logLimit }), ...(onFilesGone && { onFilesGone }) }
  const database = await fromDatabase(
    openSqlite({
      file: resolve(place.path),
      ...(place.prefix !== undefined && { prefix: place.prefix }),
      ...watch,
      ...events,
      leavesErasure,
    }),
  )
  const { othersWrites, logBytes, filesFault, damage, close } = database
  const facts = { logBytes, filesFault, damage, close }
  return { plain: database, clock: systemClock, othersWrites, facts }
}

/** Opens the database of the settings. Loads only the engine that they name. */
export const openDatabase = async (
  settings: DatabaseSettings,
  served: Partial<ServedDatabase> = {},
): Promise<OpenDatabase> => {
  const { onOperation } = served
  const { plain, clock, othersWrites, facts } = await connect(settings, served)
  const database = onOperation === undefined ? plain : timedDatabase(plain, onOperation)
  return {
    migrator: makeMigrator(database, clock, MIGRATIONS),
    store: accelerated(settings, makeStore(database), database, othersWrites),
    transfer: makeTransferStore(database),
    clock,
    version: database.version,
    ...facts,
  }
}

export type { LogHolder }

/** What can be done with the SQLite file of a database. */
export interface DatabaseFile {
  readonly path: string
  /** Makes the file as small as its content, and resolves to its sizes in bytes. Rejects while a process has it open. */
  readonly vacuum: () => Promise<{ readonly before: number; readonly after: number }>
  /** Resolves to the damage in the file. */
  readonly faults: () => Promise<ReadonlyArray<string>>
  /** Resolves to whether remains of an erased person may be in the file or its log (L1). */
  readonly hasUnfinishedErasure: () => Promise<boolean>
  /** Resolves to the bytes of its write-ahead log. */
  readonly logBytes: () => Promise<number>
  /** Resolves to the processes that keep the log from being emptied; undefined if the system does not say. */
  readonly logHolders: () => Promise<ReadonlyArray<LogHolder> | undefined>
}

const vacuumFailure = (failure: { readonly _tag: 'InUse' } | Unavailable): CommandFailed =>
  isUnavailable(failure)
    ? databaseNotAvailable(failure)
    : failed('a process has the database open: stop the service first')

const sqlite = () => import('@almoner/adapters-sqlite')

/** Returns the SQLite file of the settings; undefined where a server has the database. */
export const databaseFile = (settings: Settings): DatabaseFile | undefined => {
  const path = databasePath(settings)
  if (path === undefined) return undefined
  return {
    path,
    vacuum: async () => orFail((await sqlite()).vacuumSqlite(path), vacuumFailure),
    faults: async () => fromDatabase((await sqlite()).sqliteFaults(path)),
    hasUnfinishedErasure: async () => fromDatabase((await sqlite()).isErasureUnfinished(path)),
    logBytes: async () => (await sqlite()).sqliteLogBytes(path),
    logHolders: async () => fromDatabase((await sqlite()).sqliteLogHolders(path)),
  }
}
