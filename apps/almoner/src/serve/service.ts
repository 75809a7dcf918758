import type { Policy, Ports } from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Logger } from 'pino'
import { openPushGateway, type Pushes } from '../compose/push-gateway.ts'
import { composePorts, type Database, databaseFailure, openDatabase } from '../compose.ts'
import type { Failure } from '../failure.ts'
import type { Settings } from '../settings/definitions.ts'
import { policyOf } from '../settings/policy.ts'
import { type ServiceAddress, serviceAddress } from './address.ts'

/** Everything that a server runs on. */
export interface Service {
  readonly settings: Settings
  readonly policy: Policy
  readonly address: ServiceAddress
  readonly database: Database
  readonly ports: Ports
  /** Closes what it runs on, once nothing is done on it any more. */
  readonly close: () => Promise<void>
}

const compose = (settings: Settings, database: Database, pushes: Pushes): TE.TaskEither<Failure, Service> => {
  const address = serviceAddress(settings)
  const parts = { mediaAddresses: address.mediaAddresses, pushGateway: pushes.gateway }
  const close = async (): Promise<void> => {
    await pushes.close()
    await database.close()
  }
  return pipe(
    database.migrator.migrate(),
    TE.mapLeft(databaseFailure),
    TE.flatMap(() => composePorts(settings, database.store, parts)),
    TE.map((ports) => ({ settings, policy: policyOf(settings), address, database, ports, close })),
  )
}

const onPushes = (settings: Settings, pushes: Pushes): TE.TaskEither<Failure, Service> =>
  pipe(
    openDatabase(settings),
    TE.flatMap((database) =>
      pipe(
        compose(settings, database, pushes),
        TE.tapError(() => TE.fromTask(database.close)),
      ),
    ),
  )

/**
 * Opens the way that pushes go out, then the database, brings its schema up to date and composes all that the domain needs on top of it.
 * Where credentials are at fault, no database is touched.
 */
export const openService = (settings: Settings, logger: Logger): TE.TaskEither<Failure, Service> =>
  pipe(
    openPushGateway(settings, logger),
    TE.flatMap((pushes) =>
      pipe(
        onPushes(settings, pushes),
        TE.tapError(() => TE.fromTask(pushes.close)),
      ),
    ),
  )
