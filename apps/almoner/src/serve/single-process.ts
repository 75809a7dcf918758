import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Logger } from 'pino'
import type { ExitCode, Failure } from '../cli/failure.ts'
import { tell } from '../cli/perform.ts'
import { progressOn, type Terminal } from '../cli/terminal.ts'
import { openTracing } from '../logging/tracing.ts'
import { announceListening } from './announce.ts'
import { stopWithLauncher } from './launcher.ts'
import { type Prepared, prepare, type Start } from './prepare.ts'
import { startServing } from './serving.ts'
import { ignoreRestart, stopRequest } from './signals.ts'

/** A server under way. */
interface Running {
  readonly stop: () => Promise<void>
}

/** What is told to stop before it listens only has what it runs on to close. */
const notListening = ({ service }: Prepared): Running => ({ stop: service.close })

const listen = (prepared: Prepared, logger: Logger, terminal: Terminal) =>
  pipe(
    startServing(prepared.service, logger),
    TE.map((serving): Running => {
      serving.startJobs({ maintenance: true })
      announceListening(prepared, serving.http, logger, terminal)
      return serving
    }),
    TE.tapError(() => TE.fromTask(prepared.service.close)),
  )

const start = (begin: Start, terminal: Terminal): TE.TaskEither<Failure, Running> =>
  pipe(
    prepare(begin),
    TE.flatMap((prepared) =>
      begin.isStopping() ? TE.right(notListening(prepared)) : listen(prepared, begin.logger, terminal),
    ),
  )

/** Serves in this process alone. */
export const serveAlone = async (
  begin: Omit<Start, 'isStopping' | 'progress' | 'tracing'>,
  terminal: Terminal,
): Promise<ExitCode> => {
  const request = stopRequest(begin.logger, begin.settings.drain * 1000)
  stopWithLauncher(request)
  ignoreRestart(begin.logger)
  const tracing = await openTracing(begin.logger, terminal.environment)
  const running = await start(
    { ...begin, tracing, isStopping: request.isMade, progress: progressOn(terminal) },
    terminal,
  )()
  if (E.isLeft(running)) return tell(terminal, running.left)
  await request.made
  await running.right.stop()
  begin.logger.info('stopped')
  return 0
}
