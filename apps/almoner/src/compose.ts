import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  MIGRATIONS,
  type Migrator,
  makeMigrator,
  makeStore,
  type SchemaFault,
  type SchemaOutdated,
  type Store,
  schemaFaultText,
} from '@almoner/adapters-kysely'
import {
  openFolderMediaStore,
  openFolderPortfolioImages,
  portfolioImageChecker,
  renderSvg,
  sharpImageChecker,
} from '@almoner/adapters-media'
import { nodeRandom, nodeSecrets, nodeTimer, systemClock, uuidIds } from '@almoner/adapters-node'
import { openSqlite } from '@almoner/adapters-sqlite'
import type {
  MediaAddresses,
  PortfolioImageChecker,
  PortfolioImages,
  Ports,
  PushGateway,
  Unavailable,
} from '@almoner/domain'
import { memoryFailedAttempts } from '@almoner/domain/memory'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, failed, notAvailable } from './failure.ts'
import type { Settings } from './settings/definitions.ts'

/** An open database, whatever its schema. */
export interface Database {
  readonly migrator: Migrator
  /** To be used once the schema is current. */
  readonly store: Store
  readonly close: () => Promise<void>
}

const DATABASE = 'the database'
const MEDIA = 'the media folder'

/** The file of the database. */
export const databaseFile = (settings: Settings): string => resolve(settings.database)

/** Whether there is a database at all: opening one makes it. */
export const databaseExists = (settings: Settings): boolean => existsSync(databaseFile(settings))

/** The folder of the images. */
export const mediaFolder = (settings: Settings): string => resolve(settings.media)

/** The names of all migrations, in order. */
export const MIGRATION_NAMES: ReadonlyArray<string> = MIGRATIONS.map(({ name }) => name)

/** The line for a fault of the schema or the database. */
export const databaseFailure = (fault: SchemaFault | SchemaOutdated | Unavailable): Failure =>
  fault._tag === 'Unavailable' ? notAvailable(DATABASE)(fault) : failed(schemaFaultText(fault))

/** Opens the database of the settings. */
export const openDatabase = (settings: Settings): TE.TaskEither<Failure, Database> =>
  pipe(
    openSqlite({ file: databaseFile(settings) }),
    TE.bimap(notAvailable(DATABASE), (engine) => ({
      migrator: makeMigrator(engine, systemClock, MIGRATIONS),
      store: makeStore(engine),
      close: engine.close,
    })),
  )

/** Draws the demonstration's pictures. */
export const drawSvg = renderSvg

/** What commands need besides a store. */
export const nodePorts = (): Pick<Ports, 'clock' | 'ids' | 'secrets' | 'random' | 'timer'> => ({
  clock: systemClock,
  ids: uuidIds(),
  secrets: nodeSecrets(),
  random: nodeRandom,
  timer: nodeTimer,
})

const openPortfolioFolder = (settings: Settings): TE.TaskEither<Unavailable, PortfolioImages> =>
  openFolderPortfolioImages({ folder: join(mediaFolder(settings), 'portfolio'), clock: systemClock })

/** Opens the folder of the portfolio's images, for commands. */
export const openPortfolioImages = (settings: Settings): TE.TaskEither<Failure, PortfolioImages> =>
  pipe(openPortfolioFolder(settings), TE.mapLeft(notAvailable(MEDIA)))

/** Checks images of the portfolio. */
export const checkPortfolioImages = (): PortfolioImageChecker => portfolioImageChecker(sharpImageChecker())

/** What the database and the settings do not give. */
export interface Parts {
  readonly mediaAddresses: MediaAddresses
  readonly pushGateway: PushGateway
}

/** Everything that the domain asks for, on a store whose schema is current. */
export const composePorts = (
  settings: Settings,
  store: Store,
  { mediaAddresses, pushGateway }: Parts,
): TE.TaskEither<Failure, Ports> =>
  pipe(
    TE.Do,
    TE.bind('mediaStore', () => openFolderMediaStore({ folder: mediaFolder(settings), clock: systemClock })),
    TE.bind('portfolioImages', () => openPortfolioFolder(settings)),
    TE.bimap(notAvailable(MEDIA), ({ mediaStore, portfolioImages }) => ({
      ...nodePorts(),
      ...store,
      mediaStore,
      mediaAddresses,
      imageChecker: sharpImageChecker(),
      portfolioImages,
      portfolioImageChecker: checkPortfolioImages(),
      failedAttempts: memoryFailedAttempts(),
      pushGateway,
    })),
  )
