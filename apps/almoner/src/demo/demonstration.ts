import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Client, Ports, Unavailable } from '@almoner/domain'
import { makeAddClient, makeRotateSecret } from '@almoner/domain/access'
import { makeLoadLabels } from '@almoner/domain/content'
import { WHOLE_COLLECTION } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import labels from '../../demo/labels.json' with { type: 'json' }
import { type Credentials, credentialsDocument } from '../commands/client.ts'
import { type DemoFiles, demonstrationFiles } from '../commands/tour.ts'
import type { OpenService } from '../composition/server.ts'
import { notAvailable } from '../failure.ts'
import type { ShowProgress } from '../terminal.ts'
import { consoleBanner, credentialsBanner } from './banners.ts'
import { seedFeed, seedLibrary, seedPortfolio } from './items.ts'
import {
  acquireMarker,
  byDemonstration,
  DEMO_CLIENTS,
  existing,
  mustSucceed,
  type Seeding,
  seedNotifications,
  seedPeople,
  untilOutage,
  writePrivately,
} from './seeding.ts'

type Registered = ReadonlyArray<Credentials>

const ONE = { ...WHOLE_COLLECTION, lim: O.some(1) }

const isEmpty = async (ports: Ports): Promise<boolean> => {
  for (const collection of [ports.libraryItems, ports.feedItems, ports.notifications])
    if ((await existing<{ readonly title: string }>(collection, ONE)).size > 0) return false
  for await (const batch of ports.users.all()) if (batch.length > 0) return false
  return (await mustSucceed(ports.portfolio.head())).organizations === 0
}

/** Returns the clients that exist, if the database is empty or an interrupted seeding began to fill it; undefined otherwise. */
const knownIfWanted = async (
  ports: Ports,
  isResumed: boolean,
): Promise<ReadonlyArray<Client> | undefined> => {
  const known = await mustSucceed(ports.clients.all())
  // The marker alone does not prove an interrupted seeding, because the database beside it may have been replaced.
  const areOurs = known.every(({ id }) => DEMO_CLIENTS.some((ours) => ours.id === id))
  const isWanted = (isResumed && areOurs) || (known.length === 0 && (await isEmpty(ports)))
  return isWanted ? known : undefined
}

/** Registers the clients. One that an interrupted seeding has registered gets a new secret, because the first was never shown. */
const register = async (ports: Ports, known: ReadonlyArray<Client>): Promise<Registered> => {
  const registered: Array<Credentials> = []
  for (const client of DEMO_CLIENTS) {
    const isKnown = known.some(({ id }) => id === client.id)
    const secret = isKnown
      ? makeRotateSecret(ports)(client.id, O.none, byDemonstration(ports))
      : makeAddClient(ports)(client, byDemonstration(ports))
    registered.push(credentialsDocument(await mustSucceed(secret)))
  }
  return registered
}

/**
 * Fills an empty database with the demonstration and returns the clients' credentials, which are also kept in a file. Returns none,
 * and changes nothing, when the database is not empty.
 *
 * A crash leaves the marker, and the next run finishes the work: every step skips what exists, the clients come last, and the marker
 * is removed once their credentials are stored. Unavailable while another process seeds the same database, or is stopping.
 */
export const seedOnce = (
  seeding: Seeding,
  { marker, credentials }: DemoFiles,
): TE.TaskEither<Unavailable, O.Option<Registered>> =>
  untilOutage(async () => {
    const { ports } = seeding
    if ((await knownIfWanted(ports, existsSync(marker))) === undefined) return O.none
    // Checked again while this process has the marker: another one may have just finished.
    const known = await knownIfWanted(ports, await acquireMarker(marker))
    if (known === undefined) {
      await rm(marker, { force: true })
      return O.none
    }
    await mustSucceed(makeLoadLabels(ports)(labels, byDemonstration(ports)))
    await seedLibrary(seeding)
    await seedFeed(seeding)
    await seedPeople(seeding)
    await seedNotifications(seeding)
    await seedPortfolio(seeding)
    const registered = await register(ports, known)
    await writePrivately(credentials, `${JSON.stringify(registered, null, 2)}\n`)
    await rm(marker, { force: true })
    return O.some(registered)
  })

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
  const files = demonstrationFiles(settings)
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
