import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  folderImageFiles,
  openFolderMediaStore,
  openFolderPortfolioImages,
  portfolioImageChecker,
  sharpImageChecker,
  withRenditions,
} from '@almoner/adapters-media'
import { nodeSecrets, nodeTimer, uuidIds } from '@almoner/adapters-node'
import {
  type Client,
  type ClientId,
  DEFAULT_POLICY,
  type Email,
  mediaAddressesBelow,
  type Policy,
  type Ports,
  type Scope,
} from '@almoner/domain'
import { makeRotateSecret, memoryFailedAttempts, type Role } from '@almoner/domain/access'
import { makeLoadLabels } from '@almoner/domain/content'
import { done } from '@almoner/testkit/contracts'
import {
  evenRandom,
  memoryIdTokens,
  memoryLinkChecker,
  memoryPushGateway,
  plainSecrets,
  type SetClock,
  setClock,
} from '@almoner/testkit/memory'
import * as O from 'fp-ts/lib/Option.js'
import { type Level, pino } from 'pino'
import {
  buildServer,
  type CacheOptions,
  itemCache,
  previewTokens,
  responseCache,
  type ServerOptions,
} from '../../src/index.ts'
import { basePathOf } from '../../src/lifecycle/connections.ts'
import { type StoreName, storesFilledBy } from './stores.ts'
import { watchAgreement } from './watching.ts'

export { done } from '@almoner/testkit/contracts'
export { STORES, type StoreName } from './stores.ts'

export const BASE_URL = 'https://almoner.example.org'

/** The callers in tests: one client for each kind of caller. */
export const CLIENTS = {
  user: { scopes: ['user'], roles: [] },
  donor: { scopes: ['user', 'user-donor'], roles: [], email: 'amina@example.org' },
  manager: { scopes: ['content-manager'], roles: [] },
  admin: { scopes: ['user'], roles: ['super-admin'] },
  userManager: { scopes: ['user-donor'], roles: ['user-manager'] },
} as const satisfies Record<
  string,
  { scopes: ReadonlyArray<Scope>; roles: ReadonlyArray<Role>; email?: string }
>

export type Who = keyof typeof CLIENTS

export const LABELS = [
  { labelId: 'water', en: 'Water', fr: 'Eau' },
  { labelId: 'health', en: 'Health', fr: 'Santé' },
]

const clientOf = (
  id: string,
  shape: { scopes: ReadonlyArray<Scope>; roles: ReadonlyArray<Role>; email?: string },
): Client => ({
  id: id as ClientId,
  name: id,
  scopes: shape.scopes,
  roles: shape.roles,
  email: O.fromNullable(shape.email as Email | undefined),
  disabled: false,
})

/** The default secrets of the clients. */
const SECRETS: Partial<Record<Who, string>> = Object.fromEntries(
  Object.keys(CLIENTS).map((who) => [who, `secret of ${who}`]),
)

/** Stores that know the clients, under {@link SECRETS}, and the labels. */
const openStore = storesFilledBy(async ({ clients, labels }) => {
  const { digest } = plainSecrets()
  for (const [who, shape] of Object.entries(CLIENTS))
    await done(clients.add(clientOf(who, shape), digest(SECRETS[who as Who] ?? '')))
  await done(makeLoadLabels({ labels })(LABELS))
})

/** A request of a test; omitted parts are not sent. */
export interface Send {
  readonly as?: Who
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly form?: ConstructorParameters<typeof URLSearchParams>[0]
  readonly multipart?: FormData
  readonly body?: string | Uint8Array
}

/** Images outside a folder. */
export interface FixtureImages extends Pick<Ports, 'mediaStore' | 'portfolioImages'> {
  readonly media: ServerOptions['media']
  readonly close: () => void
}

export interface FixtureOptions
  extends Partial<
    Pick<ServerOptions, 'rateLimit' | 'maxDelay' | 'corsOrigins' | 'trustProxy' | 'keepAlive' | 'everySecond'>
  > {
  readonly store?: StoreName
  readonly policy?: Partial<Policy>
  readonly realSecrets?: boolean
  readonly ready?: () => Promise<ReadonlyArray<string>>
  /** Further parts of the server, such as the console. */
  readonly parts?: (
    ports: Ports,
    changes: Pick<CacheOptions, 'version'> | undefined,
  ) => ServerOptions['parts']
  /** Replaces ports of the server, to make them fail or wait. */
  readonly wrap?: (ports: Ports) => Ports
  /** How many bytes of answers are kept; some MiB unless given, but nothing where ports are a test's own or in memory. */
  readonly keep?: number
  /** Whether answers are not compared with the OpenAPI document, which takes longer than the service takes to send them. */
  readonly unwatched?: boolean
  /** Trace unless given. */
  readonly logLevel?: Level
  /** Where the server says that it is; {@link BASE_URL} unless given. */
  readonly baseUrl?: string
  /** The image folder; a new one by default. */
  readonly images?: () => Promise<FixtureImages>
  /** The source of change signals, if not the store. */
  readonly versions?: Pick<CacheOptions, 'version'>
  /** The server that ran on this folder before: its clients, labels and secrets are there already. SQLite only. */
  readonly after?: { readonly ports: Pick<Ports, 'secrets'>; readonly secrets: Partial<Record<Who, string>> }
}

const openFolder = async (folder: string, clock: SetClock): Promise<FixtureImages> => {
  const mediaStore = await done(openFolderMediaStore({ folder, clock }))
  const imageFiles = folderImageFiles(folder)
  const { render } = withRenditions({ mediaStore, imageFiles }, nodeTimer)
  return {
    mediaStore,
    portfolioImages: await done(openFolderPortfolioImages({ folder: join(folder, 'portfolio'), clock })),
    media: { files: imageFiles, folder, render },
    close: () => {},
  }
}

/** Gives every client a new secret. */
const renewSecrets = async (ports: Ports): Promise<Partial<Record<Who, string>>> => {
  const secrets: Partial<Record<Who, string>> = {}
  for (const who of Object.keys(CLIENTS) as ReadonlyArray<Who>)
    secrets[who] = (await done(makeRotateSecret(ports)(who as string as ClientId, O.none))).secret
  return secrets
}

/** The ports of one test, and the resources behind them. */
export const openBackend = async (folder: string, mediaFolder: string, options: FixtureOptions) => {
  const { after, realSecrets = false, baseUrl = BASE_URL } = options
  const clock = setClock(Date.UTC(2026, 4, 1, 12))
  mkdirSync(mediaFolder, { recursive: true })
  const {
    store,
    versions = options.versions,
    url,
    close,
  } = await openStore(options.store ?? 'sqlite', folder)
  const images = await (options.images?.() ?? openFolder(mediaFolder, clock))
  const ports: Ports = {
    ...store,
    clock,
    ids: uuidIds(),
    secrets: after?.ports.secrets ?? (realSecrets ? nodeSecrets() : plainSecrets()),
    failedAttempts: memoryFailedAttempts(),
    idTokens: memoryIdTokens(clock),
    mediaStore: images.mediaStore,
    mediaAddresses: mediaAddressesBelow(baseUrl),
    imageChecker: sharpImageChecker(),
    linkChecker: memoryLinkChecker(),
    pushGateway: memoryPushGateway(),
    random: evenRandom,
    timer: { wait: () => async () => {} },
    portfolioImages: images.portfolioImages,
    portfolioImageChecker: portfolioImageChecker(sharpImageChecker()),
  }
  const lines: Array<string> = []
  const secrets = after?.secrets ?? (realSecrets ? await renewSecrets(ports) : SECRETS)
  const stop = async () => {
    images.close()
    await close()
  }
  return {
    folder,
    mediaFolder,
    ports,
    clock,
    versions,
    secrets,
    media: images.media,
    lines,
    database: url,
    closeStore: close,
    close: stop,
  }
}

export type Backend = Awaited<ReturnType<typeof openBackend>>

/** The default size of the response cache in bytes. */
const KEPT = process.env['TEST_ACCELERATORS'] === 'off' ? 0 : 4 * 1024 * 1024

/** A server on a real socket. It has its backend by these functions, so that it may be given another one. */
export const startServer = async (
  ports: Ports,
  { media, versions }: Pick<Backend, 'media' | 'versions'>,
  write: (line: string) => void,
  options: FixtureOptions,
) => {
  const bytes = options.keep ?? (options.wrap === undefined ? KEPT : 0)
  const wrapped = options.wrap?.(ports) ?? ports
  const { app, shutdown } = await buildServer({
    ports: wrapped,
    policy: { ...DEFAULT_POLICY, ...options.policy },
    baseUrl: () => options.baseUrl ?? BASE_URL,
    logger: pino({ level: options.logLevel ?? 'trace' }, { write }),
    media,
    version: '9.9.9',
    metrics: true,
    ready: options.ready ?? (async () => []),
    rateLimit: options.rateLimit,
    maxDelay: options.maxDelay,
    corsOrigins: options.corsOrigins,
    keepAlive: options.keepAlive,
    trustProxy: options.trustProxy,
    everySecond: options.everySecond,
    parts: options.parts?.(wrapped, versions),
    extensions: [
      ...(versions === undefined || bytes === 0 ? [] : [itemCache(), responseCache({ bytes, ...versions })]),
      previewTokens,
    ],
  })
  const wrong: Array<string> = []
  const basePath = basePathOf(options.baseUrl ?? BASE_URL)
  // From a path that begins as one of the service, only the proxy takes it off.
  const handedOn = /^\/(?:console|library|feed)(?:\/|$)/.test(basePath) ? '' : basePath
  if (options.unwatched !== true)
    watchAgreement(app.server, handedOn, (disagreement) => wrong.push(disagreement))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  /** Fails if a response since the last call did not match the OpenAPI document (I3). */
  const agree = () => {
    const found = wrong.splice(0)
    if (found.length > 0) throw new Error(`answers differ from the document:\n${found.join('\n')}`)
  }
  return { app, shutdown, url, agree }
}

export type Server = Awaited<ReturnType<typeof startServer>>

const bodyOf = (send: Send): RequestInit => {
  if (send.json !== undefined)
    return { body: JSON.stringify(send.json), headers: { 'content-type': 'application/json' } }
  if (send.form !== undefined) return { body: new URLSearchParams(send.form) }
  if (send.multipart !== undefined) return { body: send.multipart }
  return send.body === undefined ? {} : { body: send.body as NonNullable<RequestInit['body']> }
}

/** The operations of a test on a server. */
export const fixtureOn = ({ app, shutdown, url }: Server, backend: Backend, stop: () => Promise<void>) => {
  const { ports, clock, versions, lines, secrets, folder, mediaFolder, database, closeStore } = backend
  const tokens = new Map<Who, string>()

  const token = async (who: Who): Promise<string> => {
    const known = tokens.get(who)
    if (known !== undefined) return known
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: who,
      client_secret: secrets[who] ?? '',
    })
    const response = await fetch(`${url}/oauth2/get-token`, { method: 'POST', body: form })
    const { access_token } = (await response.json()) as { access_token: string }
    tokens.set(who, access_token)
    return access_token
  }

  /** Sends a request; `as` puts that client's token into the Authorization header. */
  const call = async (method: string, path: string, send: Send = {}): Promise<Response> => {
    const address = new URL(`${url}${path}`)
    for (const [name, value] of Object.entries(send.query ?? {})) address.searchParams.append(name, value)
    const init = bodyOf(send)
    const authorization = send.as === undefined ? {} : { authorization: `Bearer ${await token(send.as)}` }
    return fetch(address, {
      method,
      redirect: 'manual',
      ...init,
      headers: { ...(init.headers as Record<string, string>), ...authorization, ...send.headers },
    })
  }

  return {
    url,
    app,
    shutdown,
    ports,
    clock,
    versions,
    lines,
    secrets,
    folder,
    mediaFolder,
    database,
    call,
    token,
    stop,
    closeStore,
  }
}

export type Fixture = ReturnType<typeof fixtureOn>

/** A whole server on a real socket, with real images and, unless memory is asked for, a real database. */
export const startFixture = async (folder: string, options: FixtureOptions = {}): Promise<Fixture> => {
  const backend = await openBackend(folder, join(folder, 'media'), options)
  const server = await startServer(backend.ports, backend, (line) => backend.lines.push(line), options)
  return fixtureOn(server, backend, async () => {
    await server.app.close()
    await backend.close()
    server.agree()
  })
}
