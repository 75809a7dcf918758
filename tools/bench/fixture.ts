import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { signToken } from '../../testing/oidc-provider/src/signing.ts'
import { migrate, newDatabase } from '../stress/database.ts'
import { type Settings, startServer } from '../stress/server.ts'
import type { BareOptions } from './baseline/bare.ts'
import type { FilesOptions } from './baseline/files.ts'
import type { PgOptions } from './baseline/pg.ts'
import type { SqlOptions } from './baseline/sql.ts'
import { makeDataset, type Size } from './dataset.ts'
import type { Burst, BurstResult } from './load.ts'
import { processesOf, startHelper } from './processes.ts'

/** A server under measurement. */
export interface Server {
  readonly url: string
  readonly pids: ReadonlyArray<number>
  stop(): Promise<void>
}

/** A database that services run on, and the secret of its client `reader`. */
export interface Database {
  readonly folder: string
  readonly settings: Settings
  readonly secret: string
}

/** The log holds warnings only, as the baselines have no log. Reviews run only where they are measured. */
const QUIET = { ALMONER_LOG_LEVEL: 'warn', ALMONER_REVIEW: 'off' }
const NO_CACHE = { ALMONER_CACHE: '0' }

const lazy = <A>(make: () => Promise<A>): (() => Promise<A>) => {
  let made: Promise<A> | undefined
  return () => (made ??= make())
}

/** Starts the service on a database. */
export const startService = async ({ folder, settings }: Database, more: Settings = {}): Promise<Server> => {
  const { url, process: child, ended } = await startServer(folder, { ...QUIET, ...settings, ...more })
  return {
    url,
    pids: processesOf(child.pid ?? 0),
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

const startBaseline = async (
  file: string,
  options: BareOptions | FilesOptions | PgOptions | SqlOptions,
): Promise<Server> => {
  const { pid, ask, stop } = startHelper(file)
  return { url: (await ask(options)) as string, pids: [pid], stop }
}

/** Starts an OTLP collector that discards everything. */
const startCollector = async () => {
  const server = createServer((request, response) => request.resume().on('end', () => response.end('{}')))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  server.unref()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Starts an identity provider that publishes one key, and makes an ID token of a person that lasts for a day. */
const startIdentityProvider = async () => {
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = { ...pair.publicKey.export({ format: 'jwk' }), kid: 'bench', alg: 'RS256', use: 'sig' }
  const server = createServer(({ url }, response) =>
    response.end(JSON.stringify(url === '/jwks' ? { keys: [key] } : { issuer, jwks_uri: `${issuer}/jwks` })),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  server.unref()
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const now = Math.floor(Date.now() / 1000)
  const person = { sub: 'ada-1', email: 'Ada@Example.org', email_verified: true }
  const claims = { iss: issuer, aud: 'app', iat: now, exp: now + 24 * 3600, ...person }
  return { issuer, key, token: signToken({ alg: 'RS256', kid: 'bench', typ: 'JWT' }, claims, pair) }
}

/** Makes the servers that workloads name. Each starts when it is first asked for, and stays, so that its code is compiled. */
export const makeFixture = (size: Size) => {
  const dataset = makeDataset(size)
  const stops: Array<() => Promise<void>> = []
  const load = startHelper('load.ts')
  const kept = (start: () => Promise<Server>) =>
    lazy(async () => {
      const server = await start()
      stops.unshift(server.stop)
      return server
    })
  const database = (kind: 'sqlite' | 'postgres', items: number) =>
    lazy(async (): Promise<Database> => {
      const folder = dataset.newFolder()
      const created = await newDatabase(kind, folder)
      stops.push(created.stop)
      const engine = await created.open()
      await migrate(engine)
      const secret = await dataset.fill(engine, items)
      await engine.close()
      return { folder, settings: created.settings, secret }
    })
  const [small, large] = [database('sqlite', size.items), database('sqlite', size.manyItems)]
  const [written, loaded] = [database('sqlite', size.items), database('sqlite', size.items)]
  const postgres = database('postgres', size.items)
  const people = lazy(startIdentityProvider)
  const sql = (of: () => Promise<Database>) => async () => {
    const [file, source] = [join(dataset.newFolder(), 'own.db'), join((await of()).folder, 'almoner.db')]
    const { issuer, key } = await people()
    return startBaseline('baseline/sql.ts', { file, source, issuer, key })
  }
  return {
    dataset,
    databases: { small, written, loaded },
    people,
    servers: {
      cached: kept(async () => startService(await small())),
      withoutConsole: kept(async () => startService(await small(), { ALMONER_CONSOLE: 'off' })),
      uncached: kept(async () => startService(await small(), NO_CACHE)),
      many: kept(async () => startService(await large(), NO_CACHE)),
      written: kept(async () => startService(await written())),
      workers: kept(async () => startService(await small(), { ...NO_CACHE, ALMONER_WORKERS: '2' })),
      postgres: kept(async () => startService(await postgres(), NO_CACHE)),
      traced: kept(async () =>
        startService(await small(), { OTEL_EXPORTER_OTLP_ENDPOINT: await startCollector() }),
      ),
      pg: kept(async () => {
        const { ALMONER_DATABASE: database = '' } = (await postgres()).settings
        return startBaseline('baseline/pg.ts', { database })
      }),
      sql: kept(sql(small)),
      sqlWritten: kept(sql(written)),
      people: kept(async () => {
        const settings = { ALMONER_USER_ISSUER: (await people()).issuer, ALMONER_USER_AUDIENCE: 'app' }
        return startService(await written(), settings)
      }),
    },
    /** Starts bare Fastify with one fixed answer. */
    bare: async (answer: BareOptions['answer']): Promise<Server> => {
      const server = await startBaseline('baseline/bare.ts', {
        grants: Object.values(dataset.grants),
        answer,
      })
      stops.unshift(server.stop)
      return server
    },
    /** Starts `@fastify/static` with one file. */
    files: async (file: Omit<FilesOptions, 'folder'>): Promise<Server> => {
      const server = await startBaseline('baseline/files.ts', { ...file, folder: dataset.newFolder() })
      stops.unshift(server.stop)
      return server
    },
    fire: async (burst: Burst) => (await load.ask(burst)) as BurstResult,
    stop: async () => {
      await load.stop()
      for (const stop of stops) await stop()
      dataset.remove()
    },
  }
}

/** The servers, databases and the load generator of a run. */
export type Fixture = ReturnType<typeof makeFixture>
/** A server that workloads name. */
export type ServerName = keyof Fixture['servers']
