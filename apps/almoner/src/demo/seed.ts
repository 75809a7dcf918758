import {
  type Client,
  makeAddClient,
  makeLoadLabels,
  makeRotateSecret,
  type PortfolioHead,
  type Ports,
  type Unavailable,
} from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import labels from '../../demo/labels.json' with { type: 'json' }
import { type Credentials, credentialsDocument } from '../commands/client/document.ts'
import { alone } from './claim.ts'
import { DEMO_CLIENTS } from './clients.ts'
import { seedFeed } from './feed.ts'
import { type DemoFiles, isThere, remove, writePrivately } from './files.ts'
import { isBare, isDeserted } from './held.ts'
import { seedLibrary } from './library.ts'
import { seedNotifications } from './notifications.ts'
import { seedPeople } from './people.ts'
import { seedPortfolio } from './portfolio.ts'
import { mustSucceed, oneByOne, type Seeding } from './seeding.ts'

type Registered = ReadonlyArray<Credentials>

const isEmpty = (ports: Ports, clients: ReadonlyArray<Client>): TE.TaskEither<Unavailable, boolean> =>
  clients.length > 0
    ? TE.right(false)
    : pipe(
        TE.sequenceSeqArray([
          isBare(ports.libraryItems),
          isBare(ports.feedItems),
          isBare(ports.notifications),
          isDeserted(ports.users),
          TE.map(({ organizations }: PortfolioHead) => organizations === 0)(ports.portfolio.head()),
        ]),
        TE.map((bare) => bare.every((one) => one)),
      )

/** Whether nobody but an earlier, interrupted seeding has registered these clients. */
const areOurs = (clients: ReadonlyArray<Client>): boolean =>
  clients.every(({ id }) => DEMO_CLIENTS.some((ours) => ours.id === id))

/**
 * Whether there is anything to do: in an empty database, and in one that a seeding has begun to fill and not finished. Its
 * marker alone is not believed, because another database may have been put in its place.
 */
const isWanted = (
  ports: Ports,
  files: DemoFiles,
  clients: ReadonlyArray<Client>,
): TE.TaskEither<Unavailable, boolean> =>
  isThere(files.marker) && areOurs(clients) ? TE.right(true) : isEmpty(ports, clients)

/** A client that an interrupted seeding has registered gets a new secret: nobody was told the first. */
const register =
  (ports: Ports, known: ReadonlyArray<Client>) =>
  (client: Client): TE.TaskEither<Unavailable, Credentials> =>
    pipe(
      known.some(({ id }) => id === client.id)
        ? mustSucceed(makeRotateSecret(ports)(client.id, O.none))
        : mustSucceed(makeAddClient(ports)(client)),
      TE.map(credentialsDocument),
    )

const fill = (
  seeding: Seeding,
  files: DemoFiles,
  known: ReadonlyArray<Client>,
): TE.TaskEither<Unavailable, Registered> =>
  pipe(
    writePrivately(
      files.marker,
      'Demonstration content is being loaded into the database beside this file.\n',
    ),
    TE.flatMap(() => mustSucceed(makeLoadLabels(seeding.ports)(labels))),
    TE.flatMap(() => seedLibrary(seeding)),
    TE.flatMap(() => seedFeed(seeding)),
    TE.flatMap(() => seedPeople(seeding)),
    TE.flatMap(() => seedNotifications(seeding)),
    TE.flatMap(() => seedPortfolio(seeding)),
    TE.flatMap(() => oneByOne(DEMO_CLIENTS, register(seeding.ports, known))),
    TE.tap((clients) => writePrivately(files.credentials, `${JSON.stringify(clients, null, 2)}\n`)),
    TE.tap(() => remove(files.marker)),
  )

const whenWanted = <A>(
  { ports }: Seeding,
  files: DemoFiles,
  work: (known: ReadonlyArray<Client>) => TE.TaskEither<Unavailable, O.Option<A>>,
): TE.TaskEither<Unavailable, O.Option<A>> =>
  pipe(
    TE.Do,
    TE.bind('known', () => ports.clients.all()),
    TE.bind('wanted', ({ known }) => isWanted(ports, files, known)),
    TE.flatMap(({ known, wanted }) => (wanted ? work(known) : TE.right(O.none))),
  )

/**
 * Fills an empty database with demonstration labels, items, users, notifications, a portfolio and clients; gives the clients' credentials, which are also kept in a
 * file. None when the database is not empty: then nothing changes.
 *
 * A crash at any moment leaves the marker, and the next try finishes the work: every step looks at what is there already, the
 * clients come last, and the marker goes when their credentials are safe. Only one process seeds a database at a time:
 * Unavailable while another one does.
 */
export const seedDemo = (
  seeding: Seeding,
  files: DemoFiles,
): TE.TaskEither<Unavailable, O.Option<Registered>> =>
  whenWanted(seeding, files, () =>
    // Asked again once nobody else can be seeding: another process may have just finished.
    alone(
      files.claim,
      whenWanted(seeding, files, (known) => TE.map(O.some<Registered>)(fill(seeding, files, known))),
    ),
  )
