import type { Policy, Ports } from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { composePorts, type Database, databaseFailure, openDatabase } from '../compose.ts'
import type { Failure } from '../failure.ts'
import type { Settings } from '../settings/definitions.ts'
import { type ServiceAddress, serviceAddress } from './address.ts'

/** Everything that a server runs on. */
export interface Service {
  readonly settings: Settings
  readonly policy: Policy
  readonly address: ServiceAddress
  readonly database: Database
  readonly ports: Ports
}

const compose = (settings: Settings, database: Database): TE.TaskEither<Failure, Service> => {
  const address = serviceAddress(settings)
  const { timeZone, embargo, tokenTtl } = settings
  return pipe(
    database.migrator.migrate(),
    TE.mapLeft(databaseFailure),
    TE.flatMap(() => composePorts(settings, database.store, address.mediaAddresses)),
    TE.map((ports) => ({ settings, policy: { timeZone, embargo, tokenTtl }, address, database, ports })),
  )
}

/** Opens the database, brings its schema up to date and composes all that the domain needs on top of it. */
export const openService = (settings: Settings): TE.TaskEither<Failure, Service> =>
  pipe(
    openDatabase(settings),
    TE.flatMap((database) =>
      pipe(
        compose(settings, database),
        TE.tapError(() => TE.fromTask(database.close)),
      ),
    ),
  )
