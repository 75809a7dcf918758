import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Database } from '@almoner/adapters-kysely'
import { systemClock } from '@almoner/adapters-node'
import type { SqliteDatabase } from '@almoner/adapters-sqlite'
import type { Clock, Unavailable } from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Settings } from '../config/definitions.ts'

/** An open database and the time that all processes on it agree upon. */
export interface OpenEngine {
  readonly engine: Database
  readonly clock: Clock
  /** Returns a value that another one takes the place of once another process has written; absent where a server has the database. */
  readonly othersWrites?: () => unknown
  /** Returns the bytes of the write-ahead log; absent where a server has the database. */
  readonly logBytes?: () => number
  readonly close: () => Promise<void>
}

/** The file of the database; none when a server has it. */
export const databaseFile = ({ database }: Settings): O.Option<string> =>
  database.kind === 'sqlite' ? O.some(resolve(database.path)) : O.none

/** Whether there is a database at all: opening a file makes it. Of a server's, only opening it tells. */
export const databaseExists = (settings: Settings): boolean =>
  pipe(
    databaseFile(settings),
    O.match(() => true, existsSync),
  )

/**
 * Opens what the settings name. What they do not name is not loaded.
 * @param snapshotLife milliseconds for which a collection may be read from SQLite; as long as its reader likes when absent
 */
export const openEngine =
  ({ database, workers }: Settings, snapshotLife?: number): TE.TaskEither<Unavailable, OpenEngine> =>
  async () => {
    if (database.kind === 'postgres') {
      const { openPostgres } = await import('@almoner/adapters-postgres')
      const opened = TE.map((engine: Database & Omit<OpenEngine, 'engine'>): OpenEngine => {
        return { engine, clock: engine.clock, close: engine.close }
      })
      return opened(openPostgres({ place: database.place }))()
    }
    const { openSqlite } = await import('@almoner/adapters-sqlite')
    const opened = TE.map((engine: SqliteDatabase): OpenEngine => {
      const { othersWrites, logBytes, close } = engine
      return { engine, clock: systemClock, othersWrites, logBytes, close }
    })
    // Where there is no other worker, mostly commands write beside this process, and nobody who waited for one asks within a millisecond.
    const watch = workers > 1 ? {} : { pollInterval: 1 }
    const life = snapshotLife === undefined ? {} : { snapshotLife }
    return opened(openSqlite({ file: resolve(database.path), ...watch, ...life }))()
  }
