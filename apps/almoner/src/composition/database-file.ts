import type { LogHolder } from '@almoner/adapters-sqlite'
import type { Unavailable } from '@almoner/domain'
import { isUnavailable } from '@almoner/domain/ports'
import type { Settings } from '../config/definitions.ts'
import { type CommandFailed, databaseNotAvailable, failed, fromDatabase, orFail } from '../failure.ts'
import { databasePath } from './database.ts'

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
