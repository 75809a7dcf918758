import { resolve } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, notAvailable } from '../cli/failure.ts'
import { databaseFile } from '../composition/database.ts'
import type { Service } from '../composition/service.ts'
import { credentialsBanner } from './credentials-banner.ts'
import { demoFiles } from './files.ts'
import { seedOnce } from './seed-once.ts'

/** Makes the text to print once the service listens; none when the database had content already. */
export type Greeting = O.Option<() => string>

/** Where the demonstration keeps its files when the database is on a server. */
const BESIDE_NO_FILE = resolve('almoner-demo')

/** Fills an empty database with the demonstration (`serve --demo`) and reports progress. A stopping process leaves the rest to the next start. */
export const loadDemonstration = (
  { settings, policy, ports, address }: Service,
  isStopping: () => boolean,
  progress: (text: string) => void,
): TE.TaskEither<Failure, Greeting> => {
  const files = demoFiles(O.getOrElse(() => BESIDE_NO_FILE)(databaseFile(settings)))
  const onProgress = (step: string) => progress(`loading the demonstration: ${step}`)
  return pipe(
    seedOnce({ ports, policy, now: ports.clock.now(), onProgress, isStopping }, files),
    TE.bimap(
      notAvailable('the demonstration content'),
      O.map((clients) => () => credentialsBanner(clients, address.baseUrl(), files.credentials)),
    ),
    TE.orElse((failure) => (isStopping() ? TE.right(O.none) : TE.left(failure))),
    TE.tapIO(() => () => progress('')),
    TE.tapError(() => TE.fromIO(() => progress(''))),
  )
}
