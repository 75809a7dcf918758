import { mediaAddressesBelow, type Policy } from '@almoner/domain'
import type { MediaAddresses } from '@almoner/domain/media'
import type { PushGateway } from '@almoner/domain/ports'
import * as O from 'fp-ts/lib/Option.js'
import type { Logger } from 'pino'
import { policyOf, type Settings } from '../config/definitions.ts'
import { urlOf } from '../config/network.ts'
import { failed, orFail } from '../failure.ts'
import {
  type DatabaseFile,
  databaseExists,
  databaseFailure,
  databaseFile,
  type OpenDatabase,
  openDatabase,
  type ServedDatabase,
} from './database.ts'
import { type Media, nodePorts, openMedia, type StorePorts } from './media.ts'
import { openPushGateway } from './push/gateway.ts'
import { type OpenProviders, openProviders } from './push/providers.ts'

/** The public address of the service. */
export interface ServiceAddress {
  /** Returns the base URL, without a slash at its end. With port 0, it is right once {@link listensOn} was called. */
  readonly baseUrl: () => string
  readonly mediaAddresses: MediaAddresses
  /** Sets the port that the service listens on. */
  readonly listensOn: (port: number) => void
}

/** Throws when only a running server knows the address: URLs with port 0 lead nowhere, and would go out in pushes and sign-in links. */
export const rejectUnknownAddress = ({ baseUrl, port }: Pick<Settings, 'baseUrl' | 'port'>): void => {
  if (O.isNone(baseUrl) && port === 0)
    throw failed(
      'ALMONER_PORT=0 lets the server choose its port, which this command does not know: set ALMONER_BASE_URL to the address of the service, or ALMONER_PORT to its port',
    )
}

/** Makes the address of the settings, or `http://HOST:PORT`. */
export const serviceAddress = (settings: Settings): ServiceAddress => {
  const below = (port: number) => {
    const url = O.getOrElse(() => urlOf({ host: settings.host, port }))(settings.baseUrl)
    return { url, media: mediaAddressesBelow(url) }
  }
  let current = below(settings.port)
  return {
    baseUrl: () => current.url,
    mediaAddresses: {
      urlOf: (name) => current.media.urlOf(name),
      nameOf: (url) => current.media.nameOf(url),
    },
    listensOn: (port) => {
      current = below(port)
    },
  }
}

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
