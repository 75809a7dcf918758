import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import {
  type Client,
  EVERYTHING,
  makeAddClient,
  makeLoadLabels,
  makeRotateSecret,
  type Ports,
  type Unavailable,
} from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import labels from '../../demo/labels.json' with { type: 'json' }
import { type Credentials, credentialsDocument } from '../commands/client/document.ts'
import { DEMO_CLIENTS } from './clients.ts'
import { type DemoFiles, writePrivately } from './files.ts'
import { seedFeed, seedLibrary } from './items.ts'
import { withLock } from './lock.ts'
import { seedNotifications } from './notifications.ts'
import { seedPeople } from './people.ts'
import { seedPortfolio } from './portfolio.ts'
import { existing, mustSucceed, type Seeding, untilOutage } from './seeding.ts'

type Registered = ReadonlyArray<Credentials>

const ONE = { ...EVERYTHING, lim: O.some(1) }

const hasUsers = async (ports: Ports): Promise<boolean> => {
  for await (const batch of ports.users.all()) if (batch.length > 0) return true
  return false
}

const isEmpty = async (ports: Ports): Promise<boolean> => {
  for (const collection of [ports.libraryItems, ports.feedItems, ports.notifications])
    if ((await existing<{ readonly title: string }>(collection, ONE)).size > 0) return false
  return !(await hasUsers(ports)) && (await mustSucceed(ports.portfolio.head())).organizations === 0
}

/**
 * Whether to seed: an empty database, or one that an interrupted seeding began to fill. The marker alone does not prove the latter,
 * because the database beside it may have been replaced.
 */
const isWanted = async (ports: Ports, marker: string, known: ReadonlyArray<Client>): Promise<boolean> => {
  const areOurs = known.every(({ id }) => DEMO_CLIENTS.some((ours) => ours.id === id))
  return (existsSync(marker) && areOurs) || (known.length === 0 && (await isEmpty(ports)))
}

/** Registers the clients. One that an interrupted seeding has registered gets a new secret, because the first was never shown. */
const register = async (ports: Ports, known: ReadonlyArray<Client>): Promise<Registered> => {
  const registered: Array<Credentials> = []
  for (const client of DEMO_CLIENTS) {
    const isKnown = known.some(({ id }) => id === client.id)
    const secret = isKnown ? makeRotateSecret(ports)(client.id, O.none) : makeAddClient(ports)(client)
    registered.push(credentialsDocument(await mustSucceed(secret)))
  }
  return registered
}

const seed = async (
  seeding: Seeding,
  { marker, credentials }: DemoFiles,
  known: ReadonlyArray<Client>,
): Promise<Registered> => {
  await writePrivately(marker, 'Demonstration content is being loaded into the database beside this file.\n')
  await mustSucceed(makeLoadLabels(seeding.ports)(labels))
  await seedLibrary(seeding)
  await seedFeed(seeding)
  await seedPeople(seeding)
  await seedNotifications(seeding)
  await seedPortfolio(seeding)
  const registered = await register(seeding.ports, known)
  await writePrivately(credentials, `${JSON.stringify(registered, null, 2)}\n`)
  await rm(marker, { force: true })
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
  files: DemoFiles,
): TE.TaskEither<Unavailable, O.Option<Registered>> => {
  const { ports } = seeding
  const whenWanted = async (work: (known: ReadonlyArray<Client>) => Promise<O.Option<Registered>>) => {
    const known = await mustSucceed(ports.clients.all())
    return (await isWanted(ports, files.marker, known)) ? work(known) : O.none
  }
  return untilOutage(() =>
    // Checked again under the lock: another process may have just finished.
    whenWanted(() =>
      withLock(files.lock, () => whenWanted(async (known) => O.some(await seed(seeding, files, known)))),
    ),
  )
}
