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
import type { Seeding } from './seeding.ts'

/** What to print once the service is reached at its address; nothing when it has its content already. */
export type Greeting = O.Option<() => string>

/** Where the demonstration keeps its files when a server has the database. */
const BESIDE_NO_FILE = resolve('almoner-demo')

/** Fills an empty database with the demonstration (`serve --demo`), and shows how far it has come. When the process is stopping the rest is left to the next start. */
export const loadDemonstration = (
  { settings, policy, ports, address }: Service,
  isStopping: () => boolean,
  progress: (text: string) => void,
): TE.TaskEither<Failure, Greeting> => {
  const files = demoFiles(O.getOrElse(() => BESIDE_NO_FILE)(databaseFile(settings)))
  let pictures = 0
  const told = (what: string) => progress(`loading the demonstration: ${what}`)
  const render: Seeding['render'] = (svg, type) => {
    pictures += 1
    told(`picture ${pictures}`)
    return drawSvg(svg, type)
  }
  const seeded = pipe(
    seedDemo({ ports, policy, render, now: ports.clock.now(), told, isStopping }, files),
    TE.bimap(
      notAvailable('the demonstration content'),
      O.map((clients) => () => greeting(clients, address.baseUrl(), files.credentials)),
    ),
    TE.orElse((failure) => (isStopping() ? TE.right(O.none) : TE.left(failure))),
  )
  return async () => {
    const done = await seeded()
    progress('')
    return done
  }
}
