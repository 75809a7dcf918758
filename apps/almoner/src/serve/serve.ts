import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Logger } from 'pino'
import manifest from '../../package.json' with { type: 'json' }
import { settingsOf, tell } from '../commands/perform.ts'
import { mediaFolder } from '../compose.ts'
import { type Greeting, loadDemonstration } from '../demo/demonstration.ts'
import type { ExitCode, Failure } from '../failure.ts'
import { reviewChore } from '../schedule/review.ts'
import { type Chore, schedule, upkeep } from '../schedule.ts'
import type { Settings } from '../settings/definitions.ts'
import { urlOf } from '../settings/network.ts'
import type { Terminal } from '../terminal.ts'
import { startHttp } from './http.ts'
import { announce, exitOnFaults, makeLogger } from './logger.ts'
import { readiness } from './ready.ts'
import { openService, type Service } from './service.ts'
import { stopRequested } from './signals.ts'

/** A server under way. */
interface Running {
  readonly stop: () => Promise<void>
}

const choresOf = ({ settings, ports, policy }: Service, logger: Logger): ReadonlyArray<Chore> => [
  ...upkeep(ports),
  ...(settings.review ? [reviewChore(ports, policy, settings, logger)] : []),
]

const listen = (service: Service, hello: Greeting, terminal: Terminal, logger: Logger) => {
  const { settings, ports, policy, address, database } = service
  const parts = { ports, policy, logger, baseUrl: address.baseUrl, mediaFolder: mediaFolder(settings) }
  const ready = readiness(settings, database, ports.clock)
  return pipe(
    startHttp(settings, { ...parts, ready, version: manifest.version }),
    TE.map((http): Running => {
      address.listensOn(http.port)
      const chores = schedule(choresOf(service, logger), logger)
      if (O.isSome(hello)) terminal.out(hello.value())
      if (O.isSome(http.metricsUrl)) announce(logger, { url: http.metricsUrl.value }, 'metrics listening')
      const url = urlOf({ host: settings.host, port: http.port })
      announce(logger, { url, baseUrl: address.baseUrl() }, 'listening')
      return {
        stop: async () => {
          await Promise.all([http.close(), chores.stop()])
          await service.close()
        },
      }
    }),
  )
}

/** What is told to stop before it listens only has what it runs on to close. */
const notListening = ({ close }: Service): Running => ({ stop: close })

interface Start {
  readonly demo: boolean
  readonly terminal: Terminal
  readonly logger: Logger
  /** Whether the service has been told to stop meanwhile. */
  readonly isStopping: () => boolean
}

const start = (
  settings: Settings,
  { demo, terminal, logger, isStopping }: Start,
): TE.TaskEither<Failure, Running> =>
  pipe(
    openService(settings, logger),
    TE.flatMap((service) =>
      pipe(
        demo ? loadDemonstration(service, isStopping) : TE.right(O.none),
        TE.flatMap((hello) =>
          isStopping() ? TE.right(notListening(service)) : listen(service, hello, terminal, logger),
        ),
        TE.tapError(() => TE.fromTask(service.close)),
      ),
    ),
  )

/**
 * `serve`: migrates, fills an empty database if `demo` says so, and takes requests until it is told to stop; then it takes no
 * more, finishes those that run and gives 0.
 */
export const serve = async (terminal: Terminal, demo: boolean): Promise<ExitCode> => {
  const settings = settingsOf(terminal)
  if (E.isLeft(settings)) return tell(terminal, settings.left)
  const logger = makeLogger(settings.right.logLevel)
  exitOnFaults(logger)
  let stopping = false
  const told = stopRequested(logger).then(() => {
    stopping = true
  })
  const running = await start(settings.right, { demo, terminal, logger, isStopping: () => stopping })()
  if (E.isLeft(running)) return tell(terminal, running.left)
  await told
  await running.right.stop()
  logger.info('stopped')
  return 0
}
