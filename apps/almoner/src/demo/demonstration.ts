import { resolve } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { databaseFile } from '../compose/database.ts'
import { drawSvg } from '../compose.ts'
import { type Failure, notAvailable } from '../failure.ts'
import type { Service } from '../serve/service.ts'
import { demoFiles } from './files.ts'
import { greeting } from './greeting.ts'
import { seedDemo } from './seed.ts'

/** What to print once the service is reached at its address; nothing when it has its content already. */
export type Greeting = O.Option<() => string>

/** Where the demonstration keeps its files when a server has the database. */
const BESIDE_NO_FILE = resolve('almoner-demo')

/** Fills an empty database with the demonstration (`serve --demo`). When the process is stopping the rest is left to the next start. */
export const loadDemonstration = (
  { settings, policy, ports, address }: Service,
  isStopping: () => boolean,
): TE.TaskEither<Failure, Greeting> => {
  const files = demoFiles(O.getOrElse(() => BESIDE_NO_FILE)(databaseFile(settings)))
  return pipe(
    seedDemo({ ports, policy, render: drawSvg, now: ports.clock.now(), isStopping }, files),
    TE.bimap(
      notAvailable('the demonstration content'),
      O.map((clients) => () => greeting(clients, address.baseUrl(), files.credentials)),
    ),
    TE.orElse((failure) => (isStopping() ? TE.right(O.none) : TE.left(failure))),
  )
}
