import type { AddOperation } from '@almoner/adapters-http'
import {
  MIGRATIONS,
  type Migrator,
  makeMigrator,
  makeStore,
  makeTransferStore,
  type SchemaFault,
  type SchemaOutdated,
  type Store,
  schemaFaultText,
  type TransferStore,
} from '@almoner/adapters-kysely'
import { portfolioImageChecker, sharpImageChecker } from '@almoner/adapters-media'
import { nodeRandom, nodeSecrets, nodeTimer, systemClock, uuidIds } from '@almoner/adapters-node'
import {
  type Clock,
  type FailedAttempts,
  isUnavailable,
  type MediaAddresses,
  type PortfolioImageChecker,
  type Ports,
  type PushGateway,
  type Unavailable,
} from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, failed, notAvailable } from '../cli/failure.ts'
import type { Settings } from '../config/definitions.ts'
import { accelerated } from './accelerators.ts'
import { openEngine } from './database.ts'
import { instrumentedDatabase } from './instrumented-database.ts'
import type { Media } from './media.ts'

/** An open database, whatever its schema. */
export interface Database {
  readonly migrator: Migrator
  /** To be used once the schema is current. */
  readonly store: Store
  /** To be used once the schema is current. */
  readonly transfer: TransferStore
  /** The time that all processes on the database agree upon. */
  readonly clock: Clock
  /** A number that another one takes the place of once data may have changed. */
  readonly version: () => number
  /** As {@link version}, for who may do what alone. */
  readonly accessVersion: () => number
  /** Returns the bytes of the write-ahead log; absent where a server has the database. */
  readonly logBytes?: () => number
  readonly close: () => Promise<void>
}

const DATABASE = 'the database'

/** The names of all migrations, in order. */
export const MIGRATION_NAMES: ReadonlyArray<string> = MIGRATIONS.map(({ name }) => name)

/** The line for a fault of the schema or the database. */
export const databaseFailure = (fault: SchemaFault | SchemaOutdated | Unavailable): Failure =>
  isUnavailable(fault) ? notAvailable(DATABASE)(fault) : failed(schemaFaultText(fault))

/** What a server asks of its database; commands ask for none of it. */
export interface ServedDatabase {
  /** Hears how long each operation takes. */
  readonly told: AddOperation
  /** Milliseconds for which a client may read one collection from SQLite. */
  readonly snapshotLife: number
}

/** Opens the database of the settings. */
export const openDatabase = (
  settings: Settings,
  { told, snapshotLife }: Partial<ServedDatabase> = {},
): TE.TaskEither<Failure, Database> =>
  pipe(
    openEngine(settings, snapshotLife),
    TE.map((open) =>
      told === undefined ? open : { ...open, engine: instrumentedDatabase(open.engine, told) },
    ),
    TE.bimap(notAvailable(DATABASE), ({ engine, clock, logBytes, close, ...rest }) => ({
      migrator: makeMigrator(engine, clock, MIGRATIONS),
      store: accelerated(makeStore(engine), { engine, clock, close, ...rest }),
      transfer: makeTransferStore(engine),
      clock,
      version: () => engine.version('data'),
      accessVersion: () => engine.version('permissions'),
      ...(logBytes && { logBytes }),
      close,
    })),
  )

/** What commands need besides a store. The clock is the database's, where there is one. */
export const nodePorts = (
  clock: Clock = systemClock,
): Pick<Ports, 'clock' | 'ids' | 'secrets' | 'random' | 'timer'> => ({
  clock,
  ids: uuidIds(),
  secrets: nodeSecrets(),
  random: nodeRandom,
  timer: nodeTimer,
})

/** Checks images of the portfolio. */
export const checkPortfolioImages = (): PortfolioImageChecker => portfolioImageChecker(sharpImageChecker())

/** What the database and the settings do not give. */
export interface Parts {
  readonly media: Media
  readonly mediaAddresses: MediaAddresses
  readonly pushGateway: PushGateway
  readonly failedAttempts: FailedAttempts
}

/** Everything that the domain asks for, on a store whose schema is current. */
export const composePorts = (
  { store, clock }: Pick<Database, 'store' | 'clock'>,
  { media: { mediaStore, portfolioImages }, ...parts }: Parts,
): Ports => ({
  ...nodePorts(clock),
  ...store,
  ...parts,
  mediaStore,
  imageChecker: sharpImageChecker(),
  portfolioImages,
  portfolioImageChecker: checkPortfolioImages(),
})
