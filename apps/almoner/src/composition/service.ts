import { type AddOperation, type Metrics, makeMetrics } from '@almoner/adapters-http'
import { type FailedAttempts, MINUTE, type Policy, type Ports } from '@almoner/domain'
import { memoryFailedAttempts } from '@almoner/domain/memory'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Logger } from 'pino'
import type { Failure } from '../cli/failure.ts'
import type { Settings } from '../config/definitions.ts'
import { policyOf } from '../config/policy.ts'
import type { Tracing } from '../logging/tracing.ts'
import { type ServiceAddress, serviceAddress } from './address.ts'
import { watchedSending } from './instrumented-sending.ts'
import { type Media, openMedia } from './media.ts'
import { openPushGateway, type Pushes } from './push/push-gateway.ts'
import { composePorts, type Database, databaseFailure, openDatabase } from './store.ts'

/** Milliseconds for which a client may read one collection: SQLite's write-ahead log grows with each write meanwhile. */
const SNAPSHOT_LIFE = 10 * MINUTE

/** Everything that a server runs on. */
export interface Service {
  readonly settings: Settings
  readonly policy: Policy
  readonly address: ServiceAddress
  readonly database: Database
  readonly media: Media
  readonly ports: Ports
  /** What the database and the pushes take is added to these. */
  readonly metrics: Metrics
  /** Where the standard variables ask for it. */
  readonly tracing: Tracing | undefined
  /** Closes what it runs on, once nothing is done on it any more. */
  readonly close: () => Promise<void>
}

/** What is opened before the database. */
interface Opened {
  readonly settings: Settings
  readonly pushes: Pushes
  readonly metrics: Metrics
  readonly tracing: Tracing | undefined
  readonly failedAttempts: FailedAttempts
}

/** What a process may give its service. */
export interface Given {
  /** Those that it shares with others; its own when absent. */
  readonly failedAttempts?: FailedAttempts | undefined
  readonly tracing?: Tracing | undefined
}

const compose = (
  { settings, pushes, metrics, tracing, failedAttempts }: Opened,
  database: Database,
): TE.TaskEither<Failure, Service> => {
  const address = serviceAddress(settings)
  const { mediaAddresses } = address
  const parts = { mediaAddresses, pushGateway: pushes.gateway, failedAttempts }
  const on = (media: Media): Service => {
    const ports = composePorts(database, { ...parts, media })
    return {
      settings,
      policy: policyOf(settings),
      address,
      database,
      media,
      ports: { ...ports, ...watchedSending(ports, metrics) },
      metrics,
      tracing,
      close: async () => {
        await pushes.close()
        media.close()
        await database.close()
        await tracing?.close()
      },
    }
  }
  return pipe(
    database.migrator.migrate(),
    TE.mapLeft(databaseFailure),
    TE.flatMap(() => openMedia(settings)),
    TE.map(on),
  )
}

/** Who hears of what the database does. */
const toldOf = ({ metrics, tracing }: Opened): AddOperation =>
  tracing === undefined
    ? metrics.database
    : (...told) => {
        metrics.database(...told)
        tracing.database(...told)
      }

const onPushes = (opened: Opened): TE.TaskEither<Failure, Service> =>
  pipe(
    openDatabase(opened.settings, { told: toldOf(opened), snapshotLife: SNAPSHOT_LIFE }),
    TE.flatMap((database) =>
      pipe(
        compose(opened, database),
        TE.tapError(() => TE.fromTask(database.close)),
      ),
    ),
  )

/**
 * Opens the way that pushes go out, then the database, brings its schema up to date and composes all that the domain needs on top of it.
 * Where credentials are at fault, no database is touched.
 */
export const openService = (
  settings: Settings,
  logger: Logger,
  { failedAttempts = memoryFailedAttempts(), tracing }: Given = {},
): TE.TaskEither<Failure, Service> =>
  pipe(
    openPushGateway(settings, logger),
    TE.flatMap((pushes) =>
      pipe(
        onPushes({ settings, pushes, metrics: makeMetrics(), tracing, failedAttempts }),
        TE.tapError(() => TE.fromTask(pushes.close)),
      ),
    ),
  )
