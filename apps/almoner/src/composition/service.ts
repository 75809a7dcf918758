import type { Policy } from '@almoner/domain'
import type { PushGateway } from '@almoner/domain/ports'
import type { Logger } from 'pino'
import type { Settings } from '../config/definitions.ts'
import { policyOf } from '../config/policy.ts'
import { orFail } from '../failure.ts'
import { type ServiceAddress, serviceAddress } from './address.ts'
import {
  databaseExists,
  databaseFailure,
  type OpenDatabase,
  openDatabase,
  type ServedDatabase,
} from './database.ts'
import { type DatabaseFile, databaseFile } from './database-file.ts'
import { type Media, openMedia } from './media.ts'
import { nodePorts, type StorePorts } from './ports.ts'
import { openPushGateway } from './push/gateway.ts'
import { type OpenProviders, openProviders } from './push/providers.ts'

/** A service whose parts are opened when they are first used. Each rejects with a `CommandFailed` when it cannot be opened. */
export interface Service {
  readonly settings: Settings
  readonly policy: Policy
  readonly address: ServiceAddress
  /** Returns whether there is a database, because opening a SQLite file creates it. */
  readonly databaseExists: () => boolean
  /** The SQLite file; undefined where a server has the database. */
  readonly databaseFile: DatabaseFile | undefined
  /** Opens the database with any schema. */
  readonly database: () => Promise<OpenDatabase>
  /** Opens the database, migrates an empty one, and rejects an older schema by naming `almoner migrate`. */
  readonly ports: () => Promise<StorePorts>
  readonly media: () => Promise<Media>
  readonly pushGateway: () => Promise<PushGateway>
  readonly providers: () => Promise<OpenProviders>
  /** Closes all that was opened. */
  readonly close: () => Promise<void>
}

/** Composes a service of which nothing is open yet. `logger` is made when pushes go to the log. */
export const makeService = (
  settings: Settings,
  logger: () => Logger,
  served: Partial<ServedDatabase> = {},
): Service => {
  const closing: Array<() => unknown> = []
  let isClosed = false
  const once = <A extends { readonly close: () => unknown }>(open: () => Promise<A>): (() => Promise<A>) => {
    let opening: Promise<A> | undefined
    const first = async () => {
      const opened = await open()
      // What opens after its time limit has passed has no user any more.
      if (isClosed) await opened.close()
      else closing.push(opened.close)
      return opened
    }
    return () => (opening ??= first())
  }
  const database = once(() => openDatabase(settings, served))
  const gateway = once(() => openPushGateway(settings, logger()))
  return {
    settings,
    policy: policyOf(settings),
    address: serviceAddress(settings),
    databaseExists: () => databaseExists(settings),
    databaseFile: databaseFile(settings),
    database,
    ports: async () => {
      const { migrator, store, clock } = await database()
      await orFail(migrator.ensureCurrent(), databaseFailure)
      return { ...nodePorts(clock), ...store }
    },
    media: once(() => openMedia(settings)),
    pushGateway: async () => (await gateway()).gateway,
    providers: once(() => openProviders(settings)),
    close: async () => {
      isClosed = true
      for (const close of closing.splice(0)) await close()
    },
  }
}
