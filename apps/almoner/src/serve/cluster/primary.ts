import cluster from 'node:cluster'
import { setTimeout as wait } from 'node:timers/promises'
import { systemClock } from '@almoner/adapters-node'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Logger } from 'pino'
import { tell } from '../../commands/perform.ts'
import { type ExitCode, type Failure, failed } from '../../failure.ts'
import { urlOf } from '../../settings/network.ts'
import { pushNote } from '../../settings/push.ts'
import { progressOn, type Terminal } from '../../terminal.ts'
import { cannotListen } from '../http.ts'
import { stopWithLauncher } from '../launcher.ts'
import { announce } from '../logger.ts'
import { type MetricsApart, startMetrics } from '../metrics-server.ts'
import { type Prepared, prepare, type Start } from '../prepare.ts'
import { RESTART, type StopRequest, stopRequest } from '../signals.ts'
import { requestCounts } from './counts.ts'
import { type Crew, makeCrew } from './crew.ts'
import { failureLog } from './failures.ts'
import { type GatheredFigures, gatheredFigures } from './gathered.ts'
import { type Heard, handOf } from './hand.ts'
import { findPort } from './port.ts'

/** A crew and what it keeps in common. */
interface Company {
  readonly crew: Crew
  readonly figures: GatheredFigures
}

const gather = ({ settings, logger }: Start, port: number): Company => {
  const failures = failureLog()
  const count = requestCounts(() => performance.now())
  const heard: Heard = (hand) => ({
    tells: {
      failure: (failure) => {
        failures.add(failure)
        for (const other of crew.hands()) if (other !== hand()) void other.line.tell('failure', failure)
      },
      lastFigures: (told) => figures.last(hand(), told),
    },
    asks: {
      beginning: () => ({
        number: hand().number,
        port,
        failures: failures.recent(systemClock.now()),
      }),
      count,
      allFigures: () => figures.read(),
    },
  })
  const crew = makeCrew({
    size: settings.workers,
    launch: (number) => {
      const hand = handOf(cluster.fork(), number, heard)
      void hand.ended.then(figures.parted)
      return hand
    },
    logger,
    now: () => performance.now(),
    wait: (milliseconds) => wait(milliseconds, undefined, { ref: false }),
  })
  const figures = gatheredFigures(crew.hands)
  return { crew, figures }
}

const greet = (
  { service, hello }: Prepared,
  { port, metricsUrl }: { readonly port: number; readonly metricsUrl: O.Option<string> },
  logger: Logger,
  terminal: Terminal,
): void => {
  service.address.listensOn(port)
  if (O.isSome(hello)) terminal.out(hello.value())
  if (O.isSome(metricsUrl)) announce(logger, { url: metricsUrl.value }, 'metrics listening')
  const url = urlOf({ host: service.settings.host, port })
  announce(
    logger,
    { url, baseUrl: service.address.baseUrl(), push: pushNote(service.settings.push) },
    'listening',
  )
}

const HOUR = 3_600_000

const NO_START = failed('a worker did not start')
const NO_HOPE = failed('a worker died again and again; its last lines in the log tell why')

/** Leads a crew from its start until it is told to stop, or cannot go on: then that is what it gives. */
const lead = async (crew: Crew, request: StopRequest, begun: () => void): Promise<Failure | undefined> => {
  const told = request.made.then(() => undefined)
  process.on(RESTART, () => void crew.restart())
  const started = await Promise.race([crew.start(), told])
  if (started === undefined) return undefined
  if (!started) return NO_START
  begun()
  crew.work()
  return Promise.race([told, crew.lost.then(() => NO_HOPE)])
}

const run = async (
  start: Start,
  { prepared, port }: { readonly prepared: Prepared; readonly port: number },
  request: StopRequest,
  terminal: Terminal,
): Promise<ExitCode> => {
  const { settings, logger } = start
  const { crew, figures } = gather(start, port)
  process.on('exit', () => {
    // Where the primary ends by a fault, the workers finish what runs by themselves.
    if (!request.isMade()) return
    for (const hand of crew.hands()) hand.kill()
  })
  const begin = () => startMetrics(settings.metrics, figures, logger)
  const apart = await TE.tryCatch(begin, cannotListen(settings))()
  if (E.isLeft(apart)) return tell(terminal, apart.left)
  const metricsUrl = O.map(({ url }: MetricsApart) => url)(apart.right)
  // Between the death of the last worker and the next one there is nothing else that keeps this process alive.
  const awake = setInterval(() => {}, HOUR)
  const failure = await lead(crew, request, () => greet(prepared, { port, metricsUrl }, logger, terminal))
  if (failure !== undefined) request.make({ reason: failure.lines[0] }, 1)
  await crew.stop()
  clearInterval(awake)
  if (O.isSome(apart.right)) apart.right.value.close()
  logger.info('stopped')
  return failure === undefined ? 0 : tell(terminal, failure)
}

/** Prepares the service, then has workers serve it, and looks after them until it is told to stop. */
export const serveAsPrimary = async (
  begin: Omit<Start, 'isStopping' | 'progress' | 'tracing'>,
  terminal: Terminal,
): Promise<ExitCode> => {
  const request = stopRequest(begin.logger, begin.settings.drain * 1000)
  stopWithLauncher(request)
  const start = { ...begin, isStopping: request.isMade, progress: progressOn(terminal) }
  const ready = await pipe(
    prepare(start),
    // The workers open it for themselves.
    TE.tap(({ service }) => TE.fromTask(service.close)),
    TE.bindTo('prepared'),
    TE.bind('port', () => findPort(begin.settings)),
  )()
  if (E.isLeft(ready)) return tell(terminal, ready.left)
  if (!request.isMade()) return run(start, ready.right, request, terminal)
  begin.logger.info('stopped')
  return 0
}
