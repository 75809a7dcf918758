import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { AddOperation } from '@almoner/adapters-http'
import {
  type Engine,
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
} from '@almoner/adapters-kysely'
import { systemClock } from '@almoner/adapters-node'
import { type Clock, isUnavailable, type Unavailable } from '@almoner/domain'
import type { Settings } from '../config/definitions.ts'
import { type CommandFailed, databaseNotAvailable, failed, fromDatabase } from '../failure.ts'
import { accelerated } from './accelerators.ts'
import { instrumentedEngine } from './instrumented-database.ts'

/** An open database of any schema. */
export interface Database {
  readonly migrator: Migrator
  /** Requires the current schema. */
  readonly store: Store
  /** Requires the current schema. */
  readonly transfer: TransferStore
  /** The time that all processes on the database share. */
  readonly clock: Clock
  /** Data version: changes whenever data may have changed. */
  readonly version: () => number
  /** Permissions version: changes whenever the permissions of a caller may have changed. */
  readonly accessVersion: () => number
  /** Returns the bytes of the write-ahead log; absent where a server has the database. */
  readonly logBytes?: () => number
  readonly close: () => Promise<void>
}

/** An open engine and the time that all processes on it share. */
export interface OpenEngine {
  readonly engine: Engine
  readonly clock: Clock
  /** Returns a value that changes once another process has written; absent where a server has the database. */
  readonly othersWrites?: () => unknown
  readonly logBytes?: () => number
  readonly close: () => Promise<void>
}

/** What a server asks of its database; commands ask for none of it. */
export interface ServedDatabase {
  /** Called with the duration of each operation. */
  readonly onOperation: AddOperation
  /** Milliseconds for which a client may read one collection from SQLite. */
  readonly snapshotLife: number
}

/** The names of all migrations, in order. */
export const MIGRATION_NAMES: ReadonlyArray<string> = MIGRATIONS.map(({ name }) => name)

/** Makes the error for a fault of the schema or the database. */
export const databaseFailure = (fault: SchemaFault | SchemaOutdated | Unavailable): CommandFailed =>
  isUnavailable(fault) ? databaseNotAvailable(fault) : failed(schemaFaultText(fault))

/** Returns the path of the SQLite database; undefined where a server has the database. */
export const databasePath = ({ database }: Settings): string | undefined =>
  database.kind === 'sqlite' ? resolve(database.path) : undefined

/** Tells whether the database exists: opening a SQLite file creates it. A server's database counts as existing. */
export const databaseExists = (settings: Settings): boolean => {
  const path = databasePath(settings)
  return path === undefined || existsSync(path)
}

const openEngine = async (
  { database, workers }: Settings,
  { snapshotLife }: Partial<ServedDatabase>,
): Promise<OpenEngine> => {
  if (database.kind === 'postgres') {
    const { openPostgres } = await import('@almoner/adapters-postgres')
    const engine = await fromDatabase(openPostgres({ place: database.place }))
    return { engine, clock: engine.clock, close: engine.close }
  }
  const { openSqlite } = await import('@almoner/adapters-sqlite')
  // With a single worker, other processes on the file are commands, and their writes may be seen a millisecond late.
  const watch = workers > 1 ? {} : { lookEvery: 1 }
  const life = snapshotLife === undefined ? {} : { snapshotLife }
  const engine = await fromDatabase(openSqlite({ file: resolve(database.path), ...watch, ...life }))
  const { othersWrites, logBytes, close } = engine
  return { engine, clock: systemClock, othersWrites, logBytes, close }
}

/** Opens the database of the settings. Loads only the engine that they name. */
export const openDatabase = async (
  settings: Settings,
  served: Partial<ServedDatabase> = {},
): Promise<Database> => {
  const { onOperation } = served
  const open = await openEngine(settings, served)
  const { clock, logBytes, close, engine: plain } = open
  const engine = onOperation === undefined ? plain : instrumentedEngine(plain, onOperation)
  return {
    migrator: makeMigrator(engine, clock, MIGRATIONS),
    store: accelerated(makeStore(engine), { ...open, engine }),
    transfer: makeTransferStore(engine),
    clock,
    version: engine.version,
    accessVersion: engine.accessVersion,
    ...(logBytes && { logBytes }),
    close,
  }
}
