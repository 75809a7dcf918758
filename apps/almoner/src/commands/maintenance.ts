import { type InUse, type Vacuumed, vacuumSqlite } from '@almoner/adapters-sqlite'
import type { Unavailable } from '@almoner/domain'
import type { Command } from 'commander'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Printout, Work } from '../cli/command.ts'
import { type Act, command, type Json } from '../cli/command-line.ts'
import { type Failure, failed, notAvailable } from '../cli/failure.ts'
import { databaseExists, databaseFile } from '../composition/database.ts'

const failure = (fault: InUse | Unavailable): Failure =>
  fault._tag === 'InUse'
    ? failed('a process has the database open: stop the service first')
    : notAvailable('the database')(fault)

const printout = ({ before, after }: Vacuumed): Printout => ({
  text: `the database has ${after} bytes, before ${before}`,
  json: { before, after },
})

/** `maintenance vacuum`: gives the disk back what deleted rows have left in the SQLite file. The service has to be stopped meanwhile. */
export const vacuum: Work = (settings) => {
  const file = databaseFile(settings)
  if (O.isNone(file))
    return TE.left(failed('vacuum is for SQLite: PostgreSQL does it by itself (autovacuum)'))
  if (!databaseExists(settings)) return TE.left(failed('there is no database where ALMONER_DATABASE says'))
  return pipe(vacuumSqlite(file.value), TE.bimap(failure, printout))
}

/** Adds the commands that work on a database while the service is stopped. */
export const addMaintenance = (program: Command, act: Act): void => {
  const maintenance = program
    .command('maintenance')
    .description('maintain the database while the service is stopped')
  command(maintenance, 'vacuum', 'shrink the SQLite file to its content').action((options: Json) =>
    act(vacuum, options),
  )
}
