import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Logger } from 'pino'
import type { Failure } from '../cli/failure.ts'
import { openService, type Service } from '../composition/service.ts'
import type { Settings } from '../config/definitions.ts'
import { type Greeting, loadDemonstration } from '../demo/demonstration.ts'
import type { Tracing } from '../logging/tracing.ts'

/** A service that has all it needs to take requests, and what to print then. */
export interface Prepared {
  readonly service: Service
  readonly hello: Greeting
}

/** How a service is started. */
export interface Start {
  readonly settings: Settings
  readonly demo: boolean
  readonly logger: Logger
  /** What requests are traced by, if they are. */
  readonly tracing?: Tracing | undefined
  /** Whether it has been told to stop meanwhile. */
  readonly isStopping: () => boolean
  /** Shows how far the demonstration has come. */
  readonly progress: (text: string) => void
}

/** Opens what a service runs on, brings the schema up to date, and fills an empty database if it is to. */
export const prepare = ({
  settings,
  demo,
  logger,
  tracing,
  isStopping,
  progress,
}: Start): TE.TaskEither<Failure, Prepared> =>
  pipe(
    openService(settings, logger, { tracing }),
    TE.flatMap((service) =>
      pipe(
        demo ? loadDemonstration(service, isStopping, progress) : TE.right(O.none),
        TE.map((hello) => ({ service, hello })),
        TE.tapError(() => TE.fromTask(service.close)),
      ),
    ),
  )
