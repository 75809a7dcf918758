import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Engine } from '@almoner/adapters-kysely'
import { systemClock } from '@almoner/adapters-node'
import type { Clock, Unavailable } from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Settings } from '../settings/definitions.ts'

/** An open database and the time that all processes on it agree upon. */
export interface OpenEngine {
  readonly engine: Engine
  readonly clock: Clock
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

/** Opens what the settings name. What they do not name is not loaded. */
export const openEngine =
  ({ database, workers }: Settings): TE.TaskEither<Unavailable, OpenEngine> =>
  async () => {
    if (database.kind === 'postgres') {
      const { openPostgres } = await import('@almoner/adapters-postgres')
      const opened = TE.map((engine: Engine & Omit<OpenEngine, 'engine'>): OpenEngine => {
        return { engine, clock: engine.clock, close: engine.close }
      })
      return opened(openPostgres({ place: database.place }))()
    }
    const { openSqlite } = await import('@almoner/adapters-sqlite')
    const opened = TE.map((engine: Engine & Pick<OpenEngine, 'close'>): OpenEngine => {
      return { engine, clock: systemClock, close: engine.close }
    })
    // Where there is no other worker, mostly commands write beside this process, and nobody who waited for one asks within a millisecond.
    const watch = workers > 1 ? {} : { lookEvery: 1 }
    return opened(openSqlite({ file: resolve(database.path), ...watch }))()
  }
