import type { MediaSource } from '@almoner/adapters-http'
import { readHttpsProxy } from '@almoner/adapters-node'
import type { HostKysely, PostgresPool } from '@almoner/adapters-postgres'
import type { PushLine } from '@almoner/adapters-push'
import { openLinkChecker } from '@almoner/adapters-push/links'
import type { SqliteHandle } from '@almoner/adapters-sqlite'
import {
  type Almoner,
  createAlmoner,
  DEFAULT_POLICY,
  mediaAddressesBelow,
  type Policy,
} from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { databaseLocation, mediaLocation } from '../config/media.ts'
import { baseUrl as parseBaseUrl } from '../config/network.ts'
import { failed, orFail, orThrow } from '../failure.ts'
import { type DatabaseSource, databaseFailure, type OpenDatabase, openDatabase } from './database.ts'
import { composePorts, openIdTokens, openMedia } from './media.ts'
import { type Parse, shareCounts } from './node.ts'
import { openHostGateway, type PushTarget } from './push/host-gateway.ts'

/** How to open Almoner in a program of your own. */
export interface AlmonerOptions {
  /**
   * `sqlite:./data/almoner.db`, `postgres://user:password@host/database`, an open `pg.Pool`, an open database of better-sqlite3, or a Kysely instance
   * on either. Only the server or the file is used, and Almoner opens its own connections; of Kysely on PostgreSQL, three connections are borrowed.
   */
  readonly database: string | PostgresPool | SqliteHandle | HostKysely
  /** PostgreSQL: the schema of the tables, which must hold nothing else. It is created if missing. */
  readonly schema?: string
  /** SQLite: what the names of the tables begin with, such as `almoner_`, in a file with tables of yours. */
  readonly prefix?: string
  /**
   * Whether missing migrations are applied, which is the default, or reject with their names, because your own runner applies them: see
   * `postgresMigrations` and `sqliteMigrations`.
   */
  readonly migrations?: 'apply' | 'require'
  /** `file:./data/media`, or `s3://bucket/prefix?endpoint=…&region=…` with credentials in the usual variables of AWS. */
  readonly media: string
  /** The URL of the API for its clients, with the prefix of the plugin: `https://www.example.org/charity`. */
  readonly baseUrl: string
  /** The push providers. By default no push is sent, and a line for each is written to stderr. */
  readonly push?: PushTarget
  /** What differs from `DEFAULT_POLICY`. */
  readonly policy?: Partial<Policy>
}

/** All use cases, with the adapters that they use. */
export interface OpenAlmoner extends Almoner {
  /** The stored images, which `almonerPlugin` of `@almoner/adapters-http` serves. */
  readonly images: MediaSource
  /** Closes what was opened. Close the HTTP server and end the reviews first. A second call does nothing. */
  readonly close: () => Promise<void>
}

/** Reads an option as the setting of the server of the same meaning. */
const read = <A>(name: keyof AlmonerOptions, value: unknown, parse: Parse<A>): A => {
  const parsed = typeof value === 'string' ? parse(value, process.env) : E.left('must be given as text')
  if (E.isLeft(parsed)) throw failed(`the option ${name} of openAlmoner ${parsed.left}`)
  return parsed.right
}

const isPool = (database: object): database is PostgresPool => 'totalCount' in database
const isKysely = (database: object): database is HostKysely => 'getExecutor' in database

const sourceOfKysely = async (kysely: HostKysely): Promise<DatabaseSource> => {
  // A host may have another copy of Kysely, so that its classes are known by name.
  const engine = kysely.getExecutor().adapter.constructor.name
  if (/sqlite/i.test(engine)) {
    const { fileOfKysely } = await import('@almoner/adapters-sqlite')
    return { kind: 'sqlite', path: await fileOfKysely(kysely) }
  }
  if (/postgres/i.test(engine)) return { kind: 'kysely', kysely }
  throw failed('the option database of openAlmoner is a Kysely instance of neither SQLite nor PostgreSQL')
}

const sourceOf = async (database: AlmonerOptions['database']): Promise<DatabaseSource> => {
  if (typeof database !== 'object' || database === null) return read('database', database, databaseLocation)
  if (isPool(database)) return { kind: 'pool', pool: database }
  if (isKysely(database)) return sourceOfKysely(database)
  const { fileOfHandle } = await import('@almoner/adapters-sqlite')
  return { kind: 'sqlite', path: fileOfHandle(database) }
}

/** Returns the source with the place of the tables in it, which belongs to its engine. */
const placed = (source: DatabaseSource, { schema, prefix }: AlmonerOptions): DatabaseSource => {
  const isFile = source.kind === 'sqlite'
  if (isFile && schema !== undefined)
    throw failed('the option schema of openAlmoner is for PostgreSQL: SQLite has no schemas, use prefix')
  if (!isFile && prefix !== undefined)
    throw failed('the option prefix of openAlmoner is for SQLite: use schema on PostgreSQL')
  return { ...source, ...(schema !== undefined && { schema }), ...(prefix !== undefined && { prefix }) }
}

const toStderr = (line: PushLine): void => {
  process.stderr.write(`${JSON.stringify({ msg: 'push', sent: false, ...line })}\n`)
}

/** Rejects with the names of the migrations that the host's runner has not applied. */
const requireCurrent = async ({ migrator }: Pick<OpenDatabase, 'migrator'>): Promise<void> => {
  const { pending } = await orFail(migrator.plan(), databaseFailure)
  if (pending.length > 0)
    throw failed(
      `the database lacks the migrations ${pending.join(', ')}: apply them with your own runner first`,
    )
}

/**
 * Opens database, image storage and push providers, migrates the database, and returns all use cases. It loads only the adapters that the options name.
 * Rejects with an Error whose message names the option or the system, and the fix; nothing stays open then.
 * @example
 * const almoner = await openAlmoner({
 *   database: 'sqlite:./data/almoner.db',
 *   media: 'file:./data/media',
 *   baseUrl: 'https://www.example.org/charity',
 * })
 */
export const openAlmoner = async (options: AlmonerOptions): Promise<OpenAlmoner> => {
  const { push = { log: toStderr } } = options
  const policy: Policy = { ...DEFAULT_POLICY, ...options.policy }
  const mediaAddresses = mediaAddressesBelow(read('baseUrl', options.baseUrl, parseBaseUrl))
  const mediaSettings = {
    media: read('media', options.media, mediaLocation),
    mediaServe: { kind: 'proxy' },
    proxy: orThrow(readHttpsProxy(process.env), (why) => new Error(why)),
  } as const
  const source = placed(await sourceOf(options.database), options)

  const closing: Array<() => unknown> = []
  const close = async () => {
    for (const one of closing.splice(0).reverse()) await one()
  }
  const opened = async <A extends { readonly close: () => unknown }>(opening: Promise<A>): Promise<A> => {
    const part = await opening
    closing.push(part.close)
    return part
  }
  try {
    // The gateway comes first: wrong credentials leave the database untouched.
    const { gateway: pushGateway } = await opened(openHostGateway(push, policy))
    const onFilesGone = (fault: string) => process.emitWarning(fault, { code: 'ALMONER_DATABASE_FILES' })
    const settings = { database: source, workers: 1, accelerators: true }
    const database = await opened(openDatabase(settings, { onFilesGone }))
    if (options.migrations === 'require') await requireCurrent(database)
    else await orFail(database.migrator.migrate(), databaseFailure)
    const media = await opened(openMedia(mediaSettings))
    const { failedAttempts, keepExchanging } = shareCounts(database.clock, undefined)
    const linkChecker = await opened(Promise.resolve(openLinkChecker({ service: () => options.baseUrl })))
    const idTokens = await openIdTokens(policy, database.clock, mediaSettings.proxy)
    const parts = { database, media, pushGateway, linkChecker, mediaAddresses, failedAttempts, idTokens }
    const ports = composePorts(parts)
    if (source.kind !== 'sqlite') closing.push(keepExchanging(ports))
    return { ...createAlmoner(ports, policy), images: media.source, close }
  } catch (cause) {
    await close()
    throw cause
  }
}
