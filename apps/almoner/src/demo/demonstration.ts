import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { databasePath } from '../composition/database.ts'
import type { OpenService } from '../composition/server.ts'
import { notAvailable } from '../failure.ts'
import type { ShowProgress } from '../terminal.ts'
import { consoleBanner } from './console-banner.ts'
import { credentialsBanner } from './credentials-banner.ts'
import { demoFiles } from './files.ts'
import { seedOnce } from './seed-once.ts'

/** The path that the demonstration's files are beside when the database is on a server. */
const BESIDE_NO_FILE = resolve('almoner-demo')

/**
 * Loads the demonstration into an empty database (`serve --demo`). Returns a function that makes the banner: the credentials, if anything
 * was loaded, and a link that signs in to the console.
 */
export const loadDemonstration = async (
  service: OpenService,
  signal: AbortSignal,
  progress: ShowProgress,
): Promise<(() => string) | undefined> => {
  const { settings, policy, ports, address } = service
  const files = demoFiles(databasePath(settings) ?? BESIDE_NO_FILE)
  const onProgress = (step: string) => progress(`loading the demonstration: ${step}`)
  const seeded = await seedOnce({ ports, policy, now: ports.clock.now(), onProgress, signal }, files)()
  progress('')
  if (E.isRight(seeded)) {
    const clients = seeded.right
    // A database with other content gets no manager: the credentials are beside a demonstration's.
    const console = existsSync(files.credentials) ? await consoleBanner(service) : undefined
    return () =>
      [
        O.isNone(clients) ? '' : credentialsBanner(clients.value, address.baseUrl(), files.credentials),
        console?.() ?? '',
      ].join('')
  }
  if (signal.aborted) return undefined
  throw notAvailable('the demonstration content')(seeded.left)
}
